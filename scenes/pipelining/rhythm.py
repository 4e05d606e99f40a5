"""What plays in the third chapter: one period is measured along the lanes, then shared by the buffers on the curve."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, bracket, count
from loom.scene import Moment

from .model import STAGES, Pipeline, steady_span
from .timeline import Stage

LEAD = 0.25  # that the picture before anything sets out stands [s]
TRIP = (0.7, 0.4)  # along the load, and along the arithmetic or what else is left of the period [s]
EACH = 0.35  # from one buffer to two, and so on [s]
SHARED = 3  # the beat in which the period has been measured, and sharing begins


def measuring(moment: Moment) -> tuple[float, ...]:
    """A bracket opens over the load and over the rest; then the dot goes from buffer to buffer, and has come."""
    measured = LEAD + sum(TRIP)
    return (0.0, LEAD, LEAD + TRIP[0], *(measured + EACH * at for at in range(moment.result.stages)))


def done(moment: Moment) -> bool:
    """Whether the chapter has come to its answer; those behind it have."""
    return moment.progress == 1 or moment.phase not in ("steady", "machine")


def shared(moment: Moment) -> int:
    """The number of buffers that the dot is at or on its way to."""
    stages: int = moment.result.stages
    return stages if done(moment) or moment.phase == "machine" else min(max(moment.beat + 2 - SHARED, 1), stages)


def draw_steady(stage: Stage, one: Pipeline, moment: Moment) -> Iterator[Mark]:
    """One period of the rhythm, over the arithmetic."""
    pen, top = stage.pen, stage.rows["compute"].y
    tiles, start, end = steady_span(one)
    left, right = stage.x(start), stage.x(end)
    yield from bracket(pen, "steady", left, left + opened(one, moment) * (right - left), top - 4, below=False,
                       role="axis" if done(moment) else "hot steady")  # fmt: skip
    if not done(moment) and moment.beat < SHARED:
        return
    words = f"{count(tiles, 'tile')} in {end - start:,} cycles"
    half = pen.text_width(words, strong=True) / 2
    middle = min(max((left + right) / 2, half), stage.rows["compute"].right - half)
    yield pen.text("steady-words", middle, top - 15, words, "label strong", anchor="middle")
    if done(moment) and one.stages < one.needed <= STAGES[-1]:
        row = stage.rows[f"buffer {one.needed}"]
        words = f"with {one.needed} it never waits"
        yield pen.text("enough", row.x + 10, row.y + row.height / 2, words, "label strong halo answer", middle=True)


def opened(one: Pipeline, moment: Moment) -> float:
    """How far the bracket is open or about to open: shut, over the load of a round trip, and over all of it."""
    if done(moment) or moment.beat > 1:
        return 1.0
    return moment.beat * (one.latency / one.trip if one.bound == "round trip" else 0.5)
