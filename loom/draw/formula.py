"""A formula as a label: its scripts are texts of their own, smaller and off the line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from loom.draw.marks import Mark
from loom.draw.maths import Part, parts
from loom.draw.pen import Pen

SMALLER = 0.75  # the size of scripts, of the type size; never below the pen's smallest
UP, DOWN = 0.38, 0.2  # of the type size; a little more where a letter has both
APART = 0.1
GAP = 0.05  # of the type size, before a script
Anchor = Literal["start", "middle", "end"]


def formula(pen: Pen, key: str, x: float, y: float, tex: str, role: str = "label", *, anchor: Anchor = "start",
            size: float = 0, middle: bool = False, rotate: float = 0, read: str = "") -> Iterator[Mark]:  # fmt: skip
    r"""A formula of one line, as a few texts side by side: `formula(pen, "decay", x, y, "e^{-kt}")`.

    It is placed and rotated as by `pen.text`, and measured by `bounding_box`. It knows what `maths` knows, and letters
    as scripts. `read` says it in words, "e to the minus k t", for the pointer and for screen readers.
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
    """Neighbouring parts merged: scripts that the font has as small digits are plain text like the rest."""
    joined: list[Part] = []
    for part in found:
        one = part if part.characters is None else Part(part.characters)
        if joined and not (joined[-1].raised or joined[-1].lowered):
            one = one._replace(words=joined.pop().words + one.words)
        joined.append(one)
    return joined


def _runs(pen: Pen, found: Sequence[Part], sizes: tuple[float, float],
          strong: bool) -> tuple[list[tuple[str, float, float, float]], float]:  # fmt: skip
    """Each text with its offset along the line, its offset below it, and its size; and the total width."""
    (size, small), along, runs = sizes, 0.0, []
    for given, raised, lowered in found:
        words = re.sub(" +", " ", given)  # SVG collapses spaces
        if words.strip():  # leading spaces only move the text
            room = pen.text_width(words[: len(words) - len(words.lstrip())], size=size, strong=strong)
            runs.append((words.strip(), along + room, 0.0, size))
        along += pen.text_width(words, size=size, strong=strong)
        more = APART if raised and lowered else 0.0
        scripts = [(raised, -(UP + more) * size), (lowered, (DOWN + more) * size)]
        gap = GAP * size if raised or lowered else 0.0
        runs += [(script, along + gap, down, small) for script, down in scripts if script]
        along += gap + pen.text_width([raised, lowered], size=small, strong=strong)
    return runs, along
