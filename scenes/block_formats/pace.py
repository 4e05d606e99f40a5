"""How far each chapter is at a beat."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .case import SHOWN, Case
from .model import MXFP4, NVFP4

TRIED = (0.5, 1.0, 2.0)  # powers of two for the scale, in the order in which they are tried
STEPS, TAKEN, TOGETHER = 8, 4, 2  # beats: of the rounding, of the digits that come, of those that make bytes

# In "amax" a lid comes down, then the bytes of BF16 become fewer, and then they are counted.
DOWN, FEWER, COUNTED = 1, 2, 3
BEATS = {
    "amax": (0.0, 0.25, 1.05, 2.65),
    "scale": evenly(len(TRIED) + 1, 2.8),
    NVFP4: (0.0, 0.2, 1.1, 2.0),  # its scales
    "rounded": evenly(STEPS, 3.2, lead=0.25),
    "codes": evenly(TAKEN + TOGETHER + 1, 3.5, lead=0.25),
    "error": evenly(4, 1.6, lead=0.25),
}


def beats(phase: str, case: Case) -> tuple[float, ...]:
    """The times of a phase's pictures [s]."""
    return BEATS[NVFP4 if phase == "scale" and case.format == NVFP4 else phase]


def reached(moment: Moment, phase: str, beat: int) -> bool:
    """Whether the story is at this beat of a phase, or past it."""
    return moment.beat >= beat if moment.phase == phase else moment.since(phase)


def decided(moment: Moment) -> bool:
    """Whether the scale is."""
    return reached(moment, "scale", len(TRIED))


def share(case: Case, beat: int) -> float:
    """The height of the rungs, of that which they have in the end: MXFP4's double, NVFP4's rise at once."""
    if case.format != MXFP4:
        return 1.0 if beat else 0.0
    return float(min(TRIED[min(beat, len(TRIED) - 1)] / case.scales[0], 1.0))


def rounded(moment: Moment) -> int:
    """How many numbers have been."""
    return SHOWN * moment.beat // STEPS if moment.phase == "rounded" else SHOWN * moment.since("rounded")


def written(beat: int) -> int:
    """How many codes have come under their numbers."""
    return SHOWN * min(beat, TAKEN) // TAKEN


def packed(beat: int) -> int:
    """How many of each two codes are in their byte."""
    return min(max(beat - TAKEN, 0), TOGETHER)
