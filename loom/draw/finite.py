"""Refuse numbers that are not finite, and say which of the author's numbers it is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from loom.expected import Mistaken

CAUSE = "look for a division by zero or a logarithm of zero"


def finite(piece: str, **columns: Sequence[float]) -> None:
    """Raise Mistaken at the first index at which a column of numbers is NaN or infinite.

    `piece` is what would be drawn, with its key; a column has the name of the argument that it was given as.
    """
    import numpy as np  # here, so that a build that computes no scene does not import it

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
    """Raise Mistaken at the first point that is not finite: in one line, or in one of several."""
    for number, line in enumerate(lines):
        for at, point in enumerate(line):
            try:
                known = all(map(math.isfinite, point))
            except (TypeError, OverflowError):  # not numbers, or too large for a float: reported elsewhere
                return
            if not known:
                where = f"{name}[{at}]" if len(lines) == 1 else f"{name}[{number}][{at}]"
                place = ", ".join([f"{one:g}" for one in point])
                message = f"{piece} has a point that is not finite: {where} of {len(line)} is ({place})"
                raise Mistaken((message, CAUSE))
