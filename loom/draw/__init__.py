"""The drawing vocabulary: numbers in, marks out. Scenes import from here."""

from loom.draw.annotate import arrow, bracket, hatching, paragraph, side_labels
from loom.draw.axes import Axis, Plot
from loom.draw.bars import Bar, horizontal_bars, vertical_bars
from loom.draw.cells import Grid, cell, matrix, square_grid
from loom.draw.extent import bounds
from loom.draw.keeping import kept
from loom.draw.lanes import Lanes, Span
from loom.draw.marks import Handle, Mark, tidy
from loom.draw.pen import Box, Pen
from loom.draw.text import spread, text_width, wrap
from loom.quantity import plain, quantity, raised
from loom.wording import count, fixed, listed, number, percent, power, times, trimmed

__all__ = [
    "Axis",
    "Bar",
    "Box",
    "Grid",
    "Handle",
    "Lanes",
    "Mark",
    "Pen",
    "Plot",
    "Span",
    "arrow",
    "bounds",
    "bracket",
    "cell",
    "count",
    "fixed",
    "hatching",
    "horizontal_bars",
    "kept",
    "listed",
    "matrix",
    "number",
    "paragraph",
    "percent",
    "plain",
    "power",
    "quantity",
    "raised",
    "side_labels",
    "spread",
    "square_grid",
    "text_width",
    "tidy",
    "times",
    "trimmed",
    "vertical_bars",
    "wrap",
]  # fmt: skip
