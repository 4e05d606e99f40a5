"""The ladder: a bar for what each rung was expected to do, and a ring for what it did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loom.draw import Axis, Box, Mark, Pen, plain
from loom.scene import Moment

from .model import Ladder, Speed
from .rungs import RUNGS

SPEEDS = Axis("speed", "TFLOP/s", (0.2, 1300), log=True)
TICKS = (1, 10, 100, 1000)
COLUMNS = {
    "model": (715, "modelled"),
    "measured": (815, "measured"),
}  # right ends of the numbers


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: rows from `top` on, and the scale from `left` to `right`."""

    top: float
    pitch: float
    left: float
    right: float
    rail: float  # where the knob runs, beside the names

    def row(self, place: int) -> Box:
        return Box(self.rail + 16, self.top + place * self.pitch, self.right - self.rail - 16, self.pitch)

    def x(self, speed: float) -> float:
        return self.left + SPEEDS.share(speed) * (self.right - self.left)


NARROW = Stage(328, top=58, pitch=18, left=158, right=312, rail=12)
WIDE = Stage(840, top=57, pitch=17.5, left=210, right=620, rail=14)


def shown(speed: float) -> str:
    """A speed with three digits."""
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:#.3g}"


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    ladder: Ladder = moment.result
    yield from draw_answer(stage, ladder)
    yield from draw_scale(stage)
    for place, speed in enumerate(ladder.speeds):
        yield from draw_rung(stage, stage.row(place), speed, speed is ladder.chosen, moment.phase == "measured")
    rail = [(stage.rail, stage.row(place).y + stage.pitch / 2) for place in range(len(RUNGS))]
    yield stage.line("rail", *rail[0], *rail[-1], "axis thin")
    yield stage.knob("rung", *rail[ladder.speeds.index(ladder.chosen)], "rung", rail, "which kernel")


def draw_answer(stage: Stage, ladder: Ladder) -> Iterator[Mark]:
    """How far the ladder leads."""
    words = f"{ladder.times:,.0f}×"
    yield stage.text("answer", 0, stage.huge * 0.85, words, "work strong answer", size=stage.huge)
    x, y = stage.room(words, size=stage.huge, strong=True) + 10, stage.huge * 0.85
    lines = stage.pick(("from the first kernel", "to the library"), (f"from the first kernel to the library, on an "
                       f"{ladder.part}",))  # fmt: skip
    for at, line in enumerate(lines):
        yield stage.text(f"answer-{at}", x, y - (len(lines) - 1 - at) * 1.15 * stage.size, line, "label answer")
    yield stage.text("unit", stage.right, stage.top - 6, "TFLOP/s", "note", anchor="end")
    if not stage.narrow:
        for name, (end, manner) in COLUMNS.items():
            yield stage.text(f"head-{name}", end, stage.top - 6, name, f"note {manner}", anchor="end")


def draw_scale(stage: Stage) -> Iterator[Mark]:
    """Tenfold steps."""
    bottom = stage.row(len(RUNGS)).y
    for tick in TICKS:
        x = stage.x(tick)
        yield stage.line(f"tick-{tick}", x, stage.top, x, bottom + 3, "grid")
        yield stage.text(f"tick-{tick}-words", x, bottom + 5 + stage.size, plain(tick), "note", anchor="middle")


def draw_rung(stage: Stage, row: Box, one: Speed, chosen: bool, measured: bool) -> Iterator[Mark]:
    """A rung: its name, a bar as long as it was expected to be fast, and a ring where it came out."""
    name, y, end = one.rung.id, row.y + row.height / 2, stage.x(one.predicted)
    told = f"{one.rung.name}: expected {shown(one.predicted)}, measured {shown(one.measured)} TFLOP/s"
    bar = Box(stage.left, row.y + 4, end - stage.left, row.height - 8)
    yield stage.text(f"name-{name}", row.x, y, one.rung.name, "hot strong" if chosen else "label", middle=True)
    yield stage.rect(f"model-{name}", bar, "data soft modelled", round=1)
    if measured:
        x = stage.x(one.measured)
        role = "dropped measured" if one.ratio < 1 else "work measured"
        yield stage.line(f"gap-{name}", end, y, x, y, role)
        yield stage.circle(f"ring-{name}", x, y, stage.pick(4, 4.5), "axis measured", read=told)
    if not stage.narrow:
        for head, speed, tone in (("model", one.predicted, ""), ("measured", one.measured, " strong"))[: 1 + measured]:
            end, manner = COLUMNS[head]
            yield stage.text(f"{head}-{name}-words", end, y, shown(speed), f"value{tone} {manner}", anchor="end",
                             middle=True)  # fmt: skip
