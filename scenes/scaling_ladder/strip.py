"""The numbers of one token as bars on an axis of doublings, the windows of their scales, and the errors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, bracket, plain, spread

from .model import CHANNELS
from .stage import HIGH, LOW, Stage
from .states import COUNT, ERROR, NUMBERS, OUTLIER, ROUNDED, State

STRIDE = 4  # powers of two from one grid line to the next


def draw_strip(stage: Stage, state: State) -> Iterator[Mark]:
    if state.step > NUMBERS:
        yield from draw_windows(stage, state)
    yield from draw_axis(stage)
    yield from draw_bars(stage, state)
    if state.data == "outlier":
        x, y = stage.x(OUTLIER + 0.5), stage.y(abs(float(state.numbers[OUTLIER])))
        yield stage.pen.text("outlier", x + 5, y + 0.7 * stage.pen.size, "outlier", "label")
    yield from draw_sides(stage, state)
    yield from draw_brackets(stage, state)


def draw_windows(stage: Stage, state: State) -> Iterator[Mark]:
    """From the largest magnitude that a group's codes hold down to the largest that becomes zero."""
    pen, holds, floor = stage.pen, state.holds, state.floor
    groups = [group for group in state.groups() if group.start >= stage.first or group.end > stage.first]
    if state.scheme.scale == "channel":
        shown = range(stage.first, COUNT)
        lines = [[(stage.x(n + 0.5), stage.y(holds[n])), (stage.x(n + 0.5), stage.y(floor[n]))] for n in shown]
        yield pen.strokes("windows", lines, "axis soft thick")
        return
    for number, group in enumerate(groups):
        top, bottom = stage.y(holds[group.start]), stage.y(floor[group.start])
        left = stage.x(max(group.start, stage.first))
        yield pen.rect(f"w{number}", Box(left + 0.5, top, stage.x(group.end) - left - 1, bottom - top), "cell", round=0)


def draw_axis(stage: Stage) -> Iterator[Mark]:
    pen, box = stage.pen, stage.strip
    powers = range(LOW, HIGH + 1, STRIDE)
    words = f"magnitude, ×{2**STRIDE} from line to line"
    yield pen.text("title", box.right - 4, box.y + pen.size + 4, words, "note", anchor="end")
    yield pen.strokes("grid", [[(box.x, stage.y(2.0**p)), (box.right, stage.y(2.0**p))] for p in powers], "grid")
    for power in powers:
        words = f"{2**power}" if power >= 0 else f"1/{2**-power}"
        yield pen.text(f"t{power}", box.x - 5, stage.y(2.0**power), words, "note", anchor="end", middle=True)


def draw_bars(stage: Stage, state: State) -> Iterator[Mark]:
    pen, wide = stage.pen, "" if stage.pen.narrow else " thick"
    numbers, left = np.abs(state.numbers), np.abs(state.left)
    if state.step == ROUNDED:
        lost = left == 0
        yield pen.strokes("kept", stage.comb(enumerate(left)), f"kept{wide}")
        gone = [(int(n), numbers[n]) for n in np.flatnonzero(lost)]
        yield pen.strokes("lost", stage.comb(gone), "dropped thin")
        return
    role = "data soft" if state.step == ERROR else "data"
    yield pen.strokes("bars", stage.comb(enumerate(numbers)), role + wide)
    if state.step == ERROR:
        yield pen.strokes("errors", stage.comb(enumerate(np.abs(state.left - state.numbers))), "dropped")


def draw_sides(stage: Stage, state: State) -> Iterator[Mark]:
    """Beside the strip: the edges of the last window, or the typical number and the typical error."""
    pen, box, x = stage.pen, stage.strip, stage.margin
    if state.step == NUMBERS:
        return
    if state.step == ERROR:
        signal, noise = state.errors.normal_signal**0.5, state.errors.normal_noise**0.5
        heights = [stage.y(signal), stage.y(noise)]
        yield pen.line("rms-number", box.x, heights[0], box.right + 4, heights[0], "axis dashed")
        yield pen.line("rms-error", box.x, heights[1], box.right + 4, heights[1], "hot dashed")
        names = ["typical", "its error"] if pen.narrow else ["typical number", "typical error"]
        amounts = [f"{signal:.2g}", f"{noise:.2g}"]
    else:
        heights = [stage.y(state.holds[-1]), stage.y(state.floor[-1])]
        names = ["largest held", "becomes 0"]
        amounts = [plain(float(state.holds[-1])), f"≤ {plain(float(state.floor[-1]))}"]
    places = spread(heights, 2.4 * pen.size, box.y + pen.size, box.bottom - pen.size)
    for number, (name, amount, y) in enumerate(zip(names, amounts, places, strict=True)):
        yield pen.text(f"side-{number}", x, y - 2, amount, "value strong")
        yield pen.text(f"side-{number}-name", x, y + pen.size, name, "note")


def draw_brackets(stage: Stage, state: State) -> Iterator[Mark]:
    """Under the strip: who shares a scale, and its size."""
    pen, box = stage.pen, stage.strip
    shown, foot = COUNT - stage.first, box.bottom + 5
    if state.step == NUMBERS:
        yield from bracket(pen, "all", box.x, box.right, foot, f"{shown} of the {CHANNELS:,} channels of one token")
        return
    groups = [group for group in state.groups() if group.end > stage.first]
    if state.scheme.scale == "channel":
        yield from bracket(pen, "all", box.x, box.right, foot, f"a scale for each of these {shown} channels")
        return
    for number, group in enumerate(groups):
        words = plain(group.scale)
        if len(groups) == 1:
            words = f"one scale for {state.scheme.sharing():,} numbers: {words}"
        elif number == 0:
            words = f"scale {words}" if pen.room(f"scale {words}") < stage.pitch * (group.end - group.start) else words
        start, end = stage.x(max(group.start, stage.first)), stage.x(group.end)
        yield from bracket(pen, f"b{number}", start + 1.5, end - 1.5, foot, words)
