"""The roofline: a kernel's operations for each byte decide whether memory or arithmetic limits it."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._gpus.rates import GPUS, PRECISIONS
from . import measured
from .drawing import draw
from .kernels import KERNELS
from .model import ANY, ANY_INTENSITIES, Chosen
from .narration import PHASES, ratio

# As at the dots, a little longer where that says more.
LABELS = {
    ANY: "any kernel",
    "elementwise": "add two vectors",
    "prefill": "prefill attention",
    "decode": "decode attention",
}


def solve(gpu: str, precision: str, kernel: str, intensity: float) -> Chosen:
    return Chosen(gpu, precision, kernel, intensity)


def table(chosen: Chosen) -> Table:
    """All kernels on the chosen GPU, whichever is chosen."""
    columns = (
        Column("kernel", "kernel"),
        Column("flops", "FLOPs", "MFLOP", digits=1),
        Column("bytes", "bytes", "MB", digits=2),
        Column("intensity", "intensity", "FLOP/B", digits=3),
        Column("bound", "bound"),
        Column("attainable", "attainable", "TFLOP/s", digits=3),
        Column("share", "share of peak", "%", digits=2),
    )
    rows = [
        (name, one.work.flops / 1e6, one.work.bytes / 1e6, one.intensity, one.bound, one.attainable / 1e12, one.share)
        for name, one in chosen.cases.items()
    ]
    return Table(columns, rows)


def values(chosen: Chosen) -> dict[str, Value]:
    one = chosen.case
    return {
        "ridge": Value(one.ridge, "FLOP/B", digits=digits_of(one.ridge)),
        "intensity": Value(one.intensity, "FLOP/B", digits=digits_of(one.intensity)),
        "attainable": Value(one.attainable, "FLOP/s"),
        "share": Value(one.share, "%"),
        "peak": Value(one.peak, "FLOP/s", digits=4),
        "bandwidth": Value(one.bandwidth, "B/s", digits=4),
        "flops": Value(one.work.flops, "FLOP"),
        "bytes": Value(one.work.bytes, "B"),
        "time": Value(one.time, "s"),
        "memory_time": Value(one.memory_time, "s"),
        "arithmetic_time": Value(one.arithmetic_time, "s"),
        **measured.values(),
    }


def digits_of(intensity: float) -> int:
    """Significant digits that leave one decimal from 10 on; three below."""
    return max(3, len(str(int(intensity))) + 1)


SCENE = Scene(
    title="What limits a kernel?",
    summary="A kernel’s operations for each byte that it moves, set against the bandwidth and the peak rate of a GPU, "
    "say whether memory or arithmetic limits it, and how fast it can be.",
    params=(
        Choice("gpu", "GPU", tuple(GPUS), default="H100"),
        Choice("precision", "Precision", PRECISIONS, default="BF16"),
        Choice("kernel", "Kernel", {name: LABELS.get(name, name) for name in (ANY, *KERNELS)}),
        Range(
            "intensity", "Intensity", {at: ratio(at) for at in ANY_INTENSITIES}, default=1.0, when={"kernel": (ANY,)}
        ),
    ),
    sentence="On {gpu} in {precision}, run {kernel}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(1, 2),
    sources=("roofline", "h100-whitepaper", "ampere-blog", "a100-datasheet", "h200-datasheet", "hgx-platform", "fa2"),
    leaves_out="The roof is a limit, not a forecast: a kernel may sit far under it. Peak rates are dense ones at full "
    "clock, and no real kernel reaches them. Each operand crosses to memory once here; a kernel that "
    "reads tiles again moves more bytes, and data that is already in a cache moves fewer. Latency and the "
    "microseconds of a launch are not counted, nor are exponentials in attention, scale factors of FP8 and FP4, or "
    "outputs wider than the inputs. Kernels without matrix products run on the ordinary cores, under a lower ceiling "
    "than that of tensor cores. Where query heads share keys and values, decode has a higher intensity."
    + measured.remark(),
)
