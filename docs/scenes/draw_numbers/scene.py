"""Numbers and lists as a reader reads them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import (
    Box,
    Grid,
    Mark,
    Pen,
    count,
    fixed,
    listed,
    number,
    percent,
    power,
    quantity,
    significant,
    superscript,
    times,
    trimmed,
)

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    written = {
        "number(7.5004)": number(7.5004),
        "significant(7.5004)": significant(7.5004),
        "trimmed('7.50')": trimmed("7.50"),
        "fixed(-1234.5, 1)": fixed(-1234.5, 1),
        "percent(12.5)": percent(12.5),
        "times(2.5)": times(2.5),
        "power(2, -9)": power(2, -9),
        "superscript(-9)": superscript(-9),
        "quantity(6.87e10, 'B')": quantity(6.87e10, "B"),
        "count(2, 'warp')": count(2, "warp"),
        "listed(['ask', 'send'])": listed(["ask", "send"]),
    }
    columns = pen.pick(1, 2)
    rows = -(-len(written) // columns)
    grid = Grid(Box(0, 8, pen.width, 24 * rows), rows, columns, gap=0)
    for at, (call, words) in enumerate(written.items()):
        x, y, _, height = grid.nth(at)
        yield pen.text(f"call-{at}", x, y + height / 2, call, "note", middle=True)
        yield pen.text(f"words-{at}", x + pen.pick(170, 200), y + height / 2, words, "value strong", middle=True)


SCENE = piece("How is a number written?", "With the digits that are read, a true minus sign, and its unit.", example)
