"""Paths as they are sent: each point told from the one before."""

from __future__ import annotations

import re
from functools import lru_cache

NUMBER = r"(-?\d+(?:\.\d)?)"
SEGMENT = re.compile(rf"([ML]){NUMBER} {NUMBER}|(Z)")
PATH = re.compile(f"(?=M)(?:{SEGMENT.pattern})*")  # as the pen draws it
STEPS = re.compile(r"[mlz\d. -]*")
REPEATED = re.compile(r"(?<!z)l(-?)")


@lru_cache(1 << 12)  # marks of several frames repeat much
def step_by_step(path: str) -> str:
    """A path with each point told from the one before: steps are shorter than places, and more alike.

    It leads through the very same points, with a letter for each; one that the pen would not have drawn stays as it is.
    """
    if not PATH.fullmatch(path):
        return path
    here = start = (0, 0)  # in tenths, which add up exactly
    found = []
    for letter, x, y, close in SEGMENT.findall(path):
        if close:
            here = start
            found.append("z")
            continue
        there = (round(10 * float(x)), round(10 * float(y)))
        across, down = _spelled(there[0] - here[0]), _spelled(there[1] - here[1])
        found.append(f"{letter.lower()}{across}{down if down[0] == '-' else f' {down}'}")
        here, start = there, there if letter == "M" else start
    return "".join(found)


def shortest(path: str) -> str:
    """The same path where its letters need not be compared: lines go on until another letter comes."""
    return REPEATED.sub(lambda found: found[1] or " ", path) if STEPS.fullmatch(path) else path


def _spelled(tenths: int) -> str:
    return str(tenths / 10) if tenths % 10 else str(tenths // 10)
