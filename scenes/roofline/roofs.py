"""Axes, the roof of the chosen GPU with its ridge, and those of the others behind it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, plain

from .machines import GPUS, TERA
from .model import MEMORY
from .moments import CEILING, INTENSITY, MEET, SLOPE, State
from .stage import RATES, X_TICKS, Y_TICKS, Stage
from .words import rate, ratio

READ_AT = (1.0, 10.0, 100.0)  # FLOP/B, where the slope is read in the first step


def draw_axes(stage: Stage, state: State) -> Iterator[Mark]:
    """Decades both ways; a tick gives way to the number that is read off beside it."""
    pen, box = stage.pen, stage.plot.box
    here_x, here_y = stage.dot(state.case)
    half = pen.room(ratio(state.case.intensity, ""), strong=True) / 2
    for tick in Y_TICKS:
        y = stage.y(tick * TERA)
        yield pen.line(f"y-grid-{tick:g}", box.x, y, box.right, y, "grid")
        if state.step < MEET or abs(y - here_y) > 1.1 * pen.size:
            yield pen.text(f"y-tick-{tick:g}", box.x - 6, y, plain(tick, 1), "note", anchor="end", middle=True)
    for tick in X_TICKS:
        x, words = stage.x(tick), plain(tick, 1)
        yield pen.line(f"x-grid-{tick:g}", x, box.y, x, box.bottom, "grid")
        if state.step < INTENSITY or abs(x - here_x) > half + pen.room(words) / 2 + 4:
            yield pen.text(f"x-tick-{tick:g}", x, box.bottom + 5 + pen.size, words, "note", anchor="middle")
    yield pen.line("x-axis", box.x, box.bottom, box.right, box.bottom, "axis")
    yield pen.text("y-title", 0, 0.8 * pen.size, "rate [TFLOP/s]", "note")
    words = "intensity [FLOP/B]" if pen.narrow else "intensity: FLOPs for each byte moved [FLOP/B]"
    yield pen.text("x-title", box.right, box.bottom + 9 + 2 * pen.size, words, "note", anchor="end")


def draw_ghosts(stage: Stage, state: State) -> Iterator[Mark]:
    """Thin roofs of the other GPUs. Their ridges can be pressed; all four are named at the right."""
    pen = stage.pen
    for name in GPUS:
        if name != state.name:
            yield pen.path(f"ghost-{name}", stage.roof(state, name), "ghost thin")
    for name, y in stage.gpu_names(state):
        role = "label strong" if name == state.name else "note"
        yield pen.text(f"gpu-{name}", stage.margin, y, name, role, middle=True)
    for name in GPUS:
        if name != state.name:
            x, y = stage.roof(state, name)[1]
            yield pen.circle(f"ridge-{name}", x, y, 3 if pen.narrow else 3.5, "quiet", set={"gpu": name},
                             label=f"show the roof of the {name}")  # fmt: skip


def draw_roof(stage: Stage, state: State) -> Iterator[Mark]:
    """The slope alone at first, through the whole picture; then the ceiling that ends it, and the ridge."""
    pen, box, case = stage.pen, stage.plot.box, state.case
    until = case.ridge if state.step >= CEILING else float("inf")
    yield pen.path("slope", stage.slope(case.bandwidth, until), _slope_role(state))
    if state.step < CEILING:
        return
    x, y = stage.x(case.ridge), stage.y(case.peak)
    now = "hot" if state.step == CEILING else "axis"
    yield pen.path("ceiling", stage.ceiling(case.peak, case.ridge), _ceiling_role(state))
    yield pen.line("ridge-line", x, box.y - 4, x, y, f"{now} dashed")
    words = f"ridge {ratio(case.ridge)}"
    half = pen.room(words, strong=True) / 2
    middle = min(max(x, box.x + half), stage.right - half)
    yield pen.text("ridge-label", middle, box.y - 10, words, "hot strong" if now == "hot" else "label strong",
                   anchor="middle")  # fmt: skip
    base = box.y + 0.8 * pen.size
    sides = ("memory", "arithmetic") if pen.narrow else ("memory limits", "arithmetic limits")
    bound = state.case.bound if state.step == MEET else ""
    for side, words, edge, anchor in zip(
        ("memory", "arithmetic"), sides, (x - 7, x + 7), ("end", "start"), strict=True
    ):
        yield pen.text(f"side-{side}", edge, base, words, "hot" if side == bound else "note", anchor=anchor)
    yield pen.circle("ridge", x, y, 3.5 if pen.narrow else 4.5, "hot" if now == "hot" else "data")


def _slope_role(state: State) -> str:
    if state.step == SLOPE:
        return "hot thick"
    return "hot thick" if state.step == MEET and state.case.bound == MEMORY else "data"


def _ceiling_role(state: State) -> str:
    if state.step == CEILING:
        return "hot thick"
    return "hot thick" if state.step == MEET and state.case.bound != MEMORY else "data"


def draw_reading(stage: Stage, state: State) -> Iterator[Mark]:
    """How a slope is read: ten times the intensity, ten times the rate."""
    pen, bandwidth = stage.pen, state.case.bandwidth
    for at in READ_AT:
        if at * bandwidth / TERA < RATES[1]:
            x, y = stage.x(at), stage.y(at * bandwidth)
            yield pen.circle(f"read-{at:g}", x, y, 3.5 if pen.narrow else 4.5, "hot")
            words = rate(at * bandwidth) if pen.narrow else f"{plain(at)} FLOP/B: {rate(at * bandwidth)}"
            yield pen.text(f"read-{at:g}-label", x + 8, y + 1.1 * pen.size, words, "label")
