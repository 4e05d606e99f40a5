"""Bars that lie, and bars that stand."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Bar, Box, Mark, Pen, horizontal_bars, vertical_bars

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    left, right = Box(0, 10, pen.width, 230).rows(2, gap=24) if pen.narrow else Box(0, 10, 840, 130).columns(2, gap=60)
    lying = [Bar("tea", "tea", 40, "40 mg"), Bar("coffee", "coffee", 95, "95 mg", "hot"),
             Bar("cola", "cola", 33, "33 mg", ghost=60)]  # fmt: skip
    yield from horizontal_bars(pen, left, lying, 100)
    standing = [Bar(day, day, cups, str(cups)) for day, cups in zip("MTWTFSS", (3, 2, 4, 3, 5, 1, 0), strict=True)]
    standing = [bar._replace(key=f"day-{at}") for at, bar in enumerate(standing)]
    yield from vertical_bars(pen, right, standing, 5)


SCENE = piece(
    "How are amounts compared?", "As bars from one floor, with their names and numbers; a ghost is what was.", example
)
