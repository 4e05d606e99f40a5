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
LEVELS = (("peak", "peak", PEAK, "axis dashed"), ("cublas", "cuBLAS", CUBLAS, "axis"))


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: rows of `pitch`, bars in `box`, and the right ends of the columns of numbers."""

    axis: Axis
    box: Box
    pitch: float
    bar: tuple[float, float]  # where a bar begins in its row, and how tall it is
    words: float  # the middle of a row's words
    columns: tuple[float, float]  # the right ends of speeds and of factors

    def x(self, speed: float) -> float:
        return self.box.x + self.axis.share(speed) * self.box.width

    def between(self, row: int, start: float, end: float) -> Box:
        """From one place to another in the bar of a row."""
        down, tall = self.bar
        return Box(start, self.box.y + row * self.pitch + down, end - start, tall)


def stage_of(width: float, scale: str) -> Stage:
    count, axis = len(RUNGS), AXES[scale]
    return Pen(width).pick(
        Stage(width, axis, Box(6, 44, 318, 43 * count), 43, (17, 18), 8, (196, 248)),
        Stage(width, axis, Box(334, 50, 498, 39 * count), 39, (6, 24), 18, (244, 314)),
    )


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, closing = stage_of(width, moment.result), moment.phase == "end"
    climbed = len(RUNGS) if closing else moment.at
    now = -1 if closing else climbed - 1
    yield from draw_axis(stage)
    for index in range(climbed):
        yield from draw_bar(stage, index, index == now)
    if closing:
        yield from draw_rest(stage)
    yield from draw_levels(stage)
    (speed, factor), y = stage.columns, stage.pick(3 + 0.8 * stage.size, stage.box.y - 8)
    yield stage.text("speed-head", speed, y, "published, TFLOP/s", "note", anchor="end")
    yield stage.text("factor-head", factor, y, "of peak" if closing else "factor", "note", anchor="end")
    for index in range(len(RUNGS)):
        yield from draw_words(stage, index, index == now, index < climbed, closing)


def draw_axis(stage: Stage) -> Iterator[Mark]:
    box, size = stage.box, stage.size
    for tick in stage.axis.marks():
        x = stage.x(tick)
        yield stage.line(f"grid-{tick:g}", x, box.y, x, box.bottom, "grid")
        yield stage.text(f"tick-{tick:g}", x, box.bottom + 5 + size, plain(tick), "note", anchor="middle")
    yield stage.line("floor", box.x, box.bottom, box.right, box.bottom, "axis")
    yield stage.text("axis", box.right, box.bottom + 9 + 2 * size, stage.axis.title, "note", anchor="end")


def draw_bar(stage: Stage, index: int, now: bool) -> Iterator[Mark]:
    """What the rungs before had reached, and what this one adds: on a logarithmic axis, its factor."""
    start, end = stage.x(RUNGS[index - 1].speed) if index else stage.box.x, stage.x(RUNGS[index].speed)
    if index:
        yield stage.rect(f"base-{index}", stage.between(index, stage.box.x, start), "cell", round=0)
    bought = index > 0 or not stage.axis.log  # a logarithmic axis has no zero to begin from
    role = "hot" if now else "kept" if bought else "cell"
    yield stage.rect(f"gain-{index}", stage.between(index, start, end), role, round=0)


def draw_rest(stage: Stage) -> Iterator[Mark]:
    """What the last rung leaves of the peak."""
    speed = RUNGS[-1].speed
    rest, words = stage.between(len(RUNGS) - 1, stage.x(speed), stage.x(PEAK)), f"{100 - share(speed, PEAK):.1f} % left"
    yield stage.rect("rest", rest, "dropped outline", round=0)
    if stage.room(words) + 6 <= rest.width:
        x, y = rest.x + rest.width / 2, rest.y + rest.height / 2
        yield stage.text("rest-label", x, y, words, anchor="middle", middle=True)


def draw_levels(stage: Stage) -> Iterator[Mark]:
    """Speeds to compare with, as lines through all rows, their names on their tops."""
    for line, (key, name, speed, role) in enumerate(LEVELS):
        x, top = stage.x(speed), 3 + line * 1.45 * stage.size
        yield stage.line(key, x, top, x, stage.box.bottom, role)
        yield stage.text(f"{key}-label", x - 5, top + 0.8 * stage.size, f"{name} {speed:,.0f}", anchor="end")


def draw_words(stage: Stage, index: int, now: bool, reached: bool, closing: bool) -> Iterator[Mark]:
    """The rung's name, its speed, and its factor over the rung before; at the end its share of the peak."""
    rung, (speed, factor), y = RUNGS[index], stage.columns, stage.box.y + index * stage.pitch + stage.words
    role = "label strong" if now else "label" if reached else "note"
    yield stage.text(f"name-{index}", stage.pick(stage.box.x, 0), y, rung.name, role, middle=True)
    if reached:
        yield stage.text(f"speed-{index}", speed, y, rung.shown, "value", anchor="end", middle=True)
    if reached and (index or closing):
        words, role = f"{share(rung.speed, PEAK):.1f} %" if closing else f"× {times(index)}", "note"
        if now:
            role = "hot strong"
        yield stage.text(f"factor-{index}", factor, y, words, role, anchor="end", middle=True)
