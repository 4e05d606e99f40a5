"""A legend, for marks that have no room for labels of their own; and boxes in which both axes measure alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from loom.draw.axis import Axis
from loom.draw.box import Box
from loom.draw.marks import Mark
from loom.draw.pen import Pen
from loom.draw.text import wrap
from loom.expected import Mistaken

SWATCH = 18  # how long the piece of a line is
LINE = 1.25  # from line to line of one entry, in type sizes


Kind = Literal["line", "box", "dot"]
KINDS = get_args(Kind)


class Entry(NamedTuple):
    """What a role means: a piece of a line, a box or a dot of it, and words."""

    words: str
    role: str = "data"
    kind: Kind = "line"


def legend(pen: Pen, key: str, box: Box, entries: Sequence[Entry]) -> Iterator[Mark]:
    """Entries side by side from the left of a box, in as many lines as they need. Labels on the things are better.

    Words that are wider than the box go on below; what takes more room than the box has is refused.
    """
    for entry in entries:
        if entry.kind not in KINDS:
            message = f"the legend '{key}' has an entry of the kind '{entry.kind}'"
            raise Mistaken((message, f"known: {', '.join(KINDS)}"))
    indent, (x, y), row = SWATCH + 6, (box.x, box.y + pen.size / 2), 1.6 * pen.size
    for at, (words, role, kind) in enumerate(entries):
        lines = wrap(words, pen.size, box.width - indent)
        room = indent + pen.text_width(lines)
        if room > box.width:
            message = f"'{words}' is {room:.0f} units wide in the legend '{key}', whose box is {box.width:g} wide"
            raise Mistaken((message, "shorter words, or a wider box"))
        if x > box.x and x + room > box.right:
            x, y = box.x, y + row
        yield _swatch(pen, f"{key}-{at}", x, y, role, kind)
        for down, line in enumerate(lines):
            name = f"{key}-{at}-words" + (f"-{down}" if down else "")
            yield pen.text(name, x + indent, y + down * LINE * pen.size, line, "label", middle=True)
        x += room + 1.2 * pen.size
        y += max(0, len(lines) - 1) * LINE * pen.size
    tall = y + pen.size / 2 - box.y
    if y > box.y + pen.size / 2 and tall > box.height:
        message = f"the legend '{key}' is {tall:.0f} units tall at this width, and its box {box.height:g}"
        raise Mistaken((message, "a taller or wider box, or fewer words"))


def _swatch(pen: Pen, key: str, x: float, y: float, role: str, kind: str) -> Mark:
    if kind == "box":
        return pen.rect(key, Box(x + 4, y - 5, SWATCH - 4, 10), role, round=1)
    if kind == "dot":
        return pen.circle(key, x + SWATCH - 6, y, 4, role)
    return pen.path(key, [(x, y), (x + SWATCH, y)], role)


def equal_aspect(box: Box, x: Axis, y: Axis) -> Box:
    """The largest box within another, in its middle, where a unit of x is as long as a unit of y: circles are round."""
    if x.log != y.log:
        raise Mistaken(("one axis is logarithmic and the other is not", "their units can't be equally long"))
    wide, tall = (float(axis.extent) for axis in (x, y))
    if not (wide > 0 and tall > 0):
        raise Mistaken(("an axis has no length", "give it a span from less to more"))
    unit = min(box.width / wide, box.height / tall)
    width, height = unit * wide, unit * tall
    return Box(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height)
