"""The share of idle time over the microbatches, and the knob that sets them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Plot

from .model import FEWEST, Pipeline, solve
from .narration import NAMES
from .stage import Stage

COUNTS = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)


@cache
def curve_drawn(case: Pipeline, width: float) -> tuple[Mark, ...]:
    return (*draw_curve(Stage(width, case)),)


def draw_curve(stage: Stage) -> Iterator[Mark]:
    """The share of idle time over the microbatches, with a knob; behind it that of 1F1B, if that differs."""
    pen, case = stage.pen, stage.case
    box = pen.pick(Box(34, 264, 284, 38), Box(716, 176, 112, 92))
    plot = Plot(pen, box, Axis("microbatches", "", (0.65, COUNTS[-1]), log=True, ticks=(1, 4, 16, 64)),
                Axis("idle", "%", (0, 100), ticks=(0, 50, 100) if not pen.narrow else (0, 100)), "curve")  # fmt: skip
    plain = shares("1f1b", case.stages, COUNTS)
    found = shares(case.schedule, case.stages, COUNTS)
    if found != plain:
        yield plot.curve("plain", COUNTS, plain, "ghost answer")
    fewest = max(1, FEWEST.get(case.schedule, 0) * case.stages)
    there = [at for at, one in enumerate(COUNTS) if one >= fewest]
    yield plot.curve("found", [COUNTS[at] for at in there], [found[at] for at in there], "dropped answer")
    if case.asked < case.microbatches:
        words = f"{NAMES[case.schedule]} takes {fewest}"
        yield pen.text(
            "fewest", pen.width - 2, box.y - pen.pick(0.75, 2.3) * pen.size, words, "hot strong", anchor="end"
        )
    rail = [plot.at(one, share) for one, share in zip(COUNTS, found, strict=True)]
    here = rail[COUNTS.index(case.asked)]
    yield from plot.axes(knob=here)
    yield pen.knob("microbatches", *here, "microbatches", rail, "microbatches")._replace(role="grip answer")


@cache
def shares(schedule: str, stages: int, counts: tuple[int, ...]) -> tuple[float, ...]:
    """The share of idle time for each number of microbatches [%]."""
    return tuple(solve(schedule, stages, count).share for count in counts)
