"""The five marks that every picture is made of, and the roles that the style sheet paints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from loom.draw.path import step_by_step

LEVELS = 16  # shades of the colour scale, from little to much
SIDE = 8  # shades on either side of the diverging scale
# The roles of the colour scales, whose style sheet only pages that show them load.
SCALED = frozenset(
    [
        *[f"level-{number}" for number in range(LEVELS)],
        *[f"{side}-{number}" for side in ("below", "above") for number in range(1, SIDE + 1)],
    ]
)
# What a mark is for. Colours belong to the style sheet, see static/css/scenes.css.
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
        *SCALED,
    ]
)
# The kind of thing that a role stands for. All other roles are states of a thing, or tones of text.
FAMILIES = {
    **dict.fromkeys(["data", "work", *[f"series-{number}" for number in range(1, 7)]], "what is worked on"),
    "memory": "memory",
    "link": "a link",
    "grip": "a knob",
}
# How a role is drawn; any number of modifiers may follow a role.
# "steady" moves linearly from beat to beat, as a playhead does; an "answer" is hidden until a prediction is made; a
# "solid" path is filled and has no stroke: many boxes as one mark. A "halo" separates a text from what lies behind it.
# The reader may show "measured" and "modelled" marks together, or either alone. A "hint" asks for the hand, and is not
# there where a picture does not answer it.
MODIFIERS = frozenset(
    ["soft", "outline", "strong", "dashed", "thin", "thick", "start", "middle", "end", "steady", "answer", "solid",
     "halo", "measured", "modelled", "hint"]
)  # fmt: skip
# The elements and the attributes of each; no other attribute ever gets into a page.
_SHAPES: dict[str, dict[str, Any]] = {
    "rect": {"x": float, "y": float, "width": float, "height": float, "rx": float},
    "circle": {"cx": float, "cy": float, "r": float},
    "line": {"x1": float, "y1": float, "x2": float, "y2": float},
    "path": {"d": str, "pathLength": float, "stroke-dasharray": str},
    "text": {"x": float, "y": float, "font-size": float, "rotate": float},
}
SHAPES = {tag: {**shape, "opacity": float | str} for tag, shape in _SHAPES.items()}
OPTIONAL = frozenset({"rx", "pathLength", "stroke-dasharray", "rotate", "opacity"})  # attributes
TAGS = frozenset(SHAPES)
MAX_WAIT = 15


Point = tuple[float, float]


class Handle(NamedTuple):
    """Makes a mark draggable: moving it along its rail sets one parameter, or two.

    `rail` has a place for each value of the parameter, in order. For two parameters it has the places of all values of
    the second for the first value of the first, then for its next value. The mark is centred on the present values.
    """

    params: tuple[str, ...]
    rail: tuple[Point, ...]

    @property
    def spelled(self) -> str:
        """Its form in the data files: `m,n|40 100 52 100`."""
        return f"{','.join(self.params)}|{' '.join([f'{spelled(x)} {spelled(y)}' for x, y in self.rail])}"


class Mark(NamedTuple):
    """One keyed mark. The same key in the next frame is the same thing, moved or changed.

    `set` has the parameters that pressing the mark sets: the player makes it a button called `label`.
    `wait` staggers marks that move in one step: 0 goes first, 15 last.
    `read` is the read-out: the number that the mark stands for, in words, shown when the reader points at it.
    `handle` is the rail along which the mark can be dragged; its name is `label`, or else the parameter's label.
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
        """A hashable form of the mark, to look it up by: its shape is a mapping, which has no hash."""
        key, tag, role, shape, text, sets, label, wait, read, handle = self
        known = (key, tag, role, text, wait, read, *shape, *shape.values())
        return (*known, label, handle, *(sets or {}).items()) if sets or handle else known


@lru_cache(1 << 16)  # most numbers recur: drawings stand on grids, and stay from step to step
def tidy(number: float) -> float:
    """A coordinate rounded to half a CSS pixel, the finest that can be seen; numbers below 2 keep one decimal."""
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
    """The SVG attributes of a mark: its class, and its shape in rounded numbers.

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
    """The first attribute of a mark that is NaN or infinite, or a path that holds such a number; empty if none is."""
    for name, value in mark.shape.items():
        if "nan" in value or "inf" in value if isinstance(value, str) else not _is_finite(value):
            return name
    return ""


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int that is too large for a float
        return False


def _tidied(tag: str, shape: Mapping[str, float | str]) -> dict[str, float | str]:
    """A shape's numbers, rounded, in the order of `SHAPES` and not in that of the arguments."""
    known = [(name, shape[name]) for name in SHAPES[tag] if name in shape]
    numbers = {name: value if isinstance(value, str) else tidy(value) for name, value in known}
    if "d" in numbers:
        numbers["d"] = step_by_step(str(numbers["d"]))
    if "rotate" in numbers:  # the player moves other texts by `translate`
        x, y, degrees = (numbers.pop(name) for name in ("x", "y", "rotate"))
        numbers["transform"] = f"translate({x} {y})rotate({degrees})"
    if not numbers.get("rx", True):
        del numbers["rx"]  # square corners are the default
    return numbers
