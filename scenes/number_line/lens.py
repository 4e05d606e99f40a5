"""Under the axis: where the codes of a format go, and a lens over its smallest values, where gaps stop halving."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Bar, Box, Mark, bracket, horizontal_bars

from .lanes import Line, Stage, laid_out, upright
from .model import Format
from .words import number

USES = {
    "negative": ("below 0", "quiet"),
    "zero": ("0", "data"),
    "below one": ("between 0 and 1", "hot"),
    "one up": ("1 and more", "series-1"),
    "special": ("∞ or no number", "pad"),
}


def draw_codes(at: Stage, box: Box) -> Iterator[Mark]:
    """One bar for each use of codes, and their sum over them."""
    pen, fmt = at.pen, at.pair.first
    yield pen.text("codes", box.x, box.y - 8, f"{fmt.bits} bits: {2**fmt.bits:,} codes", "note")
    bars = []
    for place, (use, many) in enumerate(fmt.uses.items()):
        words, shade = USES[use]
        both = " (+0 and −0)" if use == "zero" and not fmt.integer else ""
        bars.append(Bar(f"c-{place}", words, many, f"{many:,}{both}", shade))
    tall = min(box.height / len(bars), pen.pick(28.0, 36.0)) * len(bars)
    rows = pen.pick(Box(0, box.y, box.right, tall), Box(box.x, box.y, box.width, tall))
    yield from horizontal_bars(pen, rows, bars, max(fmt.uses.values()))


def draw_zero(at: Stage, box: Box, axis: float) -> Iterator[Mark]:
    """The values from 0 to four times the smallest normal one, drawn large, with the lines of the lens."""
    pen, fmt, unit = at.pen, at.pair.first, at.pair.first.smallest_normal
    line = Line(False, 0.0, 4 * unit, box.x, box.width)
    strip = Box(box.x, box.y + 3.2 * pen.size, box.width, pen.pick(40.0, 46.0))
    top = axis + pen.size + 11  # under the numbers of the axis
    ends = ((0.0, strip.x), (min(line.high, at.line.high), strip.right))
    yield pen.strokes("lens", [[(at.line.place(value), top), (x, strip.y - 2)] for value, x in ends], "ghost")
    yield from _values(at, fmt, line, strip)
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
        start, end = line.place(low * unit), line.place(high * unit)
        yield from bracket(pen, key, start + 1, end - 1, y, role="hot" if key == "sub" else "axis")
        gap = f"gap {number(float(fmt.gap(low * unit)))}"
        for row, text in enumerate(pen.pick([f"{held:,}", kind, gap], [f"{held:,} {kind}", gap])):
            yield pen.text(f"{key}-{row}", (start + end) / 2, y + 8 + (1 + 1.25 * row) * pen.size, text,
                           "note", anchor="middle")  # fmt: skip


def _values(at: Stage, fmt: Format, line: Line, strip: Box) -> Iterator[Mark]:
    """The strip: subnormals, then the normal values, and numbers under powers of two."""
    pen, lane = at.pen, laid_out(fmt, line)
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
        value = times * fmt.smallest_normal
        yield pen.text(f"z-{times}", line.place(value), strip.bottom + pen.size + 4, number(value), "note",
                       anchor="middle")  # fmt: skip
