"""What is said of each rung: the change in plain words, the speed, and the factor."""

from __future__ import annotations

from loom.draw import number
from loom.scene import Moment, Phase

from .model import (
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
    Climb,
    factors,
    share,
    two_digits,
)

LEAD = 0.25  # seconds that the first kernel's stretch of time stands covered
LANDED = 0.45  # seconds until the bar has climbed, and its numbers are told
SWEPT = 2.4  # seconds until both kernels have run for the same time
COUNTS = {5: "Five"}
FIRST = RUNGS[0]
GAIN = 100 * (float(factors(SPEEDS)[2]) - 1)  # [%] of kernel 4
SAYINGS = (  # with room for the factor
    f"Two {SIDE:,} × {SIDE:,} matrices in BF16 on one B200: four lines of code, a thread for each number of the "
    f"result. {FIRST.shown}\u00a0TFLOP/s are {share(FIRST.speed, PEAK):.1f}% of the peak.",
    f"TMA, a copy engine, brings tiles of {OUTPUT_TILE} × {OUTPUT_TILE} into shared memory, and tensor cores multiply "
    f"them: {{factor}} times as fast. The source, whose 5 is rounded, says {SAID_TIMES}.",
    "A swizzled tile comes in one copy instead of eight, and in whole sectors: {factor} times as fast. The source "
    "credits bank conflicts that are gone.",
    "The output is packed in shared memory, and TMA stores it. The source’s text calls that "
    f"{SAID_SLOWER}% slower; its figures make it {GAIN:.1f}% faster.",
    "Two SMs share one larger multiplication, and multicast sends a tile to several: {factor} times as fast. Copying "
    "and multiplying still take turns.",
    f"{COUNTS[STAGES]} stages: while one tile is multiplied, the next are on their way. One warp starts the copies, "
    "another the multiplications: {factor} times as fast.",
    f"Two small buffers: one part of the output is stored while the next is moved. The source gives {SAID_MORE:.0f}"
    "\u00a0TFLOP/s more, {factor} times as fast.",
    "Blocks stay and fetch one tile after another; storing overlaps the next tile: {factor} times as fast, and past "
    f"cuBLAS: the source says {SAID_OF_CUBLAS}%.",
)


def times(rung: int) -> str:
    """The factor of a rung (from 0) over the one before; with the digits that its figures have."""
    factor = float(factors(SPEEDS)[rung - 1])
    return f"{two_digits(factor):.0f}" if rung == 1 else f"{factor:.2f}"


def so_far(climb: Climb, rung: int) -> str:
    """How many times as fast a rung is as the first of the climb; the speed of rung 1 has fewer digits than others."""
    factor = climb.factor(rung)
    return number(two_digits(factor), 2) if climb.base == 1 else number(factor, 3)


def say_rung(moment: Moment) -> str:
    at = moment.at - 1
    return SAYINGS[at].format(factor=times(at) if at else "")


def landing(moment: Moment) -> tuple[float, ...]:
    """A bar climbs, its numbers are told, and its kernel runs; the first of the climb stands there, and only runs."""
    return (0.0, LANDED if moment.at > moment.result.base else LEAD, SWEPT)


PHASES = (Phase("climb", say_rung, lambda climb: range(climb.base, len(RUNGS) + 1), landing),)
