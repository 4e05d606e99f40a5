"""The picture: time in lanes, under it the period that each number of stages gives, and their shared memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, count
from loom.scene import Moment

from .model import CHARTED, FITS, LIMITS, STAGE_KB, STAGES, Pipeline
from .timeline import Stage, draw_timeline, short


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = Stage(width, moment.result.window)
    shown = moment.result if moment.since("ahead") else moment.result.alone
    yield from draw_timeline(stage, moment, shown)
    yield from draw_periods(stage, moment, shown.stages)
    yield from draw_memory(stage, moment, shown.stages)


def draw_periods(stage: Stage, moment: Moment, stages: int) -> Iterator[Mark]:
    """A bar for each number of stages; those that the story has not reached are missing."""
    pen, box, one = stage.pen, stage.chart, moment.result
    shown = CHARTED if moment.since("steady") else stages
    floor, top = box.bottom - pen.size - 5, box.y + 2.6 * pen.size
    unit = (floor - top) / one.trip
    yield pen.text("periods-title", box.x, box.y + 0.8 * pen.size, "cycles a tile, by number of stages", "note")
    periods = one.over(np.arange(1, CHARTED + 1, dtype=np.int64)).tolist()
    for number, (each, column) in enumerate(zip(periods, box.columns(CHARTED, pen.pick(4, 6)), strict=True), 1):
        here, middle = number == stages, column.x + column.width / 2
        bar = Box(column.x, floor - each * unit, column.width, each * unit)
        if number <= shown:
            role = "hot" if here else "quiet" if number > one.needed else "data"
            if number in STAGES and not here and moment.since("ahead"):
                words = f"keep {count(number, 'stage')}"
                yield pen.rect(f"period-{number}", bar, role, set={"stages": number}, label=words)
            else:
                yield pen.rect(f"period-{number}", bar, role)
            if number <= max(one.needed, stages):
                role = "value strong" if here else "value"
                yield pen.text(f"period-{number}-value", middle, bar.y - 4, short(each), role, anchor="middle")
        role = "hot strong" if here else "note"
        yield pen.text(f"period-{number}-name", middle, box.bottom, str(number), role, anchor="middle")
    yield pen.line("periods-floor", box.x, floor, box.right, floor, "axis")
    if moment.since("steady"):
        yield from _enough(stage, one, top + 1)


def _enough(stage: Stage, one: Pipeline, base: float) -> Iterator[Mark]:
    """From where on more stages do not help, and what then sets the pace."""
    pen, right = stage.pen, stage.chart.right
    pace = f"the {'arithmetic' if one.compute >= one.transfer else 'memory pipe'} takes {short(one.floor)}"
    yield pen.text("enough", right, base, f"{one.needed} stages are enough:", "label strong", anchor="end")
    yield pen.text("enough-why", right, base + 1.25 * pen.size, pace, "note", anchor="end")


def draw_memory(stage: Stage, moment: Moment, stages: int) -> Iterator[Mark]:
    """A cell for each stage, as long as its shared memory; at the end, what one block may have."""
    pen, box, one, end = stage.pen, stage.memory, moment.result, moment.since("shared")
    title = "shared memory of a block, in KB of 1,024 bytes"
    yield pen.text("memory-title", box.x, box.y + 0.8 * pen.size, title, "note")
    strip = Box(box.x, box.y + 3 * pen.size, box.width, pen.pick(20, 30))
    yield pen.rect("memory-track", strip, "cell soft")
    cells = strip.columns(CHARTED)[: max(one.needed if end else 0, stages)]
    for number, cell in enumerate(cells):
        yield pen.rect(f"memory-{number}", cell.inset(1, 1, 1, 1), "hot" if number < stages else "ghost")
    foot = strip.y - 0.55 * pen.size
    taken = f"{count(stages, 'stage')}: {short(stages * STAGE_KB)} KB"
    yield pen.text("memory-taken", box.x, foot, taken, "value strong")
    if not end:
        return
    words = f"{one.needed} {'would do' if one.needed > stages else 'are enough'}: {short(one.needed * STAGE_KB)} KB"
    words = "just enough" if one.needed == stages else words
    yield pen.text("memory-needed", box.right, foot, words, "note", anchor="end")
    for row, (gpu, limit) in enumerate(LIMITS.items()):
        x, base = strip.x + limit * cells[0].width / STAGE_KB, strip.bottom + 3 + (1 + 1.25 * row) * pen.size
        yield pen.line(f"limit-{gpu}", x, strip.y - 3, x, base + 2, "axis strong")
        words = f"{gpu}: {limit} KB, {FITS[gpu]} stages fit"
        yield pen.text(f"limit-{gpu}-words", x - 5, base, words, "label", anchor="end")
