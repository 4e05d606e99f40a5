"""The ladder: a bar for each kernel, the part that it added set apart, and lines for cuBLAS and the peak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loom.draw import Axis, Box, Mark, Pen, plain
from loom.scene import Moment

from .model import CUBLAS, PEAK, RUNGS, share
from .narration import times

AXES = {
    "linear": Axis("speed", "TFLOP/s", (0, PEAK), ticks=(0, 500, 1000, 1500, 2000)),
    "log": Axis("speed, in equal factors", "TFLOP/s", (1, PEAK), log=True, ticks=(1, 10, 100, 1000)),
}


@dataclass(frozen=True)
class Stage:
    """Where things stand: bars in `box`, and the right ends of the columns of numbers."""

    pen: Pen
    axis: Axis
    box: Box
    bar: tuple[float, float]  # where a bar begins in its row, and how tall it is
    words: float  # the middle of a row's words
    columns: tuple[float, float]  # the right ends of speeds and of factors

    def x(self, speed: float) -> float:
        return self.box.x + self.axis.share(speed) * self.box.width

    def row(self, index: int) -> float:
        return self.box.y + index * self.box.height / len(RUNGS)

    def bar_from(self, index: int, low: float, high: float) -> Box:
        """A part of a rung's bar, between two speeds."""
        (down, tall), left = self.bar, self.x(low)
        return Box(left, self.row(index) + down, self.x(high) - left, tall)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, closing = Pen(width), moment.phase == "end"
    climbed, newest = (len(RUNGS), -1) if closing else (moment.at + 1, moment.at)
    stage = Stage(pen, AXES[moment.result], *pen.pick(
        (Box(6, 44, 318, 43 * len(RUNGS)), (17, 18), 8, (196, 248)),
        (Box(334, 50, 498, 39 * len(RUNGS)), (6, 24), 18, (244, 314)),
    ))  # fmt: skip
    yield from _axis(stage)
    for index in range(climbed):
        yield from _bar(stage, index, index == newest)
    if closing:
        yield from _rest(stage)
    for line, (key, speed, name, role) in enumerate((("peak", PEAK, "peak", "axis dashed"),
                                                     ("cublas", CUBLAS, "cuBLAS", "axis"))):  # fmt: skip
        x, top = stage.x(speed), 3 + line * 1.45 * pen.size
        yield pen.line(key, x, top, x, stage.box.bottom, role)
        yield pen.text(f"{key}-label", x - 5, top + 0.8 * pen.size, f"{name} {speed:,.0f}", "label", anchor="end")
    heads, y = ("published, TFLOP/s", "of peak" if closing else "factor"), pen.pick(3 + 0.8 * pen.size, 42)
    for key, x, words in zip(("speed", "factor"), stage.columns, heads, strict=True):
        yield pen.text(f"{key}-head", x, y, words, "note", anchor="end")
    for index in range(len(RUNGS)):
        yield from _words(stage, index, index == newest, index < climbed, closing)


def _axis(stage: Stage) -> Iterator[Mark]:
    pen, box = stage.pen, stage.box
    for tick in stage.axis.marks():
        x = stage.x(tick)
        yield pen.line(f"grid-{tick:g}", x, box.y, x, box.bottom, "grid")
        yield pen.text(f"tick-{tick:g}", x, box.bottom + 5 + pen.size, plain(tick), "note", anchor="middle")
    yield pen.line("floor", box.x, box.bottom, box.right, box.bottom)
    yield pen.text("axis", box.right, box.bottom + 9 + 2 * pen.size, stage.axis.title, "note", anchor="end")


def _bar(stage: Stage, index: int, now: bool) -> Iterator[Mark]:
    """What the rungs before had reached, and what this one adds: on a logarithmic axis, its factor."""
    low, zero = RUNGS[index - 1].speed if index else 0.0, stage.axis.span[0]
    if index:
        yield stage.pen.rect(f"base-{index}", stage.bar_from(index, zero, low), round=0)
    bought = index > 0 or not stage.axis.log  # a logarithmic axis has no zero to begin from
    role = "hot" if now else "kept" if bought else "cell"
    yield stage.pen.rect(f"gain-{index}", stage.bar_from(index, low or zero, RUNGS[index].speed), role, round=0)


def _rest(stage: Stage) -> Iterator[Mark]:
    """What the last rung leaves of the peak."""
    pen, speed = stage.pen, RUNGS[-1].speed
    rest, words = stage.bar_from(len(RUNGS) - 1, speed, PEAK), f"{100 - share(speed, PEAK):.1f} % left"
    yield pen.rect("rest", rest, "dropped outline", round=0)
    if pen.room(words) + 6 <= rest.width:
        x, y = rest.x + rest.width / 2, rest.y + rest.height / 2
        yield pen.text("rest-label", x, y, words, "label", anchor="middle", middle=True)


def _words(stage: Stage, index: int, now: bool, reached: bool, closing: bool) -> Iterator[Mark]:
    """The rung's name, its speed, and its factor over the rung before; at the end its share of the peak."""
    pen, rung, (speed, factor) = stage.pen, RUNGS[index], stage.columns
    y, role = stage.row(index) + stage.words, "label strong" if now else "label" if reached else "note"
    yield pen.text(f"name-{index}", pen.pick(stage.box.x, 0), y, rung.name, role, middle=True)
    if not reached:
        return
    yield pen.text(f"speed-{index}", speed, y, rung.shown, "value", anchor="end", middle=True)
    words = f"{share(rung.speed, PEAK):.1f} %" if closing else f"× {times(index)}" if index else ""
    if words:
        yield pen.text(f"factor-{index}", factor, y, words, "hot strong" if now else "note", anchor="end", middle=True)
