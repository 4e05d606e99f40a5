"""The time of a step and of its parts over the number of users."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Box, Mark, dodge, memoized, quantity

from .model import BATCHES, Load, Reals, along, limits, server
from .narration import users
from .stage import TIMES, Point, Stage

CACHE = "series-1"
LINES = {"weights": "memory", "cache": CACHE, "arithmetic": "work", "attention": "work dashed thin"}
STEP = "the step"
NAMES = {"weights": "memory", "cache": CACHE, "arithmetic": "work", "attention": "work", STEP: "label strong"}
STRAIGHT = 0.015  # in a logarithm: a third of a unit, which nobody sees


@memoized
def draw_times(stage: Stage) -> Iterator[Mark]:
    """Powers of ten."""
    box = stage.chart_box
    levels = [(10.0**power, stage.chart.at(1, 10.0**power)[1]) for power in range(-3, 2)]
    yield stage.strokes("times", [[(box.x, y), (box.right, y)] for _, y in levels], "grid")
    for time, y in levels:
        place = stage.scale(box), y
        yield stage.text(f"time-{time:g}", *place, quantity(time, "s"), "note", anchor="end", middle=True)
    yield stage.text("chart-title", 0, stage.title, "time of a step, as if one GPU did it all", "note")
    yield from draw_users(stage, "chart", box)


def draw_users(stage: Stage, key: str, box: Box) -> Iterator[Mark]:
    """The users from left to right, at the foot of chart or map: from 1 to 1,024 by factors."""
    yield stage.line(f"{key}-foot", box.x, box.bottom, box.right, box.bottom, "axis")
    for part, words in enumerate((users(1), "32", "1,024")):
        x = box.x + part / 2 * box.width
        yield stage.text(f"{key}-users-{part}", x, box.bottom + 4 + stage.size, words, "note", anchor="middle")


@memoized
def draw_lines(stage: Stage, model: str, gpu: str, context: int) -> Iterator[Mark]:
    """Each part of a step over the users, and all of it, with names at the right."""
    batch = along(model, gpu)
    parts = server(model, gpu).step(batch, context)
    lines = dict(zip(LINES, (parts.read_weights, parts.read_cache, parts.multiply, parts.attend), strict=True))
    if 2 * lines["attention"][-1] < lines["cache"][-1]:  # far below what it is hidden by
        del lines["attention"]
    for name, times in lines.items():
        yield stage.path(f"line-{name}", rising(stage, batch, times), LINES[name])
    yield stage.path("line-step", rising(stage, batch, parts.time), "data")
    ends = {name: float(times.max()) for name, times in lines.items()} | {STEP: 1.3 * float(parts.time[-1])}
    order = sorted(ends, key=lambda name: -ends[name])
    box, wanted = stage.chart_box, [stage.chart.at(1, ends[name])[1] for name in order]
    heights = dict(zip(order, dodge(wanted, 1.05 * stage.size, box.y - 4, box.bottom), strict=True))
    for name in ends:  # in one order, wherever they stand
        yield stage.text(f"line-{name}-name", box.right + stage.aside, heights[name], name, NAMES[name], middle=True)


@memoized
def draw_turns(stage: Stage, model: str, gpu: str, context: int, passed: float) -> Iterator[Mark]:
    """Where caches begin to take longer than weights, and where arithmetic does, as far as that is known."""
    one, parts = limits(model, gpu, context), server(model, gpu)
    turns = {"overtaking": (one.overtaking, "caches"), "balance": (round(one.balance), "arithmetic")}
    for key, (batch, what) in turns.items():
        if 1 < batch < BATCHES[-1] and batch <= passed:
            place = stage.chart.at(batch, float(parts.step(batch, context).read_weights))
            words = f"from {users(batch)} on, {what} takes longer than reading the weights"
            yield stage.circle(f"turn-{key}", *place, 4, "pad", read=words.replace("caches takes", "caches take"))


def rising(stage: Stage, batch: Reals, times: Reals) -> list[Point]:
    """A line's points from where it comes into the chart."""
    x, y, low = np.log(batch), np.log(np.broadcast_to(times, batch.shape)), np.log(TIMES[0])
    if y[0] < low < y[-1]:
        start = np.interp(low, y, x)
        x, y = np.append(start, x[y > low]), np.append(low, y[y > low])
    return [stage.chart.at(*place) for place in np.exp(bends(np.stack([x, y], axis=1)))]


def bends(line: Reals) -> Reals:
    """As few of a line's points, in logarithms, as it can be drawn by."""
    x, y = line.T
    off = np.abs(y - np.interp(x, x[[0, -1]], y[[0, -1]]))
    farthest = int(off.argmax())
    if off[farthest] <= STRAIGHT:
        return line[[0, -1]]
    return np.concatenate([bends(line[: farthest + 1])[:-1], bends(line[farthest:])])


def draw_here(stage: Stage, load: Load, runs: int | None, alone: bool) -> Iterator[Mark]:
    """The step of the reader's choice, to take hold of, and the dot that `runs`; `alone` it has the knob's place."""
    x, y = stage.chart.at(runs or load.batch, load.of(runs or load.batch).time)
    yield stage.line("now-chart", x, stage.chart_box.y, x, stage.chart_box.bottom, "hot thin")
    if not (runs and alone):
        here = stage.chart.at(load.batch, float(load.step.time))
        yield stage.knob("batch", *here, "batch", rail(stage, load.model, load.gpu, load.context))
    if runs:
        yield stage.circle("lone", x, y, stage.pick(5, 6), "hot")


@cache
def rail(stage: Stage, model: str, gpu: str, context: int) -> tuple[Point, ...]:
    """The step's line at each number of users that can be chosen."""
    times = server(model, gpu).step(np.array(BATCHES), context).time
    return tuple(stage.chart.at(batch, time) for batch, time in zip(BATCHES, times, strict=True))
