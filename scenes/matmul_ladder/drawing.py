"""The ladder as stairs: each rung is as high as its factor; beside them all factors stand on each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Mark, Pen, headline, significant, wrap
from loom.scene import Moment

from .machine import draw_machine
from .model import CUBLAS, PEAK, RUNGS, Climb
from .narration import so_far, times
from .turns import draw_turns

TICKS = (10, 100, 1000)
FLOOR = 3.0  # [TFLOP/s] where the axis begins
LEVELS = (("peak", "peak", PEAK), ("cublas", "cuBLAS", CUBLAS))


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. Speeds go up where there is room and to the right on a phone; rungs go across."""

    axis = Axis("speed", "TFLOP/s", (FLOOR, PEAK), log=True)

    @cached_property
    def plot(self) -> Box:
        return self.pick(Box(128, 170, 132, 144), Box(44, 20, 588, 132))

    @cached_property
    def steps(self) -> list[Box]:
        """Where each rung stands: a column, or on a phone a row, beside the rung's name."""
        if self.narrow:
            return [row.inset(top=3, bottom=3) for row in self.plot.rows(len(RUNGS))]
        return [column.inset(left=5, right=5) for column in self.plot.columns(len(RUNGS))]

    def at(self, speed: float) -> float:
        """A speed's place: its distance from the left on a phone, or else its height."""
        box, along = self.plot, self.axis.normalize(speed)
        return box.x + along * box.width if self.narrow else box.bottom - along * box.height

    def stair(self, rung: int, low: float, high: float) -> Box:
        """The part of a rung's step, counted from 1, that lies between two speeds."""
        (x, y, width, height), start, end = self.steps[rung - 1], self.at(low), self.at(high)
        return Box(start, y, end - start, height) if self.narrow else Box(x, end, width, start - end)

    def pile(self, low: float, high: float) -> Box:
        """The part of the pile of all factors that lies between two speeds: beside the stairs, or below them."""
        start, end = self.at(low), self.at(high)
        thick = max(abs(end - start) - 1, 0.5)  # the next begins after a gap
        if self.narrow:
            return Box(start, self.plot.bottom + 5, thick, 12)
        return Box(self.plot.right + 14, start - thick, 20, thick)

    def hold(self, rung: int) -> tuple[float, float]:
        """A handle's place on a rung: on top of its step, or on a phone where its row begins.

        There the places stand below each other, so that a finger that goes down takes the handle along, not the page.
        """
        x, y, width, height = self.steps[rung - 1]
        return (x + 8, y + height / 2) if self.narrow else (x + width / 2, self.at(RUNGS[rung - 1].speed))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, climb, now = Stage(width), moment.result, moment.at
    swept = moment.beat == moment.beats - 1
    landed = now if moment.beat or swept else max(now - 1, climb.base)
    yield from draw_axis(stage)
    for rung in range(1, len(RUNGS) + 1):
        yield from draw_step(stage, climb, rung, now)
    yield from draw_pile(stage, climb, now, landed)
    for rung in range(1, len(RUNGS) + 1):  # on top of the line where the climb began
        yield from draw_words(stage, climb, rung, landed)
    yield from draw_answer(stage, climb, landed)
    rungs = [rung for rung in (now - 1, now) if rung >= climb.base]
    yield from draw_turns(stage, rungs, now - (not swept), -1 if swept else 1 - moment.beat)
    rail = [stage.hold(rung) for rung in range(1, len(RUNGS))]
    yield stage.knob("base", *rail[climb.base - 1], "base", rail, "where the climb begins")


def draw_axis(stage: Stage) -> Iterator[Mark]:
    """What the speeds are measured by, and two to compare with: the library's, and the listed peak."""
    box, narrow = stage.plot, stage.narrow
    places = [stage.at(tick) for tick in TICKS]
    lines = [[(at, box.y), (at, box.bottom)] if narrow else [(box.x, at), (box.right, at)] for at in places]
    yield stage.strokes("ticks", lines, "grid")
    for tick, at in zip(TICKS, places, strict=True):
        x, y = (at, box.bottom + stage.size + 19) if narrow else (box.x - 8, at)
        yield stage.text(f"tick-{tick}", x, y, significant(tick), "note", anchor=stage.pick("middle", "end"),
                         middle=not narrow)  # fmt: skip
    if narrow:
        yield stage.text("unit", stage.width, box.bottom + stage.size + 19, "TFLOP/s", "note", anchor="end")
    for row, (key, name, speed) in enumerate(LEVELS):
        at, words = stage.at(speed), f"{name} {speed:,.0f}"
        if narrow:
            x, anchor = (at - 4, "end") if row else (at + 4, "start")  # like flags, on either side of both
            yield stage.line(key, at, box.y - 16, at, box.bottom, "data thin")
            yield stage.text(f"{key}-words", x, box.y - 7, words, anchor=anchor)
        else:
            yield stage.line(key, box.x, at, box.right, at, "data thin")
            words += "" if row else " TFLOP/s"
            yield stage.text(f"{key}-words", box.x, at + (stage.size if row else -5), words, "label halo")


