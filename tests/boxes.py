"""Where marks stand: their boxes, estimated as a reader sees them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping

from loom.draw.extent import bounds, letters
from loom.draw.marks import Mark

Box = tuple[float, float, float, float]


def box(mark: Mark) -> Box:
    """The left, top, right and bottom of a mark: of a text, those of its letters."""
    return letters(mark) if mark.tag == "text" else bounds(mark)


def overlap(a: Box, b: Box, slack: float = 1.0) -> bool:
    """Whether two boxes share more than a strip of `slack` units."""
    return all(min(a[at + 2], b[at + 2]) - max(a[at], b[at]) > slack for at in (0, 1))


def answer_lines(marks: Mapping[str, Mark]) -> list[str]:
    """The lines that stand beside the large number, or under it."""
    return [mark.text for key, mark in marks.items() if key.startswith("answer-words")]


def touching(marks: Iterable[Mark], across: float = 0.5, down: float = 2.5) -> list[tuple[str, str]]:
    """The keys of texts that reach further into each other than so many units, by the boxes of their lines."""
    texts = [(mark.key, bounds(mark)) for mark in marks if mark.tag == "text" and mark.text]
    return [
        (one, other) for (one, a), (other, b) in itertools.combinations(texts, 2)
        if min(a[2] - b[0], b[2] - a[0]) > across and min(a[3] - b[1], b[3] - a[1]) > down
    ]  # fmt: skip


def beneath(marks: Mapping[str, Mark], knob: str, rim: float = 8) -> list[str]:
    """The keys of texts whose letters lie under a knob or its rim."""
    shape = marks[knob].shape
    x, y, reach = float(shape["cx"]), float(shape["cy"]), float(shape["r"]) + rim
    boxes = {key: box(mark) for key, mark in marks.items() if mark.tag == "text" and mark.text}
    return [
        key for key, (left, top, right, bottom) in boxes.items()
        if math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) < reach
    ]  # fmt: skip
