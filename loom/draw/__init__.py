"""The drawing vocabulary: numbers in, marks out. Scenes import from here."""

from loom.draw.annotate import bracket, hatching, paragraph, side_labels
from loom.draw.arrows import arrow, quiver
from loom.draw.axes import Plot
from loom.draw.axis import Axis
from loom.draw.bars import Bar, horizontal_bars, vertical_bars
from loom.draw.box import Box
from loom.draw.cells import Grid, cell, matrix, square_grid
from loom.draw.extent import around, bounds
from loom.draw.field import contours, field, level, shades
from loom.draw.formula import formula
from loom.draw.lanes import Lanes, Span
from loom.draw.legend import Entry, equal, legend
from loom.draw.marks import Handle, Mark, tidy
from loom.draw.maths import maths
from loom.draw.pen import Pen
from loom.draw.piece_cache import kept
from loom.draw.polar import Polar
from loom.draw.text import spread, text_width, wrap
from loom.quantity import plain, quantity, raised
from loom.wording import count, fixed, listed, number, percent, power, times, trimmed

__all__ = [
    "Axis",
    "Bar",
    "Box",
    "Entry",
    "Grid",
    "Handle",
    "Lanes",
    "Mark",
    "Pen",
    "Plot",
    "Polar",
    "Span",
    "around",
    "arrow",
    "bounds",
    "bracket",
    "cell",
    "contours",
    "count",
    "equal",
    "field",
    "fixed",
    "formula",
    "hatching",
    "horizontal_bars",
    "kept",
    "legend",
    "level",
    "listed",
    "maths",
    "matrix",
    "number",
    "paragraph",
    "percent",
    "plain",
    "power",
    "quantity",
    "quiver",
    "raised",
    "shades",
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