def draw_step(stage: Stage, climb: Climb, rung: int, now: int) -> Iterator[Mark]:
    """What a rung adds to the one before, on top of what was there; the next one is ready to grow."""
    one, first = RUNGS[rung - 1], rung == climb.base
    if not climb.base <= rung <= now:
        yield stage.rect(f"ahead-{rung}", stage.stair(rung, FLOOR, one.speed), "ghost", round=0)
    if not climb.base <= rung <= now + 1:
        return
    before = one.speed if first else RUNGS[rung - 2].speed
    told = f"{one.name}: {one.shown} TFLOP/s"
    if rung <= now:  # what the first one adds has no height, and could not be pointed at
        under = stage.stair(rung, FLOOR, before)
        yield stage.rect(f"under-{rung}", under, "cell", round=0, read=told if first else "")
    gain = stage.stair(rung, before, before if rung > now else one.speed)
    role = "quiet" if first else "hot" if rung >= now else "work"
    yield stage.rect(f"gain-{rung}", gain, role, round=0, read=told if rung <= now and not first else "")


def draw_words(stage: Stage, climb: Climb, rung: int, landed: int) -> Iterator[Mark]:
    """A rung's name; once it is reached its speed, and its factor over the one before."""
    one, (x, y, width, height) = RUNGS[rung - 1], stage.steps[rung - 1]
    reached, now = climb.base <= rung <= landed, rung == landed
    role, strong = "label" if reached else "note", " strong" if now else ""
    middle, foot = x + width / 2, stage.plot.bottom + stage.size + 4
    if stage.narrow:
        yield stage.text(f"name-{rung}", 0, y + height / 2, one.name, role + strong, middle=True)
    else:
        for row, words in enumerate(wrap(one.name, stage.size, width + 2)):
            key = f"name-{rung}" + (f"-{row}" if row else "")
            yield stage.text(key, middle, foot + (row + 1) * 18, words, role + strong, anchor="middle")
    if not reached:
        return
    if not stage.narrow:
        yield stage.text(f"speed-{rung}", middle, foot, one.shown, f"value{strong}", anchor="middle")
    if rung > climb.base:
        size, role = (stage.large, "hot strong halo") if now else (stage.size, "work strong halo")
        over, under = stage.at(one.speed) - 7, stage.at(RUNGS[rung - 2].speed) + size + 2
        free = stage.at(one.speed) > stage.at(CUBLAS) + stage.large + 7  # of the lines above
        place = (stage.width, y + height / 2 + 4) if stage.narrow else (middle, over if free else under)
        anchor = stage.pick("end", "middle")
        yield stage.text(f"factor-{rung}", *place, f"×{times(rung - 1)}", role, anchor=anchor, size=size)


def draw_pile(stage: Stage, climb: Climb, now: int, landed: int) -> Iterator[Mark]:
    """All factors on each other, from where the climb began: a rung's gain goes there as its numbers are told."""
    base = RUNGS[climb.base - 1]
    whole = stage.pile(base.speed, RUNGS[-1].speed)
    if landed < len(RUNGS):
        yield stage.rect("pile", stage.pile(RUNGS[landed - 1].speed, RUNGS[-1].speed), "ghost", round=0)
    x, y = stage.pick((0, whole.y + whole.height / 2), (whole.x + whole.width / 2, stage.plot.bottom + stage.size + 4))
    yield stage.text("whole", x, y, "all", anchor=stage.pick("start", "middle"), middle=stage.narrow)
    level = [(whole.x, whole.bottom), (stage.steps[climb.base - 1].right, whole.bottom)]
    if not stage.narrow:
        yield stage.path("level", level, "hot thin dashed")
    for rung in range(climb.base + 1, now + 1):
        before, one = RUNGS[rung - 2].speed, RUNGS[rung - 1]
        box = stage.pile(before, one.speed) if rung <= landed else stage.stair(rung, before, one.speed)
        told = f"{one.name}: ×{times(rung - 1)}, {so_far(climb, rung)}× from {base.name}"
        yield stage.rect(f"pile-{rung}", box, "hot" if rung == now else "work", round=0,
                         read=told if rung <= landed else "")  # fmt: skip


def draw_answer(stage: Stage, climb: Climb, landed: int) -> Iterator[Mark]:
    """How far the climb has come, and what the last rung changed; on a phone also its speed: rows have no room."""
    one, base = RUNGS[landed - 1], RUNGS[climb.base - 1]
    x, y = stage.pick((0, 28), (stage.plot.right + 50, 42))
    than = f"as fast as {base.name}"
    yield from headline(stage, x, y, f"{so_far(climb, landed)}×", than, under=not stage.narrow,
                        right=stage.pick(236, stage.width - 6))  # fmt: skip
    if stage.narrow:
        yield stage.text("speed", stage.width, y, f"{one.shown} TFLOP/s", "value strong", anchor="end")
    else:
        yield from draw_machine(stage, landed, x, y + 50)
