"""A formula as a label: its scripts are texts of their own, smaller and off the line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from loom.draw.marks import Mark
from loom.draw.maths import Part, parts
from loom.draw.pen import Pen

SMALLER = 0.75  # what is raised or lowered, but no smaller than can be read
UP, DOWN = 0.38, 0.2  # of the type size; a little more where a letter has both
APART = 0.1
GAP = 0.05  # of the type size, before a script
Anchor = Literal["start", "middle", "end"]


def formula(pen: Pen, key: str, x: float, y: float, tex: str, role: str = "label", *, anchor: Anchor = "start",
            size: float = 0, middle: bool = False, rotate: float = 0, read: str = "") -> Iterator[Mark]:  # fmt: skip
    r"""A formula of one line, as a few texts side by side: `formula(pen, "decay", x, y, "e^{-kt}")`.

    It is placed and turned as by `pen.text`, and measured by `bounding_box`. It knows what `maths` knows, and letters
    that are raised or lowered. `read` says it in words, "e to the minus k t", to who points at it and who hears it.
    """
    size, strong = size or pen.size, "strong" in role.split()
    small = max(SMALLER * size, pen.smallest)
    runs, width = _runs(pen, _joined(parts(tex)), (size, small), strong)
    start = {"start": 0.0, "middle": -width / 2, "end": -width}[anchor]
    base = 0.35 * size if middle else 0.0
    cos, sin = math.cos(math.radians(rotate)), math.sin(math.radians(rotate))
    for at, (words, along, down, type_size) in enumerate(runs):
        across, below = start + along, base + down
        place = x + across * cos - below * sin, y + across * sin + below * cos
        yield pen.text(f"{key}-{at}", *place, words, role, size=type_size, rotate=rotate, read="" if at else read)


def _joined(found: Sequence[Part]) -> list[Part]:
    """As few parts as there can be: what is raised or lowered as small digits of the font is words like others."""
    joined: list[Part] = []
    for part in found:
        one = part if part.plain is None else Part(part.plain)
        if joined and not (joined[-1].raised or joined[-1].lowered):
            one = one._replace(words=joined.pop().words + one.words)
        joined.append(one)
    return joined


def _runs(pen: Pen, found: Sequence[Part], sizes: tuple[float, float],
          strong: bool) -> tuple[list[tuple[str, float, float, float]], float]:  # fmt: skip
    """Each text with its place along the line and below it, and its size; and how wide all are together."""
    (size, small), along, runs = sizes, 0.0, []
    for given, raised, lowered in found:
        words = re.sub(" +", " ", given)  # as SVG shows it
        if words.strip():  # a text begins with its first letter: spaces are only room
            room = pen.text_width(words[: len(words) - len(words.lstrip())], size=size, strong=strong)
            runs.append((words.strip(), along + room, 0.0, size))
        along += pen.text_width(words, size=size, strong=strong)
        more = APART if raised and lowered else 0.0
        scripts = [(raised, -(UP + more) * size), (lowered, (DOWN + more) * size)]
        gap = GAP * size if raised or lowered else 0.0
        runs += [(script, along + gap, down, small) for script, down in scripts if script]
        along += gap + pen.text_width([raised, lowered], size=small, strong=strong)
    return runs, along
