"""What is said of each rung: the change in plain words, the speed, and the factor."""

from __future__ import annotations

from loom.scene import Moment, Phase

from .model import (
    CUBLAS,
    OUTPUT_TILE,
    PEAK,
    RUNGS,
    SAID_MORE,
    SAID_OF_CUBLAS,
    SAID_SLOWER,
    SAID_TIMES,
    SIDE,
    SPEEDS,
    STAGES,
    factors,
    share,
    two_digits,
)

FACTORS = (1.0, *factors(SPEEDS).tolist())
COUNTS = {5: "Five"}
# `{speed}` is the rung's, and `{gain}` says how many times as fast it is.
SAYINGS = (
    f"As published: two {SIDE:,} × {SIDE:,} matrices in BF16, multiplied on one B200. A kernel of four lines, one "
    f"thread for each number of the result, reaches {{speed}}: {RUNGS[0].shown} trillion additions and multiplications "
    f"a second, {share(RUNGS[0].speed, PEAK):.1f}\u00a0% of the listed peak.",
    f"Each block of threads computes a tile of {OUTPUT_TILE} × {OUTPUT_TILE} numbers. TMA, a copy engine, brings tiles "
    "into shared memory, and tensor cores, units for small matrix products, multiply them. {speed}, {gain}; the source "
    f"says {SAID_TIMES}.",
    "A swizzle exchanges the 16-byte pieces of each row, so that rows below each other lie in different banks of "
    "shared memory, and one copy does the work of eight. {speed}, {gain}.",
    f"The output is packed in shared memory, and TMA stores it. {{speed}}: the source’s text calls that "
    f"{SAID_SLOWER}\u00a0% slower, but its figures make it {100 * (FACTORS[3] - 1):.1f}\u00a0% faster. Memory still "
    "sets the pace.",
    "Two SMs, the processors of the GPU, share one larger multiplication, and multicast sends a tile to several SMs at "
    "once. {speed}, {gain}. Copying and multiplying still take turns.",
    f"{COUNTS[STAGES]} stages: while one tile is multiplied, the next are on their way. One warp (32 threads that "
    "execute together) starts the copies, another the multiplications. {speed}, {gain}.",
    "Two small buffers: one part of the output is stored while the next is moved. The memory that this saves holds "
    f"more stages. The source gives {SAID_MORE:.0f}\u00a0TFLOP/s more, so {{speed}}, {{gain}}.",
    "Blocks stay on their SMs and fetch one tile after another, so that storing overlaps the next tile and nothing is "
    f"set up anew. {{speed}}, {{gain}}: past the {CUBLAS:,.0f} of cuBLAS, NVIDIA’s library.",
)


def times(rung: int) -> str:
    """The factor of a rung (from 0) over the one before; with the digits that its figures have."""
    return f"{two_digits(FACTORS[rung]):.0f}" if rung == 1 else f"{FACTORS[rung]:.2f}"


def _climb(moment: Moment) -> str:
    at = moment.at
    said = SAYINGS[at].format(speed=f"{RUNGS[at].shown}\u00a0TFLOP/s", gain=f"{times(at)} times as fast")
    equal = at == 0 and moment.result == "log"
    return f"{said} On this axis equal lengths are equal factors." if equal else said


def _end(moment: Moment) -> str:
    last, first = RUNGS[-1], RUNGS[0]
    whole = two_digits(last.speed / first.speed)
    reached = float(share(last.speed, PEAK))
    return (
        f"From {first.shown} to {last.shown}\u00a0TFLOP/s: about {whole:.0f} times. That is "
        f"{share(last.speed, CUBLAS):.1f}\u00a0% of cuBLAS (the source says {SAID_OF_CUBLAS}\u00a0%), but "
        f"{reached:.1f}\u00a0% of the peak of {PEAK:,.0f}: {100 - reached:.1f}\u00a0% are still left."
    )


PHASES = (Phase("climb", _climb, lambda _: range(len(RUNGS))), Phase("end", _end))
