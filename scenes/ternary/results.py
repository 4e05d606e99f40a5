"""What is left at the end: six outputs beside the exact ones, and the bits of a weight."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .case import WEIGHT_BITS, State
from .data import ROWS
from .model import BITS
from .stage import Stage
from .words import bits, signed


def draw_outputs(stage: Stage, state: State) -> Iterator[Mark]:
    """An output for each row of the matrix, beside its row where there is room; dashed is the exact one."""
    pen, box, case = stage.pen, stage.panel, state.case
    exact = case.exact[:, -1]
    yield pen.text("outputs", box.x, box.y + stage.title, "γ × sum, and exact (dashed)", "note")
    shift = box.y + stage.title + 8 - stage.band(0).y if pen.narrow else 0.0
    numbers = pen.room("−888 (−888)") + 8
    left = 18.0
    low, high = float(min(exact.min(), 0)), float(max(exact.max(), 0))
    scale = (box.width - numbers - left) / (high - low)
    zero = box.x + left - low * scale
    bands = [stage.band(row) for row in range(ROWS)]
    for row, band in enumerate(bands):
        y, tall = band.y + shift, band.height
        ends = sorted((zero, zero + float(exact[row]) * scale))
        yield pen.rect(f"e{row}", Box(ends[0], y + 1, ends[1] - ends[0], tall - 2), "ghost", round=0)
        ends = sorted((zero, zero + float(case.outputs[row]) * scale))
        role = "hot" if row == state.at else "data"
        falls = " outline" if case.outputs[row] < 0 else ""
        yield pen.rect(f"q{row}", Box(ends[0], y + 4, ends[1] - ends[0], tall - 8), role + falls, round=0)
        words = f"{signed(float(case.outputs[row]))} ({signed(float(exact[row]))})"
        yield pen.text(f"v{row}", box.right, y + tall / 2, words, "hot strong" if row == state.at else "value",
                       anchor="end", middle=True)  # fmt: skip
        yield pen.text(f"j{row}", box.x, y + tall / 2, str(row + 1), "note", middle=True)
    yield pen.line("outputs-zero", zero, bands[0].y + shift, zero, bands[-1].bottom + shift, "axis")
    if not pen.narrow:
        words = f"error {case.error:.0f}% of the outputs"
        yield pen.text("missed", box.x, stage.lines[1] + 20, words, "dropped strong")


def draw_sizes(stage: Stage, state: State) -> Iterator[Mark]:
    """Bits of a weight: before, in two bits, five to a byte, and the least that three values need."""
    pen, box, case = stage.pen, stage.panel, state.case
    yield pen.text("sizes", box.x, box.y + stage.title, "bits a weight, scale counted", "note")
    kinds = (
        ("before: BF16", WEIGHT_BITS, "data"),
        ("two bits each (TQ2_0)", case.two_bit, "data"),
        ("five in a byte (TQ1_0)", case.packed, "hot"),
        ("the least for three equally likely values: log₂ 3", BITS, "ghost"),
    )
    top, each, tall = (20, 30, 9) if pen.narrow else (30, 64, 24)
    for at, (name, size, role) in enumerate(kinds):
        y = box.y + top + at * each
        bar = Box(box.x, y + pen.size + 5, box.width * size / WEIGHT_BITS, tall)
        yield pen.text(
            f"u{at}", box.x, y + pen.size, f"{bits(size)}  {name}", "hot strong" if role == "hot" else "label"
        )
        yield pen.rect(f"z{at}", bar, role, round=0)
