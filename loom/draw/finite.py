"""Numbers that are not finite have no place on a stage: which of many they are, in the words of who gave them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from loom.expected import Mistaken

CAUSE = "look for a division by zero or a logarithm of zero"


def finite(piece: str, **columns: Sequence[float]) -> None:
    """Refuse columns of numbers for the first place at which one of them is NaN or infinite.

    `piece` is what would be drawn of them, with its key; the columns are named as the arguments are.
    """
    import numpy as np  # here, so that a build that computes no scene does without

    found: list[tuple[int, str]] = []
    for name, values in columns.items():
        wrong = ~np.isfinite(np.asarray(values, dtype=float))
        if wrong.any():
            found.append((int(wrong.argmax()), name))
    if found:
        at, name = min(found)
        values = columns[name]
        message = f"{piece} has a number that is not finite: {name}[{at}] of {len(values)} is {values[at]:g}"
        raise Mistaken((message, f"{CAUSE}, and leave out what has no number"))


def finite_points(piece: str, lines: Sequence[Sequence[tuple[float, float]]], name: str) -> None:
    """The same of points on the stage, for what could not be written: of one line, or of many."""
    for number, line in enumerate(lines):
        for at, point in enumerate(line):
            try:
                known = all(map(math.isfinite, point))
            except (TypeError, OverflowError):  # no numbers, or more digits than a float has: told elsewhere
                return
            if not known:
                where = f"{name}[{at}]" if len(lines) == 1 else f"{name}[{number}][{at}]"
                place = ", ".join([f"{one:g}" for one in point])
                message = f"{piece} has a point that is not finite: {where} of {len(line)} is ({place})"
                raise Mistaken((message, CAUSE))
