"""The ladder of a matrix product: eight published kernels, from four lines to past the library."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import CUBLAS, PEAK, RUNGS, SPEEDS, Climb, factors, share, two_digits
from .narration import PHASES


def table(_: Climb) -> Table:
    """All rungs, wherever the climb begins."""
    columns = (
        Column("rung", "rung"),
        Column("changed", "what changed"),
        Column("speed", "speed", "TFLOP/s", digits=1),
        Column("times", "over the rung before", "×", digits=2),
        Column("share", "share of peak", "%", digits=1),
        Column("source", "source"),
    )
    gains = [1.0, *factors(SPEEDS).tolist()]
    rows = [
        (number, rung.change, rung.speed, gain, float(share(rung.speed, PEAK)), f"Part {rung.part}")
        for number, (rung, gain) in enumerate(zip(RUNGS, gains, strict=True), 1)
    ]
    return Table(columns, rows)


def values(_: Climb) -> dict[str, Value]:
    first, last = RUNGS[0].speed, RUNGS[-1].speed
    return {
        "first": Value(first, "TFLOP/s"),
        "last": Value(last, "TFLOP/s"),
        "cublas": Value(CUBLAS, "TFLOP/s"),
        "peak": Value(PEAK, "TFLOP/s"),
        "times": Value(two_digits(last / first), "×"),
        "share": Value(float(share(last, PEAK)), "%"),
        "of_cublas": Value(float(share(last, CUBLAS)), "%", digits=4),
        "rungs": Value(len(RUNGS)),
    }


SCENE = Scene(
    title=f"What makes a product {two_digits(RUNGS[-1].speed / RUNGS[0].speed):.0f}× as fast?",
    summary="Published speeds of eight kernels for one matrix product on a B200, from four lines of code to a little "
    "past NVIDIA’s library, show how much each change bought.",
    params=(Choice("base", "From", {number: rung.name for number, rung in enumerate(RUNGS[:-1], 1)}),),
    sentence="Climb from {base}.",
    solve=Climb,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(1, -1),
    sources=("modular-bw1", "modular-bw2", "modular-bw3", "modular-bw4"),
    leaves_out="Nothing here is simulated or measured by us: these are one team’s published figures, in their own "
    "language, Mojo, for one product of one size and format on one GPU. Speeds stand on a logarithmic scale, where "
    "equal factors are equally long. What a rung buys depends on the rungs below it: taken in another order, each "
    "change would have another factor. Two figures are less sharp than the rest: the first speed is published as a "
    "whole number, and that of the two output buffers is worked out from the stated difference. The peak is the "
    "listed one; a chip under full load often runs at a lower clock. Tiles grew on the way, from 64 × 64 to "
    "256 × 256 for a pair of SMs, and the two output buffers also made room for more stages. The sketch counts "
    "copies, SMs, stages and buffers, and nothing in it is to scale. Of the time that two kernels run side by side, "
    "published is only the speed: green is as long as the products would take at the listed peak, which smaller tiles "
    "may not reach, and all the rest before there are stages is drawn as copies, stores and starts of blocks too; with "
    "stages, a copy is drawn as long as on the rung before.",
)
