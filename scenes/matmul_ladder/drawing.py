"""The ladder: one bar that climbs from rung to rung, past the library and towards the peak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Mark, Pen, number, plain, spread
from loom.scene import Moment

from .model import CUBLAS, PEAK, RUNGS, Climb, share, two_digits
from .narration import times

TICKS = (0, 500, 1000, 1500)
LEVELS = (("cublas", "cuBLAS", CUBLAS), ("peak", "peak", PEAK))


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: the bar, and the rungs' words beside it."""

    axis = Axis("speed", "TFLOP/s", (0, PEAK))

    @cached_property
    def bar(self) -> Box:
        return self.pick(Box(48, 58, 34, 236), Box(112, 14, 84, 280))

    @cached_property
    def words(self) -> float:
        """Where the words of the rungs begin."""
        return self.pick(126, 268)

    @property
    def columns(self) -> tuple[float, float]:
        """The right ends of the speeds and of the factors."""
        return self.pick((290, 328), (500, 572))

    def y(self, speed: float) -> float:
        return self.bar.bottom - self.axis.share(speed) * self.bar.height

    @cached_property
    def rows(self) -> list[float]:
        """The heights of the rungs' words: near their speeds, and apart."""
        wanted = [self.y(rung.speed) for rung in RUNGS]
        return spread(wanted, self.pick(24, 27), self.bar.y + 8, self.bar.bottom - 4)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, climb = Stage(width), moment.result
    landed = moment.at if moment.beat == moment.beats - 1 else max(moment.at - 1, climb.base)
    yield from draw_axis(stage)
    yield from draw_bar(stage, climb, moment.at, landed)
    for rung in range(1, len(RUNGS) + 1):
        yield from draw_rung(stage, climb, rung, landed)
    yield from draw_levels(stage)
    yield from draw_answer(stage, climb, landed)
    x = stage.words - stage.pick(18, 22)
    rail = [(x, y) for y in stage.rows[:-1]]
    yield stage.knob("base", *rail[climb.base - 1], "base", rail, "where the climb begins")


def draw_axis(stage: Stage) -> Iterator[Mark]:
    """What the speeds are measured by, as far as the library."""
    for tick in TICKS:
        y = stage.y(tick)
        yield stage.line(f"tick-{tick}", stage.bar.x - 5, y, stage.bar.x, y, "axis")
        yield stage.text(f"tick-{tick}-words", stage.bar.x - 8, y, plain(tick), "note", anchor="end", middle=True)


def draw_bar(stage: Stage, climb: Climb, now: int, landed: int) -> Iterator[Mark]:
    """The speed so far, the room up to the peak, and what the newest rung has added."""
    bar, speeds = stage.bar, [0.0, *(rung.speed for rung in RUNGS)]
    yield stage.rect("room", bar, "cell")
    yield stage.rect("speed", stretch(stage, 0, speeds[now]), "work soft", round=0)
    for rung in range(climb.base, landed + 1):
        low, high = (speeds[rung - 1], speeds[rung]) if rung > climb.base else (0.0, speeds[rung])
        role = "hot" if rung == landed and rung > climb.base else "quiet" if rung == climb.base else "work outline"
        told = f"{RUNGS[rung - 1].name}: {RUNGS[rung - 1].shown} TFLOP/s"
        yield stage.rect(f"gain-{rung}", stretch(stage, low, high), role, round=0, read=told)


def stretch(stage: Stage, low: float, high: float) -> Box:
    top = stage.y(high)
    return Box(stage.bar.x, top, stage.bar.width, stage.y(low) - top)


def draw_levels(stage: Stage) -> Iterator[Mark]:
    """Speeds to compare with, as lines across the bar."""
    bar = stage.bar
    for key, name, speed in LEVELS:
        y, words = stage.y(speed), stage.pick((name,), (f"{name} {speed:,.0f}",))[0]
        yield stage.line(key, bar.x - 5, y, bar.right + 5, y, "data")
        yield stage.text(f"{key}-words", bar.x - 8, y, words, "label", anchor="end", middle=True)


def draw_rung(stage: Stage, climb: Climb, rung: int, landed: int) -> Iterator[Mark]:
    """A rung's name; once it is reached its speed, and its factor over the one before."""
    one, y = RUNGS[rung - 1], stage.rows[rung - 1]
    reached, now = climb.base <= rung <= landed, rung == landed
    role = "label strong" if now else "label" if reached else "note"
    yield stage.text(f"name-{rung}", stage.words, y, one.name, role, middle=True)
    if not reached:
        return
    x, at = stage.words - stage.pick(8, 12), stage.y(one.speed)
    yield stage.path(f"lead-{rung}", [(stage.bar.right, at), (stage.bar.right + 8, at), (x - 8, y), (x, y)],
                     "hot thin" if now else "axis thin")  # fmt: skip
    speed, factor = stage.columns
    yield stage.text(f"speed-{rung}", speed, y, one.shown, "value strong" if now else "value", anchor="end",
                     middle=True)  # fmt: skip
    if rung > climb.base:
        role = "hot strong" if now else "note"
        yield stage.text(f"factor-{rung}", factor, y, f"×{times(rung - 1)}", role, anchor="end", middle=True)


def draw_answer(stage: Stage, climb: Climb, landed: int) -> Iterator[Mark]:
    """How far the climb has come, and how that compares."""
    speed, base = RUNGS[landed - 1].speed, RUNGS[climb.base - 1]
    whole = two_digits(climb.factor(landed))
    words, than = f"{number(whole, 2)}×", f"as fast as {base.name}"
    library, peak = f"{share(speed, CUBLAS):.1f}% of cuBLAS", f"{share(speed, PEAK):.1f}% of the peak"
    if stage.narrow:
        yield stage.text("times", 0, 26, words, "value strong answer", size=stage.huge)
        yield stage.text("than", stage.room(words, size=stage.huge, strong=True) + 6, 14, than, "note")
        yield stage.text("peak-share", stage.room(words, size=stage.huge, strong=True) + 6, 30, peak, "note")
        yield stage.text("unit", stage.columns[0], 48, "TFLOP/s", "note", anchor="end")
        return
    x = 624
    yield stage.text("times", x, 60, words, "value strong answer", size=stage.huge)
    yield stage.text("than", x, 82, "as fast as", "note")
    yield stage.text("than-2", x, 101, base.name, "note")
    yield stage.text("reached", x, 160, f"{RUNGS[landed - 1].shown} TFLOP/s", "value strong", size=stage.large)
    yield stage.text("cublas-share", x, 184, library, "label")
    yield stage.text("peak-share", x, 204, peak, "label")
    yield stage.text("unit", stage.columns[0], 14, "TFLOP/s", "note", anchor="end")
