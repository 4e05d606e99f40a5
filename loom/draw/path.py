"""Path data with relative coordinates: each point is given as the step from the one before, the first as a place."""

from __future__ import annotations

import re
from functools import lru_cache

NUMBER = r"(-?\d+(?:\.\d)?)"
OUTLINE = re.compile(r"(?:M{0} {0}(?: {0} {0})+Z)+".format(r"-?\d+(?:\.\d)?"))  # points without letters
SEGMENT = re.compile(rf"([ML]){NUMBER} {NUMBER}|(Z)")
PATH = re.compile(f"(?=M)(?:{SEGMENT.pattern})*")  # as the pen draws it
START = re.compile(rf"m{NUMBER} ?{NUMBER}")
ORIGIN = "m0 0"
STEPS = re.compile(r"[mlz\d. -]*")
REPEATED = re.compile(r"(?<!z)l(-?)")


@lru_cache(1 << 12)  # the frames of a scene share many paths
def step_by_step(path: str) -> str:
    """A path with relative coordinates: they are shorter than absolute ones, and compress better.

    The points stay the same, each with its letter; a path that the pen would not have written is left as it is. An
    outline has no letters between its points: there are too many to be moved one by one, and the player, which compares
    the letters of two paths, replaces it as a whole.
    """
    if OUTLINE.fullmatch(path):
        return _outlines([[round(10 * float(number)) for number in ring.split()] for ring in path[1:-1].split("ZM")])
    if not PATH.fullmatch(path):
        return path
    here = start = (0, 0)  # in tenths: integers add up without rounding errors
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
    """The same path without repeated letters, for static pictures, whose letters nobody compares."""
    return REPEATED.sub(lambda found: found[1] or " ", path) if STEPS.fullmatch(path) else path


def without_place(path: str) -> dict[str, float | str]:
    """A path's first point as `x` and `y`, and as `d` the same path from the origin; others than ours stay whole."""
    found = START.match(path)
    if not found:
        return {"d": path}
    x, y = (float(number) if "." in number else int(number) for number in found.groups())
    return {"d": ORIGIN + path[found.end() :], "x": x, "y": y}


def with_place(x: float, y: float, path: str) -> str:
    """The path of which `without_place` gave these."""
    return f"m{x} {y}".replace(" -", "-") + path.removeprefix(ORIGIN)


def _outlines(rings: list[list[int]]) -> str:
    """Closed lines without letters between their points; each starts with the step from the start of the last."""
    found, left, top = [], 0, 0
    for ring in rings:
        x, y, *_ = ring
        steps = [x - left, y - top, *[after - before for before, after in zip(ring, ring[2:], strict=False)]]
        found.append("m" + " ".join(map(_spelled, steps)).replace(" -", "-") + "z")
        left, top = x, y
    return "".join(found)


def _spelled(tenths: int) -> str:
    return str(tenths / 10) if tenths % 10 else str(tenths // 10)
