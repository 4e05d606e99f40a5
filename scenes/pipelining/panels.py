"""Under the timeline: the period that each number of stages gives, and the shared memory that they take."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, count

from .model import LIMITS, STAGES, Pipeline
from .moments import AHEAD, CHARTED, FITS, SHARED, STAGE_KB, STEADY, State
from .stage import Stage
from .words import short


def draw_periods(stage: Stage, state: State) -> Iterator[Mark]:
    """A bar for each number of stages; those that the story has not reached are missing."""
    pen, box, one = stage.pen, stage.chart, state.chosen
    shown = {0: 1, AHEAD: one.stages}.get(state.step, CHARTED)
    floor = box.bottom - pen.size - 5
    top = box.y + 2.6 * pen.size
    unit = (floor - top) / one.trip
    yield pen.text("periods-title", box.x, box.y + 0.8 * pen.size, "cycles a tile, by number of stages", "note")
    periods = one.over(np.arange(1, CHARTED + 1, dtype=np.int64)).tolist()
    columns = box.columns(CHARTED, 4 if pen.narrow else 6)
    for number, (each, column) in enumerate(zip(periods, columns, strict=True), 1):
        here = number == state.pipeline.stages
        middle = column.x + column.width / 2
        if number <= shown:
            bar = Box(column.x, floor - each * unit, column.width, each * unit)
            yield _bar(stage, state, number, bar)
            if number <= max(one.needed, state.pipeline.stages):
                role = "value strong" if here else "value"
                yield pen.text(f"period-{number}-value", middle, bar.y - 4, short(each), role, anchor="middle")
        role = "hot strong" if here else "note"
        yield pen.text(f"period-{number}-name", middle, box.bottom, str(number), role, anchor="middle")
    yield pen.line("periods-floor", box.x, floor, box.right, floor, "axis")
    if state.step >= STEADY:
        yield from _enough(stage, one, top)


def _bar(stage: Stage, state: State, number: int, box: Box) -> Mark:
    one = state.chosen
    here = number == state.pipeline.stages
    role = "hot" if here else "quiet" if number > one.needed else "data"
    if number in STAGES and not here and state.step >= AHEAD:
        words = f"keep {count(number, 'stage')}"
        return stage.pen.rect(f"period-{number}", box, role, set={"stages": number}, label=words)
    return stage.pen.rect(f"period-{number}", box, role)


def _enough(stage: Stage, one: Pipeline, top: float) -> Iterator[Mark]:
    """From where on more stages do not help, and what then sets the pace."""
    pen, right = stage.pen, stage.chart.right
    pace = "arithmetic" if one.compute >= one.transfer else "memory pipe"
    yield pen.text("enough", right, top + 1, f"{one.needed} stages are enough:", "label strong", anchor="end")
    yield pen.text("enough-why", right, top + 1 + 1.25 * pen.size, f"the {pace} takes {short(one.floor)}", "note",
                   anchor="end")  # fmt: skip


def draw_memory(stage: Stage, state: State) -> Iterator[Mark]:
    """A cell for each stage, as long as its shared memory; at the end, what one block may have."""
    pen, box, one = stage.pen, stage.memory, state.chosen
    stages = state.pipeline.stages
    title = "shared memory of a block, in KB of 1,024 bytes"
    yield pen.text("memory-title", box.x, box.y + 0.8 * pen.size, title, "note")
    unit = box.width / (CHARTED * STAGE_KB)
    strip = Box(box.x, box.y + 3 * pen.size, box.width, 20 if pen.narrow else 30)
    yield pen.rect("memory-track", strip, "cell soft")
    wanted = max(one.needed if state.step == SHARED else 0, stages)
    for number in range(wanted):
        cell = Box(strip.x + number * STAGE_KB * unit + 1, strip.y + 1, STAGE_KB * unit - 2, strip.height - 2)
        yield pen.rect(f"memory-{number}", cell, "hot" if number < stages else "ghost")
    foot = strip.y - 0.55 * pen.size
    taken = f"{count(stages, 'stage')}: {short(stages * STAGE_KB)} KB"
    yield pen.text("memory-taken", box.x, foot, taken, "value strong")
    if state.step < SHARED:
        return
    words = f"{one.needed} would do: {short(one.needed * STAGE_KB)} KB"
    if one.needed < stages:
        words = f"{one.needed} are enough: {short(one.needed * STAGE_KB)} KB"
    elif one.needed == stages:
        words = "just enough"
    yield pen.text("memory-needed", box.right, foot, words, "note", anchor="end")
    for row, (gpu, limit) in enumerate(LIMITS.items()):
        x, base = strip.x + limit * unit, strip.bottom + 3 + (1 + 1.25 * row) * pen.size
        yield pen.line(f"limit-{gpu}", x, strip.y - 3, x, base + 2, "axis strong")
        words = f"{gpu}: {limit} KB, {FITS[gpu]} stages fit"
        yield pen.text(f"limit-{gpu}-words", x - 5, base, words, "label", anchor="end")
