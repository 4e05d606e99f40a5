"""The picture: a roofline for each pair of widths over the batch, and the two times of every pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot, headline, quantity, significant
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import dots
from .model import BATCHES, PAIRS, TERA, Case, case_of
from .narration import lost, rate, seconds, times

X = Axis("batch: rows of X", span=(0.7, BATCHES[-1]), log=True)
Y = Axis("rate", "TFLOP/s", span=(3, 12_000), log=True)
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    plot: Box
    answer: Point  # the baseline of the large number
    rows: Box  # the two times of each pair
    bar: Box  # where in a row its bars are: x, and how wide and tall each is

    def at(self, case: Case) -> Point:
        return (self.x(case.batch), self.y(case.rate))

    def x(self, batch: float) -> float:
        return self.plot.x + X.normalize(batch) * self.plot.width

    def y(self, flops: float) -> float:
        return self.plot.bottom - Y.normalize(flops / TERA) * self.plot.height


NARROW = Stage(328, Box(42, 52, 270, 108), (0, 24), Box(0, 216, 328, 118), Box(62, 0, 150, 7))
WIDE = Stage(840, Box(56, 30, 440, 226), (560, 48), Box(560, 118, 280, 190), Box(66, 0, 116, 10))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case = NARROW if width == NARROW.width else WIDE, moment.result
    yield from _axes(stage, case, moment.past("speed") == 1)
    yield from _roofs(stage, case)
    yield from _measured(stage, case)
    yield from _dot(stage, moment)
    yield from _times(stage, moment)
    yield from _answer(stage, moment)


def _axes(stage: Stage, case: Case, held: bool) -> Iterator[Mark]:
    """The scales; a batch under its knob is left out, as the slider says it."""
    box, size, reach, (here, low) = stage.plot, stage.size, stage.knob_radius, stage.at(case)
    lines = []
    for tick in (10, 100, 1000, 10_000):
        y = stage.y(tick * TERA)
        lines.append([(box.x, y), (box.right, y)])
        yield stage.text(f"y{tick}", box.x - 6, y, significant(tick), "note", anchor="end", middle=True)
    for tick in (1, 8, 64, 512, 4096):
        x, words = stage.x(tick), significant(tick)
        if held and abs(x - here) < reach + stage.text_width(words) / 2 and box.bottom + 4 + 0.3 * size - low < reach:
            continue
        yield stage.text(f"x{tick}", x, box.bottom + 4 + size, words, "note", anchor="middle")
    yield stage.strokes("grid", lines, "grid")
    yield stage.line("base", box.x, box.bottom, box.right, box.bottom)
    yield stage.text("x-title", box.right, box.bottom + 8 + 2 * size, X.title, "note", anchor="end")
    others = ", ".join(width for width in case.gpu.rates if width != case.computes_in)
    title = f"{Y.title} in {case.computes_in}, dotted: {others}" if stage.narrow else Y.title
    yield stage.text("y-title", 0, box.y - stage.pick(8, 12), title, "note")


@cache
def rail_of(stage: Stage, gpu: str, pair: str) -> list[Point]:
    """The rate of a pair for every batch."""
    return [stage.at(case_of(gpu, pair, batch)) for batch in BATCHES]


@cache
def roof(stage: Stage, gpu: str, pair: str) -> list[Point]:
    """The same as a curve: on these axes nearly straight up to the corner where arithmetic takes over."""
    one, rail = case_of(gpu, pair, 1), rail_of(stage, gpu, pair)
    rising = [place for place, batch in zip(rail, BATCHES, strict=True) if batch < one.knee][::4]
    return [*rising, (stage.x(one.knee), stage.y(one.peak)), rail[-1]]


def _roofs(stage: Stage, case: Case) -> Iterator[Mark]:
    """A curve for each pair, the chosen one on top; the rates that they end at are named where there is room."""
    for name in PAIRS:
        if name != case.pair.name:
            yield stage.path(f"roof-{name}", roof(stage, case.gpu.name, name), "ghost")
    # Another mark than its ghost, which is painted under others: variants that differ in that can't share a file.
    yield stage.path(f"chosen-{case.pair.name}", roof(stage, case.gpu.name, case.pair.name), "work thick modelled")
    for width in stage.pick([], list(case.gpu.rates)):
        y = stage.y(case.gpu.rates[width]) - 5
        yield stage.text(f"peak-{width}", stage.plot.right - 18, y, f"{width} products", "note", anchor="end")


def _measured(stage: Stage, case: Case) -> Iterator[Mark]:
    """What a library reached in this format; its name stands where the roof is still low, and before the axis' own."""
    seen = dots(case)
    yield from rings(stage, Plot(stage, stage.plot, X, Y), "measured", seen)
    if seen:
        base = stage.plot.bottom + 8 + 2 * stage.size
        yield stage.text("measured-words", 0, base, f"○ measured on an {case.gpu.name}", "note measured")


