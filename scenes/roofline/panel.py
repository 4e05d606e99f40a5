"""The sums beside the plot: bandwidth, peak, intensity, and the two times of which the longer one counts."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, paragraph

from .model import ARITHMETIC, MEMORY
from .moments import CEILING, INTENSITY, MEET, SLOPE, State
from .stage import Stage
from .words import bandwidth, flops, lacking, peak, ratio, share, short, size, sums, time


def draw_panel(stage: Stage, state: State) -> Iterator[Mark]:
    """What is known so far, from the top down."""
    narrow = stage.pen.narrow
    case, box = state.case, stage.panel
    half = Box(box.x, box.y, 160, 0) if narrow else box
    other = Box(box.x + 168, box.y, 160, 0) if narrow else Box(box.x, box.y + 74, box.width, 0)
    yield from _fact(stage, state, "memory", half, SLOPE, f"memory of the {state.name}", bandwidth(case.bandwidth))
    if state.step >= CEILING:
        yield from _fact(stage, state, "peak", other, CEILING, peak_head(state), peak(case.peak))
    if state.step >= INTENSITY:
        yield from _intensity(stage, state, Box(box.x, box.y + (45 if narrow else 148), box.width, 0))
    if state.step == MEET:
        yield from _times(stage, state, Box(box.x, box.y + (100 if narrow else 248), box.width, 0))
    if state.step >= CEILING:
        y = box.y + 172 if narrow else box.y + 366
        yield from paragraph(stage.pen, "lacking", box.x, y, lacking(state.precision), box.width)


def peak_head(state: State) -> str:
    if state.falls_back:
        return f"no {state.precision}: peak in {state.computes_in}"
    return "peak in FP32" if state.precision == "FP32" else f"peak in {state.precision}, dense"


def _fact(stage: Stage, state: State, key: str, box: Box, step: int, head: str, value: str) -> Iterator[Mark]:
    """A rule, what it is, and how much."""
    pen, now = stage.pen, state.step == step
    yield pen.line(f"{key}-rule", box.x, box.y + 1, box.right, box.y + 1, "hot" if now else "grid")
    yield pen.text(f"{key}-head", box.x, box.y + 1.35 * pen.size, head, "note")
    yield pen.text(f"{key}-value", box.x, box.y + 1.6 * pen.size + pen.large, value,
                   "hot strong" if now else "value strong", size=pen.large)  # fmt: skip


def _intensity(stage: Stage, state: State, box: Box) -> Iterator[Mark]:
    """FLOPs over bytes, each with the product that it comes from."""
    pen, work, now = stage.pen, state.case.work, state.step == INTENSITY
    yield pen.line("intensity-rule", box.x, box.y + 1, box.right, box.y + 1, "hot" if now else "grid")
    yield pen.text("intensity-head", box.x, box.y + 1.35 * pen.size, f"{short(state.kernel)}, intensity", "note")
    role = "hot strong" if now else "value strong"
    y = box.y + (1.35 if pen.narrow else 1.45) * pen.size
    yield pen.text("intensity-value", box.right, y, f"{ratio(work.intensity)}", role, anchor="end",
                   size=pen.size if pen.narrow else pen.large)  # fmt: skip
    pitch = 1.4 * pen.size
    for row, (key, how, amount) in enumerate(zip(("flops", "bytes"), sums(state), (flops(work.flops), size(work.bytes)),
                                                 strict=True)):  # fmt: skip
        base = y + (1.3 if pen.narrow else 1.8) * pen.size + row * pitch
        yield pen.text(f"{key}-how", box.x, base, how, "note")
        yield pen.text(f"{key}-value", box.right, base, amount, "value", anchor="end")
    if not pen.narrow:
        line = y + 2.2 * pen.size
        yield pen.line("fraction", box.x, line, box.right, line, "axis")


def _times(stage: Stage, state: State, box: Box) -> Iterator[Mark]:
    """Two bars on one scale: the longer one is the limit."""
    pen, case = stage.pen, state.case
    yield pen.line("times-rule", box.x, box.y + 1, box.right, box.y + 1, "hot")
    y = box.y + (5 if pen.narrow else 7)
    for key, head, seconds in ((MEMORY, "to move the bytes", case.memory_time),
                               (ARITHMETIC, "to compute", case.arithmetic_time)):  # fmt: skip
        longer = case.bound == key
        base, high = y + 0.95 * pen.size, 6 if pen.narrow else 9
        yield pen.text(f"time-{key}-head", box.x, base, head, "hot strong" if longer else "label")
        words = time(seconds)
        if seconds:
            words += ", the limit" if longer else f", {share(100 * seconds / case.time)} of it"
        yield pen.text(f"time-{key}-value", box.right, base, words, "hot strong" if longer else "value", anchor="end")
        track = Box(box.x, base + 5, box.width, high)
        yield pen.rect(f"time-{key}-track", track, "cell soft", round=1)
        length = box.width * seconds / case.time
        bar = Box(track.x, track.y, max(length, 1.0) if seconds else 0, high)
        yield pen.rect(f"time-{key}", bar, "hot" if longer else "kept", round=1)
        y = track.bottom + (6 if pen.narrow else 10)
