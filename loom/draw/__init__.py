"""The drawing vocabulary: numbers in, marks out. Scenes import from here."""

from loom.draw.annotate import bracket, hatching, headline, paragraph, side_labels
from loom.draw.arrows import arrow, quiver
from loom.draw.axes import Plot
from loom.draw.axis import Axis
from loom.draw.bars import Bar, horizontal_bars, vertical_bars
from loom.draw.box import Box
from loom.draw.cells import Grid, cell, matrix, square_grid
from loom.draw.clear import first_clear
from loom.draw.extent import bounding_box, bounds
from loom.draw.field import colorbar, contours, field, shade_role
from loom.draw.formula import formula
from loom.draw.lanes import Lanes, Span
from loom.draw.legend import Entry, equal_aspect, legend
from loom.draw.marks import Handle, Mark, tidy
from loom.draw.maths import maths
from loom.draw.pen import Pen
from loom.draw.piece_cache import memoized
from loom.draw.polar import Polar
from loom.draw.text import dodge, text_width, wrap
from loom.quantity import (
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
    "arrow",
    "bounding_box",
    "bounds",
    "bracket",
    "cell",
    "colorbar",
    "contours",
    "count",
    "dodge",
    "equal_aspect",
    "field",
    "first_clear",
    "fixed",
    "formula",
    "hatching",
    "headline",
    "horizontal_bars",
    "legend",
    "listed",
    "maths",
    "matrix",
    "memoized",
    "number",
    "paragraph",
    "percent",
    "power",
    "quantity",
    "quiver",
    "shade_role",
    "side_labels",
    "significant",
    "square_grid",
    "superscript",
    "text_width",
    "tidy",
    "times",
    "trimmed",
    "vertical_bars",
    "wrap",
]  # fmt: skip
