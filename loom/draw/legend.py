"""A legend, for marks that have no room for labels of their own; and boxes in which both axes measure alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from loom.draw.axis import Axis
from loom.draw.box import Box
from loom.draw.marks import Mark
from loom.draw.pen import Pen
from loom.expected import Mistaken

SWATCH = 18  # how long the piece of a line is


class Entry(NamedTuple):
    """What a role means: a piece of a line, a box or a dot of it, and words."""

    words: str
    role: str = "data"
    kind: Literal["line", "box", "dot"] = "line"


def legend(pen: Pen, key: str, box: Box, entries: Sequence[Entry]) -> Iterator[Mark]:
    """Entries side by side from the left of a box, in as many lines as they need. Labels on the things are better."""
    x, y, row = box.x, box.y + pen.size / 2, 1.6 * pen.size
    for at, (words, role, kind) in enumerate(entries):
        room = SWATCH + 6 + pen.room(words)
        if x > box.x and x + room > box.right:
            x, y = box.x, y + row
        yield _swatch(pen, f"{key}-{at}", x, y, role, kind)
        yield pen.text(f"{key}-{at}-words", x + SWATCH + 6, y, words, "label", middle=True)
        x += room + 1.2 * pen.size


def _swatch(pen: Pen, key: str, x: float, y: float, role: str, kind: str) -> Mark:
    if kind == "box":
        return pen.rect(key, Box(x + 4, y - 5, SWATCH - 4, 10), role, round=1)
    if kind == "dot":
        return pen.circle(key, x + SWATCH - 6, y, 4, role)
    return pen.path(key, [(x, y), (x + SWATCH, y)], role)


def equal(box: Box, x: Axis, y: Axis) -> Box:
    """The largest box within another, in its middle, where a unit of x is as long as a unit of y: circles are round."""
    if x.log != y.log:
        raise Mistaken(("one axis is logarithmic and the other is not", "their units can't be equally long"))
    wide, tall = (float(axis.room) for axis in (x, y))
    if not (wide > 0 and tall > 0):
        raise Mistaken(("an axis has no length", "give it a span from less to more"))
    unit = min(box.width / wide, box.height / tall)
    width, height = unit * wide, unit * tall
    return Box(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height)