def _dot(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The batch, which is dragged along the chosen curve; while the scene plays, it comes from a batch of 1."""
    case, rail = moment.result, rail_of(stage, moment.result.gpu.name, moment.result.pair.name)
    here = BATCHES.index(case.batch)
    if moment.past("speed") == 1:
        yield stage.line("down", rail[here][0], rail[here][1], rail[here][0], stage.plot.bottom, "hot dashed")
        yield stage.knob("batch", *rail[here], "batch", rail, label="Rows of X")
    elif moment.phase == "speed":
        x, y = rail[round(here * moment.past("speed"))]
        yield stage.circle("probe", x, y, stage.pick(5, 6), "hot steady")


def _times(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """For each pair the time to move the bytes and the time to multiply, on one scale; each row is a button."""
    case, box, bar = moment.result, stage.rows, stage.bar
    longest = max(max(one.memory_time, one.arithmetic_time) for one in case.rivals)
    moved, multiplied = moment.past("bytes"), moment.past("products")
    x = box.x + bar.x
    yield stage.text("move-head", x, box.y - 6, "move", "memory")
    yield stage.text("multiply-head", x + stage.text_width("move") + 10, box.y - 6, "multiply", "work")
    yield stage.text("error-head", box.right, box.y - 6, "error", "note", anchor="end")
    for one, row in zip(case.rivals, box.rows(len(case.rivals)), strict=True):
        name, chosen, middle = one.pair.name, one.pair == case.pair, row.y + row.height / 2
        told = f"{name}: move {seconds(one.memory_time)}, multiply {seconds(one.arithmetic_time)}"
        yield stage.rect(f"row-{name}", row.inset(top=1, bottom=1), "cell soft", round=1, set={"pair": name},
                         label=f"show {name}", read=told)  # fmt: skip
        yield stage.text(f"name-{name}", box.x + 4, middle, name, "label strong" if chosen else "label", middle=True)
        soft = "" if chosen else " soft"
        pieces = (("move", one.memory_time, moved, "memory", middle - bar.height - 1),
                  ("multiply", one.arithmetic_time, multiplied, "work", middle + 1))  # fmt: skip
        for key, value, grown, role, top in pieces:
            length = max(bar.width * grown * value / longest, 0.5)
            yield stage.rect(f"{key}-{name}", Box(x, top, length, bar.height), role + soft, round=0)
        if multiplied == 1:
            words = seconds(one.time)
            yield stage.text(f"time-{name}", x + bar.width + 6, middle, words, "value", middle=True)
            yield stage.text(
                f"error-{name}", box.right - 3, middle, lost(one.error), "dropped", anchor="end", middle=True
            )


def _answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How long each of the two takes, and at last what comes of it."""
    case, (x, y) = moment.result, stage.answer
    amount, first, second = {
        "bytes": (seconds(case.memory_time), "to move", quantity(case.bytes, "B")),
        "products": (seconds(case.arithmetic_time), "to multiply,", f"in {case.computes_in}"),
        "speed": (times(case.speedup), "as fast as W16A16,", f"batch {significant(case.batch)}: {rate(case.rate)}"),
    }[moment.phase]
    if moment.progress < 1:
        return
    yield from headline(stage, x, y, amount, (first, second))
