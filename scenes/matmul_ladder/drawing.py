"""The ladder: a bar for each kernel, the part that it added set apart, and lines for cuBLAS and the peak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loom.draw import Axis, Box, Mark, Pen, plain

from .model import CUBLAS, PEAK, RUNGS, State, share
from .narration import times

AXES = {
    "linear": Axis("speed", "TFLOP/s", (0, PEAK), ticks=(0, 500, 1000, 1500, 2000)),
    "log": Axis("speed, in equal factors", "TFLOP/s", (1, PEAK), log=True, ticks=(1, 10, 100, 1000)),
}


@dataclass(frozen=True)
class Stage:
    """Where things stand: rows of `pitch`, bars in `box`, and the right ends of the columns of numbers."""

    pen: Pen
    axis: Axis
    box: Box
    pitch: float
    bar: tuple[float, float]  # where a bar begins in its row, and how tall it is
    words: float  # the middle of a row's words
    columns: tuple[float, float]  # the right ends of speeds and of factors

    def x(self, speed: float) -> float:
        return self.box.x + self.axis.share(speed) * self.box.width

    def row(self, index: int) -> float:
        return self.box.y + index * self.pitch


def stage_of(pen: Pen, scale: str) -> Stage:
    count = len(RUNGS)
    if pen.narrow:
        return Stage(pen, AXES[scale], Box(6, 44, 318, 43 * count), 43, (17, 18), 8, (196, 248))
    return Stage(pen, AXES[scale], Box(334, 50, 498, 39 * count), 39, (6, 24), 18, (244, 314))


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    stage = stage_of(pen, state.scale)
    yield from draw_axis(stage)
    for index in range(state.climbed):
        yield from draw_bar(stage, state, index)
    if state.closing:
        yield from draw_rest(stage)
    yield from draw_level(stage, "peak", PEAK, f"peak {PEAK:,.0f}", 0)
    yield from draw_level(stage, "cublas", CUBLAS, f"cuBLAS {CUBLAS:,.0f}", 1)
    yield from draw_heads(stage, state)
    for index in range(len(RUNGS)):
        yield from draw_words(stage, state, index)


def draw_axis(stage: Stage) -> Iterator[Mark]:
    pen, box = stage.pen, stage.box
    for tick in stage.axis.marks():
        x = stage.x(tick)
        yield pen.line(f"grid-{tick:g}", x, box.y, x, box.bottom, "grid")
        yield pen.text(f"tick-{tick:g}", x, box.bottom + 5 + pen.size, plain(tick), "note", anchor="middle")
    yield pen.line("floor", box.x, box.bottom, box.right, box.bottom, "axis")
    yield pen.text("axis", box.right, box.bottom + 9 + 2 * pen.size, stage.axis.title, "note", anchor="end")


def draw_bar(stage: Stage, state: State, index: int) -> Iterator[Mark]:
    """What the rungs before had reached, and what this one adds: on a logarithmic axis, its factor."""
    down, tall = stage.bar
    now = index == state.climbed - 1 and not state.closing
    end = stage.x(RUNGS[index].speed)
    start = stage.x(RUNGS[index - 1].speed) if index else stage.box.x
    y = stage.row(index) + down
    if index:
        yield stage.pen.rect(f"base-{index}", Box(stage.box.x, y, start - stage.box.x, tall), "cell", round=0)
    bought = index > 0 or not stage.axis.log  # a logarithmic axis has no zero to begin from
    role = "hot" if now else "kept" if bought else "cell"
    yield stage.pen.rect(f"gain-{index}", Box(start, y, end - start, tall), role, round=0)


def draw_rest(stage: Stage) -> Iterator[Mark]:
    """What the last rung leaves of the peak."""
    pen, (down, tall) = stage.pen, stage.bar
    speed, y = RUNGS[-1].speed, stage.row(len(RUNGS) - 1) + down
    left, right = stage.x(speed), stage.x(PEAK)
    yield pen.rect("rest", Box(left, y, right - left, tall), "dropped outline", round=0)
    words = f"{100 - share(speed, PEAK):.1f} % left"
    if pen.room(words) + 6 <= right - left:
        yield pen.text("rest-label", (left + right) / 2, y + tall / 2, words, "label", anchor="middle", middle=True)


def draw_level(stage: Stage, key: str, speed: float, words: str, line: int) -> Iterator[Mark]:
    """A speed to compare with, as a line through all rows, its name on its top."""
    pen, x = stage.pen, stage.x(speed)
    top = 3 + line * 1.45 * pen.size
    yield pen.line(key, x, top, x, stage.box.bottom, "axis dashed" if key == "peak" else "axis")
    yield pen.text(f"{key}-label", x - 5, top + 0.8 * pen.size, words, "label", anchor="end")


def draw_heads(stage: Stage, state: State) -> Iterator[Mark]:
    """What the two columns of numbers are, and whose."""
    pen, (speed, factor) = stage.pen, stage.columns
    y = 3 + 0.8 * pen.size if pen.narrow else stage.box.y - 8
    yield pen.text("speed-head", speed, y, "published, TFLOP/s", "note", anchor="end")
    yield pen.text("factor-head", factor, y, "of peak" if state.closing else "factor", "note", anchor="end")


def draw_words(stage: Stage, state: State, index: int) -> Iterator[Mark]:
    """The rung's name, its speed, and its factor over the rung before; at the end its share of the peak."""
    pen, rung, (speed, factor) = stage.pen, RUNGS[index], stage.columns
    y = stage.row(index) + stage.words
    now = index == state.climbed - 1 and not state.closing
    reached = index < state.climbed
    left = stage.box.x if pen.narrow else 0
    yield pen.text(f"name-{index}", left, y, rung.name, "label strong" if now else "label" if reached else "note",
                   middle=True)  # fmt: skip
    if not reached:
        return
    yield pen.text(f"speed-{index}", speed, y, rung.shown, "value", anchor="end", middle=True)
    words = f"{share(rung.speed, PEAK):.1f} %" if state.closing else f"× {times(index)}" if index else ""
    if words:
        yield pen.text(f"factor-{index}", factor, y, words, "hot strong" if now else "note", anchor="end", middle=True)
