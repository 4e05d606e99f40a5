"""What has happened at a beat: from what is drawn large to what is small, how far HBM is filled, which pipes opened."""

from __future__ import annotations

from loom.scene import Moment, evenly

LEAD = 0.25  # how long the picture before anything sets out stands [s]
ZOOM, FILL, OPEN = 0.6, 0.4, 0.45  # how long a frame, a part of HBM, or a pipe is under way [s]
SPECK = 3  # the beat in which the frame around the SM comes to the speck, past its cell in the chip and the chip
PARTS = 4  # of HBM that are filled one after the other, when a row of chips has come
SWEEPS = 4  # beats in which data grow over the staircase
PER_SECOND = 175  # cycles that are played in a second


def plan_beats(_: Moment) -> tuple[float, ...]:
    """The SM becomes a part of the chip and the chip a speck, with which HBM is filled."""
    filled = LEAD + ZOOM * SPECK
    fills = (round(filled + FILL * part, 2) for part in range(PARTS + 2))
    return (0.0, *(LEAD + ZOOM * step for step in range(SPECK)), *fills)


def rates_beats(moment: Moment) -> tuple[float, ...]:
    """Pipe after pipe opens; in the last picture the last one is open."""
    turns = len(moment.result.levels) + 1
    return evenly(turns, OPEN * turns, lead=LEAD)


def send_beats(moment: Moment) -> tuple[float, ...]:
    length = moment.result.found.cycles
    steps, lasts = max(1, round(length / 60)), max(0.4, length / PER_SECOND)
    return evenly(steps, lasts, landed=True)


def stairs_beats(_: Moment) -> tuple[float, ...]:
    """Data grow from the smallest to the largest; then it is seen where the chosen ones are."""
    return evenly(SWEEPS, 2.8, lead=LEAD, landed=True)


def grown(moment: Moment) -> float | None:
    """In the staircase, how far data have grown on the ruler when this beat ends; none when they have."""
    return min(moment.beat / SWEEPS, 1) if moment.phase == "staircase" and moment.progress < 1 else None


def filling(moment: Moment) -> int | None:
    """What is filled next: a row of HBM, or the first of its parts, or the first two; none while nothing is."""
    return moment.beat - SPECK if moment.phase == "plan" and moment.progress < 1 and moment.beat >= SPECK else None


def opened(moment: Moment) -> int:
    """How many pipes have opened, or are about to."""
    levels = len(moment.result.levels)
    return {"plan": 0, "rates": min(moment.beat, levels)}.get(moment.phase, levels)


def open_now(moment: Moment) -> int:
    """How many pipes are open while it is about rates."""
    return max(moment.beat - 1, 0) if moment.phase == "rates" else 0
