"""The kernels: quiet dots on the roof that can be pressed, and the chosen one with its way up from the axis."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark

from .kernels import KERNELS
from .labels import Label, places
from .model import case
from .moments import INTENSITY, MEET, State
from .stage import Stage
from .words import rate, ratio, short


def draw_kernels(stage: Stage, state: State) -> Iterator[Mark]:
    """First the chosen kernel on the axis, then where it meets the roof, with the others around it."""
    if state.step < INTENSITY:
        return
    found = places(stage.pen.width, state.name, state.precision, state.kernel)
    if state.step == MEET:
        yield from _others(stage, state, found)
    yield from _here(stage, state, found.get(state.kernel))


def _others(stage: Stage, state: State, found: dict[str, Label]) -> Iterator[Mark]:
    pen = stage.pen
    for kernel, label in sorted(found.items()):
        if kernel == state.kernel:
            continue
        x, y = label.dot
        yield pen.line(f"thread-{kernel}", x, y, x, label.base, "axis thin")
        yield pen.text(f"name-{kernel}", label.x, label.base, short(kernel), "note", anchor=label.anchor)
    if state.kernel != "copy":
        yield pen.text("name-copy", stage.plot.box.x - 10, stage.plot.box.bottom, "copy", "note", anchor="end",
                       middle=True)  # fmt: skip
    for kernel in KERNELS:
        if kernel != state.kernel:
            dot = stage.dot(case(state.name, state.precision, kernel))
            yield pen.circle(f"kernel-{kernel}", *dot, 4 if pen.narrow else 5, "data",
                             set={"kernel": kernel}, label=f"show {kernel}")  # fmt: skip


def _row(stage: Stage) -> float:
    """The baseline of the numbers under the axis."""
    return stage.plot.box.bottom + 5 + stage.pen.size


def _here(stage: Stage, state: State, label: Label | None) -> Iterator[Mark]:
    """Up from the intensity to the roof, and across to the rate."""
    pen, box, one = stage.pen, stage.plot.box, case(state.name, state.precision, state.kernel)
    x, roof = stage.dot(one)
    met = state.step == MEET and one.work.flops > 0
    y = roof if met else box.bottom
    if met:
        yield pen.line("across", box.x, y, x, y, "hot dashed")
        yield pen.text("rate-now", box.x - 6, y, rate(one.attainable, 3, ""), "hot strong", anchor="end", middle=True)
    yield pen.line("up", x, box.bottom, x, y, "hot")
    yield pen.circle("here", x, y, 6 if pen.narrow else 7.5, "hot")
    name, words = short(state.kernel), ratio(one.intensity, "")
    if not label:  # no arithmetic: it stands at the edge of a scale that has no 0
        yield pen.text("here-name", box.x - 10, box.bottom, name, "hot strong", anchor="end", middle=True)
        yield pen.text("intensity-now", box.x, _row(stage), words, "hot strong", anchor="middle")
        return
    if met:
        yield pen.text("here-name", label.x, label.base, name, "hot strong", anchor=label.anchor)
    else:
        left = x + 9 + pen.room(name, strong=True) > stage.right
        yield pen.text("here-name", x - 9 if left else x + 9, box.bottom - 1.3 * pen.size, name, "hot strong",
                       anchor="end" if left else "start")  # fmt: skip
    yield pen.text("intensity-now", x, _row(stage), words, "hot strong", anchor="middle")
