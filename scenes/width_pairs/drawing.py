"""The picture: how many times as fast each pair of widths is, over the batch, and the two times of every pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, dodge, headline, memoized, quantity, significant
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import ROWS, dots
from .model import BATCHES, GPUS, PAIRS, Case, case_of
from .narration import lost, seconds, times

X = Axis("batch: rows of X", span=(0.7, ROWS), log=True)  # as far as was measured
Y = Axis("times as fast as W16A16", span=(0, 4.2))
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    box: Box  # of the plot
    answer: Point  # the baseline of the large number
    rows: Box  # the two times of each pair
    bar: Box  # where in a row its bars are: x, and how wide and tall each is

    @property
    def plot(self) -> Plot:
        return Plot(self, self.box, X, Y)

    def at(self, case: Case) -> Point:
        return self.plot.at(case.batch, case.speedup)


NARROW = Stage(328, Box(24, 54, 244, 114), (0, 24), Box(0, 221, 328, 118), Box(62, 0, 150, 7))
WIDE = Stage(840, Box(30, 38, 306, 226), (432, 48), Box(432, 118, 408, 190), Box(66, 0, 228, 13))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case = NARROW if width == NARROW.width else WIDE, moment.result
    yield from _axes(stage)
    yield from _curves(stage, case)
    yield from _measured(stage, case)
    yield from _dot(stage, moment)
    yield from _times(stage, moment)
    yield from _answer(stage, moment)


@memoized
def _axes(stage: Stage) -> Iterator[Mark]:
    """The scales."""
    box, size = stage.box, stage.size
    lines = []
    for tick in (1, 2, 4):
        y = stage.plot.at(1, tick)[1]
        lines.append([(box.x, y), (box.right, y)])
        yield stage.text(f"y{tick}", box.x - 6, y, f"{tick}×", "note", anchor="end", middle=True)
    for tick in (1, 64, 4096):
        x = stage.plot.at(tick, 0)[0]
        yield stage.text(f"x{tick}", x, box.bottom + 4 + size, significant(tick), "note", anchor="middle")
    yield stage.strokes("grid", lines, "grid")
    yield stage.line("base", box.x, box.bottom, box.right, box.bottom)
    yield stage.text("x-title", box.right, box.bottom + 8 + 2 * size, X.title, "note", anchor="end")
    yield stage.text("y-title", 0, box.y - stage.pick(7, 12), Y.title, "note")


@cache
def rail_of(stage: Stage, gpu: str, pair: str) -> list[Point]:
    """The place of a pair for every batch."""
    return [stage.at(case_of(gpu, pair, batch)) for batch in BATCHES]


@cache
def curve(stage: Stage, gpu: str, pair: str) -> list[Point]:
    """The same as a curve, whose corners are where memory stops being the limit, of the pair or of W16A16."""
    first, last = sorted(case_of(gpu, name, 1).knee for name in (pair, "W16A16"))
    between = np.geomspace(first, last, 5 if last > 1.3 * first else 2)
    batches = [1, 0.4 * first, *between, ROWS] if first < last else [1, ROWS]
    places = [stage.at(Case(GPUS[gpu], PAIRS[pair], batch)) for batch in batches]
    return [(round(x), y) for x, y in places]  # whole units, which are short to write


def _curves(stage: Stage, case: Case) -> Iterator[Mark]:
    """A curve for each pair with its name at its end, the chosen one on top."""
    ends = []
    for name in PAIRS:
        points = curve(stage, case.gpu.name, name)
        ends.append((points[-1][1], points[0][1], name))
        if name != case.pair.name:
            yield stage.path(f"ghost-{name}", points, "ghost")
    # Another mark than its ghost, which is painted under others: variants that differ in that can't share a file.
    chosen = curve(stage, case.gpu.name, case.pair.name)
    yield stage.path(f"chosen-{case.pair.name}", chosen, "work thick modelled")
    ends.sort()
    heights = dodge([y for y, *_ in ends], 1.2 * stage.size, stage.box.y, stage.box.bottom)
    for y, (*_, name) in zip(heights, ends, strict=True):
        role = "work strong" if name == case.pair.name else "label"
        yield stage.text(f"end-{name}", stage.box.right + 8, y, name, role, middle=True)


def _measured(stage: Stage, case: Case) -> Iterator[Mark]:
    """What a library reached in this format, and its name before the axis' own."""
    seen = dots(case)
    yield from rings(stage, stage.plot, "measured", seen)
    if seen:
        base = stage.box.bottom + 8 + 2 * stage.size
        yield stage.text("measured-words", 0, base, f"○ measured on an {case.gpu.name}", "note measured")


