"""The ladder: a rung as long as each kernel's limit allows, and a runner that goes along it until it is held up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from loom.draw import Axis, Box, Mark, Pen, headline, memoized, number, significant
from loom.scene import Moment

from .climb import View, view
from .model import Ladder, Speed
from .rungs import RUNGS, UNKNOWN

SPEEDS = Axis("speed", "TFLOP/s", (0.2, 1400), log=True)
TICKS = (1, 10, 100, 1000)
THICK = 4  # a rung


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: rungs from `foot` up, and the scale from `left` to `right`."""

    foot: float
    pitch: float
    left: float
    right: float
    stile: float  # where rungs begin, and the knob runs
    words: float  # how far above its rung the middle of what is written beside it

    def y(self, place: int) -> float:
        return self.foot - place * self.pitch

    def x(self, speed: float) -> float:
        return self.left + (SPEEDS.normalize(speed) if speed else 0.0) * (self.right - self.left)

    def rung(self, place: int, speed: float) -> Box:
        """As much of a rung as a speed comes to."""
        return Box(self.stile, self.y(place) - THICK / 2, self.x(speed) - self.stile, THICK)


NARROW = Stage(328, foot=278, pitch=18.5, left=126, right=284, stile=12, words=8.5)
WIDE = Stage(840, foot=300, pitch=19.5, left=164, right=706, stile=14, words=9)


def shown(speed: float) -> str:
    """A speed with three digits."""
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:#.3g}"


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    ladder: Ladder = moment.result
    now, climbs = view(moment), moment.phase == "measured"
    yield from draw_scale(stage)
    for place, one in enumerate(ladder.speeds):
        chosen = one is ladder.chosen
        yield stage.text(f"name-{one.rung.id}", stage.stile + 18, stage.y(place) - stage.words, one.rung.name,
                         "hot strong" if chosen else "label", middle=True, size=stage.smallest)  # fmt: skip
        if place < now.standing:
            yield stage.rect(f"model-{one.rung.id}", stage.rung(place, one.predicted), "data soft modelled", round=0)
        came = one.measured if place < now.done else now.speed
        on_it = climbs and place <= max(now.place, now.done - 1)
        y, end = stage.y(place), stage.x(came) if on_it else stage.stile  # always there: what is new lags behind
        yield stage.line(f"came-{one.rung.id}", stage.stile, y, end, y, f"work thick steady{' measured' * climbs}")
        if place < now.done:
            yield from draw_held(stage, place, one)
    yield from draw_limits(stage, ladder, now.standing)
    if now.told >= 0:
        yield from draw_answer(stage, ladder, now)
    yield draw_now(stage, now, climbs)
    rail = [(stage.stile, stage.y(place)) for place in range(len(RUNGS))]
    yield stage.line("stile", *rail[0], *rail[-1], "axis")
    yield stage.knob("rung", *rail[ladder.speeds.index(ladder.chosen)], "rung", rail, "which kernel")


@memoized
def draw_scale(stage: Stage) -> Iterator[Mark]:
    """Tenfold steps of speed."""
    top, foot = stage.y(len(RUNGS) - 1) - stage.pitch / 2, stage.foot + stage.pitch / 2
    for tick in TICKS:
        x = stage.x(tick)
        yield stage.line(f"tick-{tick}", x, top, x, foot, "grid")
        yield stage.text(f"tick-{tick}-words", x, foot + stage.size, significant(tick), "note", anchor="middle")
    yield stage.text("unit", stage.left - 6, foot + stage.size, "TFLOP/s", "note", anchor="end")


def draw_held(stage: Stage, place: int, one: Speed) -> Iterator[Mark]:
    """Where a kernel came out, what was missing from there to its limit, and what it was held up by if not by that."""
    name, x, y, end = one.rung.id, stage.x(one.measured), stage.y(place), stage.x(one.predicted)
    told = f"{one.rung.name}: expected {shown(one.predicted)}, measured {shown(one.measured)} TFLOP/s, "
    told += f"{shown(1e3 * one.takes)} ms for a product"
    if x < end:
        yield stage.line(f"gap-{name}", x, y, end, y, "dropped thick measured")
    yield stage.circle(f"ring-{name}", x, y, 4, "axis measured", read=told)
    if stage.narrow:
        return
    texts = [(f"measured-{name}", shown(one.measured), "value strong measured")]
    if one.short:
        role = "note" if one.held_by == UNKNOWN else "dropped"
        texts.append((f"held-{name}", one.held_by, f"{role} measured"))
    right = x - 12
    for key, words, role in texts:
        yield stage.text(key, right, y - stage.words, words, role, anchor="end", middle=True, size=stage.smallest)
        right -= stage.text_width(words, size=stage.smallest, strong=True) + 8


def draw_answer(stage: Stage, ladder: Ladder, now: View) -> Iterator[Mark]:
    """What is expected of a rung, or how much of that came, and what held it up; beside it how far the ladder leads."""
    one, y = ladder.speeds[now.told], stage.huge * 0.85
    words, role = shown(one.predicted), "value"
    rest = stage.pick(("TFLOP/s at most,", "as the model has it"), ("TFLOP/s at most, as the model has it",))
    if now.done:
        words, role = f"{number(100 * one.ratio, 3)}%", "dropped" if one.short else "value"
        lines = (f"of the {shown(one.predicted)} TFLOP/s expected;", f"held up by: {one.held_by}")
        rest = stage.pick(lines, (" ".join(lines),))
    yield from headline(stage, 0, y, words, rest, role, widest=["7.42%"])
    if now.done and now.rests and not stage.narrow:
        times = f"{ladder.times:,.0f}× from {RUNGS[0].name} to {RUNGS[-1].name}"
        yield stage.text("times", stage.width - 2, y, times, "label measured", anchor="end")


def draw_limits(stage: Stage, ladder: Ladder, standing: int) -> Iterator[Mark]:
    """Behind the rungs, what each of them ends at: once for neighbours that end at the same."""
    for limit, found in groupby(enumerate(ladder.speeds), lambda one: one[1].rung.limit):
        group = list(found)
        foot, top = (stage.y(place) for place in (group[0][0], group[-1][0]))
        if group[-1][0] >= standing:
            return
        x = max(stage.x(max(one.predicted, one.measured)) for _, one in group) + 9
        key = f"limit-{group[0][1].rung.id}"
        if len(group) > 1:
            corners = [(x - 3, top - 5), (x, top - 5), (x, foot + 5), (x - 3, foot + 5)]
            yield stage.path(key, corners, "axis thin modelled")
        words = stage.pick(limit.removesuffix(" peak").removesuffix(" memory"), limit)
        yield stage.text(f"{key}-words", x + 4, (top + foot) / 2 - 3, words, "label modelled halo", middle=True,
                         size=stage.smallest)  # fmt: skip


def draw_now(stage: Stage, now: View, climbs: bool) -> Mark:
    """The limit on its way to its rung, then the runner."""
    x, y = stage.x(now.speed), stage.y(now.place)
    if climbs:
        return stage.circle("runner", x, y, 6, "hot steady")
    return stage.line("limit", x, y - 8, x, y + 8, "hot thick steady")
