"""The five marks that every picture is made of, and the roles that the style sheet paints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from loom.draw.path import step_by_step

LEVELS = 16  # shades of the colour scale, from little to much
SIDE = 8  # those of the other scale, which goes both ways from a middle, on either side of it
# What a mark is for. Colour belongs to the style sheet; see static/css/scenes.css.
ROLES = frozenset(
    [
        "data",
        "hot",
        "kept",
        "dropped",
        "pad",
        "ghost",
        "axis",
        "grid",
        "note",
        "label",
        "value",
        "cell",
        "quiet",
        "link",
        "work",
        "memory",
        "grip",
        "series-1",
        "series-2",
        "series-3",
        "series-4",
        "series-5",
        "series-6",
        "sign",
        *[f"level-{number}" for number in range(LEVELS)],
        *[f"{side}-{number}" for side in ("below", "above") for number in range(1, SIDE + 1)],
    ]
)
# What a thing is, by its role. All other roles say what becomes of it, or are tones of words.
FAMILIES = {
    **dict.fromkeys(["data", "work", *[f"series-{number}" for number in range(1, 7)]], "what is worked on"),
    "memory": "memory",
    "link": "a link",
    "grip": "a knob",
}
# How a role is drawn; any number of them may follow a role.
# "steady" moves evenly from beat to beat, as a playhead does; an "answer" is hidden until a prediction is made; a
# "solid" path is filled and has no stroke: many boxes as one mark. A "halo" of paper keeps words apart from what they
# stand on. What was "measured" stands beside what is
# "modelled", and the reader may look at either alone.
MODIFIERS = frozenset(
    ["soft", "outline", "strong", "dashed", "thin", "thick", "start", "middle", "end", "steady", "answer", "solid",
     "halo", "measured", "modelled"]
)  # fmt: skip
# The elements, and what each may have: an attribute that is not listed never comes into a page.
_SHAPES: dict[str, dict[str, Any]] = {
    "rect": {"x": float, "y": float, "width": float, "height": float, "rx": float},
    "circle": {"cx": float, "cy": float, "r": float},
    "line": {"x1": float, "y1": float, "x2": float, "y2": float},
    "path": {"d": str, "pathLength": float, "stroke-dasharray": str},
    "text": {"x": float, "y": float, "font-size": float, "rotate": float},
}
SHAPES = {tag: {**shape, "opacity": float | str} for tag, shape in _SHAPES.items()}
OPTIONAL = frozenset({"rx", "pathLength", "stroke-dasharray", "rotate", "opacity"})  # what may be left out
TAGS = frozenset(SHAPES)
MAX_WAIT = 15


Point = tuple[float, float]


class Handle(NamedTuple):
    """What a reader may take hold of: moving the mark along its rail sets a parameter, or two.

    `rail` has a place for each value of the parameter in its order; for two, the places of all values of the second
    for the first value of the first, and so on. The mark's own middle is at the place of the present values.
    """

    params: tuple[str, ...]
    rail: tuple[Point, ...]

    @property
    def spelled(self) -> str:
        """As it travels: `m,n|40 100 52 100`."""
        return f"{','.join(self.params)}|{' '.join([f'{spelled(x)} {spelled(y)}' for x, y in self.rail])}"


class Mark(NamedTuple):
    """One keyed mark. The same key in the next frame is the same thing, moved or changed.

    `set` names parameters that pressing the mark sets (the player makes it a button called `label`).
    `wait` staggers marks that move in one step: 0 goes first, 15 last.
    `read` is the number that the mark stands for, in words, told when it is pointed at.
    `handle` is the rail that the mark can be moved along; `label` may name it, or else the parameter's does.
    """

    key: str
    tag: str
    role: str
    shape: Mapping[str, float | str]
    text: str = ""
    set: Mapping[str, str] | None = None
    label: str = ""
    wait: int = 0
    read: str = ""
    handle: Handle | None = None

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells the mark from others, to look it up by: its shape is a mapping, and has no hash."""
        key, tag, role, shape, text, sets, label, wait, read, handle = self
        known = (key, tag, role, text, wait, read, *shape, *shape.values())
        return (*known, label, handle, *(sets or {}).items()) if sets or handle else known


@lru_cache(1 << 16)  # few places are met once only: drawings stand on grids, and stay from step to step
def tidy(number: float) -> float:
    """Half a CSS pixel is as fine as a place can be seen; more would only be bytes. Small lengths keep a decimal."""
    rounded = round(float(number) * 2) / 2 if abs(number) >= 2 else round(float(number), 1)
    return int(rounded) if rounded == int(rounded) else rounded


@lru_cache(1 << 16)
def spelled(number: float) -> str:
    """A coordinate as it is written in a path."""
    return str(tidy(number))


@lru_cache(1 << 16)
def place(x: float, y: float) -> str:
    """A point as it is written in a path."""
    return f"{spelled(x)} {spelled(y)}"


def spelling(value: object) -> str:
    """How a parameter's value is written in a page, a link, a mark or on the command line."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def fields(mark: Mark) -> dict[str, float | str]:
    """What a mark is drawn by: its class, and its shape in numbers that are no finer than can be seen.

    Lines are written as paths, because `d` takes part in CSS transitions, and `x1` does not.
    """
    role = f"{mark.role} wait-{mark.wait}" if mark.wait else mark.role
    shape: Mapping[str, Any] = mark.shape
    if mark.tag == "line":
        x1, y1, x2, y2 = spelled(shape["x1"]), spelled(shape["y1"]), spelled(shape["x2"]), spelled(shape["y2"])
        return {"class": role, "d": step_by_step(f"M{x1} {y1}L{x2} {y2}")}
    return {"class": role, **_tidied(mark.tag, shape)}


def svg_tag(mark: Mark) -> str:
    """The element that draws the mark."""
    return "path" if mark.tag == "line" else mark.tag


def not_finite(mark: Mark) -> str:
    """What of a mark is NaN or infinite, or has such a number within its path: the first, or nothing."""
    for name, value in mark.shape.items():
        if "nan" in value or "inf" in value if isinstance(value, str) else not _is_finite(value):
            return name
    return ""


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _tidied(tag: str, shape: Mapping[str, float | str]) -> dict[str, float | str]:
    """A shape's numbers, in one order however they were given."""
    known = [(name, shape[name]) for name in SHAPES[tag] if name in shape]
    numbers = {name: value if isinstance(value, str) else tidy(value) for name, value in known}
    if "d" in numbers:
        numbers["d"] = step_by_step(str(numbers["d"]))
    if "rotate" in numbers:  # the player places a text by `transform`, and leaves one that is there as it is
        x, y, degrees = (numbers.pop(name) for name in ("x", "y", "rotate"))
        numbers["transform"] = f"translate({x} {y})rotate({degrees})"
    if not numbers.get("rx", True):
        del numbers["rx"]  # square corners are what a rect has
    return numbers
