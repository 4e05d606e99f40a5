"""Around zero: a lens over the smallest values, where gaps stop halving."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, bracket

from .lanes import laid_out, upright
from .model import gap, number_format
from .stage import Line, Stage
from .words import number


def draw_zero(stage: Stage) -> Iterator[Mark]:
    """The values from 0 to four times the smallest normal one, drawn large, with the lines of the lens."""
    pen, box, fmt = stage.pen, stage.below, number_format(stage.state.first)
    line = Line(False, 0.0, 4 * fmt.smallest_normal, box.x, box.width)
    top = box.y + 3.2 * pen.size
    strip = Box(box.x, top, box.width, 40.0 if pen.narrow else 46.0)
    yield from draw_lens(stage, line, strip)
    yield from draw_values(stage, line, strip)
    y = strip.bottom + 1.6 * pen.size + 8
    if fmt.integer:
        yield from bracket(pen, "sub", line.place(0) + 1, line.place(1) - 1, y, f"gap {number(1)}", role="hot")
        return
    normals = 2**fmt.mantissa_bits
    for key, kind, held, low, high in (
        ("sub", "subnormal", fmt.subnormals, 0, 1),
        ("norm", "normal", normals, 1, 2),
        ("more", "normal", normals, 2, 4),
    ):
        start, end = (line.place(times * fmt.smallest_normal) for times in (low, high))
        yield from bracket(pen, key, start + 1, end - 1, y, role="hot" if key == "sub" else "axis")
        step = f"gap {number(float(gap(low * fmt.smallest_normal, fmt.name)))}"
        words = [f"{held:,}", kind, step] if pen.narrow else [f"{held:,} {kind}", step]
        for row, text in enumerate(words):
            yield pen.text(f"{key}-{row}", (start + end) / 2, y + 8 + (1 + 1.25 * row) * pen.size, text,
                           "note", anchor="middle")  # fmt: skip


def draw_lens(stage: Stage, line: Line, strip: Box) -> Iterator[Mark]:
    """Two lines from the axis to the ends of the strip."""
    axis, pen = stage.line, stage.pen
    top = stage.axis + pen.size + 11  # under the numbers of the axis
    ends = ((0.0, strip.x), (min(line.high, axis.high), strip.right))
    yield pen.strokes("lens", [[(axis.place(value), top), (x, strip.y - 2)] for value, x in ends], "ghost")


def draw_values(stage: Stage, line: Line, strip: Box) -> Iterator[Mark]:
    """The strip: subnormals, then the normal values, and numbers under powers of two."""
    pen, fmt = stage.pen, number_format(stage.state.first)
    lane = laid_out(fmt.name, line)
    edge = line.x if fmt.integer else line.place(fmt.smallest_normal)
    if lane.block:
        left, right = lane.block
        yield pen.rect("z-sub-block", Box(left, strip.y, edge - left, strip.height), "hot soft", round=0)
        yield pen.rect("z-block", Box(edge, strip.y, right - edge, strip.height), "series-1 soft", round=0)
    under = lane.lines < edge - 0.01
    yield pen.strokes("z", upright(lane.lines[~under], strip.y, strip.bottom), "series-1")
    yield pen.strokes("z-sub", upright(lane.lines[under], strip.y, strip.bottom), "hot")
    yield pen.line("z-axis", strip.x, strip.bottom, strip.right, strip.bottom, "axis")
    for times in (0, 1, 2, 4):
        words = number(times * fmt.smallest_normal)
        yield pen.text(f"z-{times}", line.place(times * fmt.smallest_normal), strip.bottom + pen.size + 4, words,
                       "note", anchor="middle")  # fmt: skip
