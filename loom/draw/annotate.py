"""Brackets, hatchings, labels beside things, and the large number with its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw.box import Box
from loom.draw.marks import Mark
from loom.draw.pen import Pen
from loom.draw.text import dodge, wrap


def bracket(pen: Pen, key: str, start: float, end: float, y: float, words: str = "", *,
            depth: float = 6, below: bool = True, role: str = "axis") -> Iterator[Mark]:  # fmt: skip
    """A bracket that holds `start` to `end` together under (or over) them, with its label."""
    turn = depth if below else -depth
    yield pen.path(key, [(start, y), (start, y + turn), (end, y + turn), (end, y)], f"{role} outline")
    if words:
        base = y + turn + pen.size + 2 if below else y + turn - 5
        yield pen.text(f"{key}-label", (start + end) / 2, base, words, "note", anchor="middle")


def side_labels(pen: Pen, key: str, x: float, wanted: Sequence[float], words: Sequence[str], low: float,
                high: float, *, anchor: str = "start", role: str = "label") -> Iterator[Mark]:  # fmt: skip
    """Labels beside things at the heights `wanted`, pushed apart where they would collide."""
    for index, (y, text) in enumerate(zip(dodge(wanted, pen.size * 1.25, low, high), words, strict=True)):
        yield pen.text(f"{key}-{index}", x, y, text, role, anchor=anchor, middle=True)


def paragraph(pen: Pen, key: str, x: float, y: float, words: str, room: float, role: str = "note") -> Iterator[Mark]:
    """A few words in lines no wider than `room`; `y` is the first baseline."""
    for index, line in enumerate(wrap(words, pen.size, room)):
        yield pen.text(f"{key}-{index}", x, y + index * pen.size * 1.3, line, role)


def headline(pen: Pen, x: float, y: float, number: str, words: str | Sequence[str], role: str = "value", *,
             key: str = "answer", widest: Sequence[str] = (), under: bool = False, right: float = 0,
             tone: str = "label", rest: str = "", size: float = 0, shown: bool = False) -> Iterator[Mark]:  # fmt: skip
    """The number that answers the title's question, in the largest type, and beside it or `under` it what it counts.

    The key of words beside a number contains the number's width: where it changes they are new words, which come when
    the old ones are gone, and do not slide through the number.

    Parameters
    ----------
    x, y : float
        Where the number begins, and its baseline; that of a single line beside it. Several lines begin at its top.
    words : str or sequence of str
        A text, laid in lines that end at `right` (or with the stage), or the lines; an empty one keeps its place.
    widest : sequence of str
        Other numbers that may stand there: the words leave room for all of them, and stay where they are.
    tone, rest : str
        The roles of the first line and of the others.
    shown : bool
        Whether it is there while a prediction waits for the reader's guess.
    """
    hidden, size, name = "" if shown else " answer", size or pen.size, f"{key}-words"
    if number:
        yield pen.text(key, x, y, number, f"{role} strong{hidden}", size=pen.huge)
    if not under:
        width = pen.text_width([number, *widest], size=pen.huge, strong=True)
        x, name = x + width + 8, f"{name}-{width:.0f}"
    lines = wrap(words, size, (right or pen.width) - x) if isinstance(words, str) else words
    first = y + 24 if under else y if len(lines) == 1 else y - pen.huge + pen.pick(12, 15)
    for at, line in enumerate(lines):
        manner = f"{(at and rest) or tone}{hidden}"
        if line:
            yield pen.text(f"{name}-{at}", x, first + at * 1.3 * size, line, manner, size=size)


def hatching(box: Box, left: float, right: float, gap: float = 6) -> list[list[tuple[float, float]]]:
    """The slanted lines of a box whose upper ends lie between two places, so that a hatching can grow line by line."""
    lines, (x, _, _, height), bottom = [], box, box.bottom
    for at in range(int(x // gap) + 1, int((box.right + height) // gap) + 1):
        foot, end = at * gap - height, min(at * gap, box.right)
        start = max(foot, x)
        if left < end <= right and end - start > 1:
            lines.append([(start, bottom - (start - foot)), (end, bottom - (end - foot))])
    return lines