def _dot(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The batch, dragged along the chosen curve; while the scene plays, it has been at all others before."""
    case, rail = moment.result, rail_of(stage, moment.result.gpu.name, moment.result.pair.name)
    if moment.past("speed") == 1:
        x, y = rail[BATCHES.index(case.batch)]
        yield stage.line("down", x, y, x, stage.box.bottom, "hot dashed")
        yield stage.knob("batch", x, y, "batch", rail, label="Rows of X")
    elif moment.phase == "speed":
        x, y = rail[BATCHES.index(passed(moment))]
        yield stage.circle("probe", x, y, stage.pick(5, 6), "hot steady")


def passed(moment: Moment) -> int:
    """The batch at which the dot is: in the end the chosen one."""
    beat, last = moment.beat, moment.beats - 1
    return moment.result.batch if beat == last else BATCHES[round((len(BATCHES) - 1) * beat / (last - 1))]


def _times(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """For each pair the time to move the bytes and the time to multiply, as shares of the time that W16A16 takes.

    The longer of the two counts, and is dark; it leads to that time. Each row is a button.
    """
    box, bar, steady = stage.rows, stage.bar, " steady" if moment.phase == "speed" else ""
    rivals = here(moment).rivals
    moved, multiplied = moment.past("bytes"), moment.past("products")
    yield from _heads(stage, here(moment))
    for one, row in zip(rivals, box.rows(len(rivals)), strict=True):
        name, chosen, middle = one.pair.name, one.pair == moment.result.pair, row.y + row.height / 2
        told = f"{name}: move {seconds(one.memory_time)}, multiply {seconds(one.arithmetic_time)}"
        yield stage.rect(f"row-{name}", row.inset(top=1, bottom=1), "cell soft", round=0, set={"pair": name},
                         label=f"show {name}", read=told)  # fmt: skip
        yield stage.text(f"name-{name}", box.x + 4, middle, name, "work strong" if chosen else "label", middle=True)
        unit = bar.width / max(one.time for one in rivals)
        pieces = (("move", one.memory_time, moved, "memory", middle - bar.height - 1),
                  ("multiply", one.arithmetic_time, multiplied, "work", middle + 1))  # fmt: skip
        for key, value, grown, role, top in pieces:
            length = max(unit * grown * value, 0.5)
            soft = " soft" if multiplied == 1 and value < one.time else ""
            yield stage.rect(
                f"{key}-{name}", Box(bar.x + box.x, top, length, bar.height), role + soft + steady, round=0
            )
        if multiplied == 1:
            x, words = box.x + bar.x + unit * one.time + 6, seconds(one.time)
            yield stage.text(f"time-{name}", x, middle, words, f"value{steady}", middle=True)
            yield stage.text(
                f"error-{name}", box.right - 3, middle, lost(one.error), "dropped", anchor="end", middle=True
            )


def _heads(stage: Stage, case: Case) -> Iterator[Mark]:
    """What the bars are, and for which batch."""
    box, x = stage.rows, stage.rows.x + stage.bar.x
    yield stage.text("move-head", x, box.y - 6, "move", "memory")
    yield stage.text("multiply-head", x + stage.text_width("move") + 10, box.y - 6, "multiply", "work")
    yield stage.text("error-head", box.right, box.y - 6, "error", "note", anchor="end")
    batch = f"batch {significant(case.batch)}"
    yield stage.text("batch-head", box.right - stage.text_width("error") - 10, box.y - 6, batch, "note", anchor="end")


def here(moment: Moment) -> Case:
    """The pair with the batch at which the dot is."""
    case: Case = moment.result
    return case_of(case.gpu.name, case.pair.name, passed(moment)) if moment.phase == "speed" else case


def _answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How long each of the two takes, and at last what comes of it, for every batch that the dot passes."""
    case, (x, y) = here(moment), stage.answer
    if moment.phase != "speed" and moment.progress < 1:
        return
    limit = "memory" if case.memory_bound else "arithmetic"
    amount, first, second = {
        "bytes": (seconds(case.memory_time), "to move", quantity(case.bytes, "B")),
        "products": (seconds(case.arithmetic_time), "to multiply,", f"in {case.computes_in}"),
        "speed": (times(case.speedup), "as fast as W16A16,", f"batch {significant(case.batch)}: {limit} limits"),
    }[moment.phase]
    yield from headline(stage, x, y, amount, (first, second), widest=["3.8×"] if moment.phase == "speed" else ())
