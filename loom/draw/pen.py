"""The pen makes marks for one width: it knows the type sizes, and measures texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict, TypeVar, Unpack

from loom.draw.box import Box
from loom.draw.finite import finite_points
from loom.draw.lines import NOWHERE, hatch_lines, points_of, polyline, polylines
from loom.draw.marks import Handle, Mark, Point, place, spelled, spelling
from loom.draw.text import text_width

BREAKPOINT = 500
SLIGHT = -2.0  # sizes of rectangles above this are none; below it they are a mistake
HALO = 8  # the width of the ring around a knob, see scenes.css
NOTHING: Mapping[str, object] = {}
Value = TypeVar("Value")


class More(TypedDict, total=False):
    """Optional fields of any mark, see `Mark`."""

    set: Mapping[str, object]
    label: str
    wait: int
    read: str
    handle: Handle


@dataclass(frozen=True)
class Pen:
    """Makes marks for a stage of `width` units."""

    width: float

    @cached_property
    def narrow(self) -> bool:
        return self.width < BREAKPOINT

    def pick(self, narrow: Value, wide: Value) -> Value:
        """One of two values by the width: `pen.pick(12, 16)` is 12 on a phone, and 16 on a wide stage."""
        return narrow if self.narrow else wide

    @cached_property
    def size(self) -> float:
        """The usual type size: 12 CSS px on a phone, 12 to 16 on a wide stage."""
        return 12 if self.narrow else 14.5

    @property
    def smallest(self) -> float:
        """The smallest type size that is allowed: 11 CSS px where the stage is at its smallest."""
        return self.pick(11, 13.2)

    @property
    def large(self) -> float:
        """For headings within the picture, and numbers that matter."""
        return 16 if self.narrow else 19

    @property
    def huge(self) -> float:
        """For the one number that answers the title's question."""
        return 26 if self.narrow else 32

    @property
    def knob_radius(self) -> float:
        """How far a knob covers what lies beneath: its circle with the ring around it."""
        return self.pick(7, 8) + HALO

    def rect(self, key: str, box: Box, role: str = "cell", *, round: float = 2, **more: Unpack[More]) -> Mark:
        """A rectangle. A size just below 0 is drawn as 0: rounding or a margin made it. NaN is refused later."""
        x, y, width, height = box
        shape: dict[str, float | str] = {
            "x": x, "y": y, "width": 0.0 if SLIGHT < width < 0 else width,
            "height": 0.0 if SLIGHT < height < 0 else height, "rx": round,
        }  # fmt: skip
        return _mark(key, "rect", role, shape, **more) if more else Mark(key, "rect", role, shape)

    def circle(self, key: str, x: float, y: float, radius: float, role: str = "data", **more: Unpack[More]) -> Mark:
        shape = {"cx": x, "cy": y, "r": radius}
        return _mark(key, "circle", role, shape, **more) if more else Mark(key, "circle", role, shape)

    def knob(
        self, key: str, x: float, y: float, params: str | tuple[str, ...], rail: Iterable[Point], label: str = ""
    ) -> Mark:
        """A draggable circle, large enough for a finger: moving it along its rail sets one parameter, or two."""
        shape: dict[str, float | str] = {"cx": x, "cy": y, "r": self.knob_radius - HALO}
        return Mark(key, "circle", "grip", shape, label=label, handle=_handle(key, params, rail))

    def line(
        self, key: str, x1: float, y1: float, x2: float, y2: float, role: str = "axis", **more: Unpack[More]
    ) -> Mark:
        shape = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        return _mark(key, "line", role, shape, **more) if more else Mark(key, "line", role, shape)

    def path(self, key: str, points: Iterable[tuple[float, float]], role: str = "data",
             *, close: bool = False, drawn: float | None = None, **more: Unpack[More]) -> Mark:  # fmt: skip
        """A polyline. `drawn` (0 to 1) is how much of its length shows, so that a curve can grow.

        A whole one has its dash, too: to a line without one, a player can't grow it.
        """
        line = polylines(key, points_of(f"the path '{key}'", [points]), "points")
        shape: dict[str, float | str] = {"d": line + ("Z" if close and line != NOWHERE else "")}
        if drawn is not None:
            shape |= {"pathLength": 100, "stroke-dasharray": f"{spelled(drawn * 100)} 200"}
        return _mark(key, "path", role, shape, **more)

    def strokes(
        self, key: str, lines: Iterable[Iterable[tuple[float, float]]], role: str = "axis", **more: Unpack[More]
    ) -> Mark:
        """Many lines as one mark, which takes fewer bytes than a mark for each."""
        d = polylines(key, points_of(f"the path '{key}'", lines), "lines")
        return _mark(key, "path", role, {"d": d or NOWHERE}, **more)

    def outline(self, key: str, rings: Iterable[Iterable[Point]], role: str = "data soft solid",
                **more: Unpack[More]) -> Mark:  # fmt: skip
        """Closed lines as one filled shape; a ring within another that runs the other way is a hole.

        Its points do not move one by one: the player replaces the shape as a whole.
        """
        given = points_of(f"the outline '{key}'", rings)
        try:
            drawn = [[place(x, y) for x, y in ring] for ring in given]
        except (ValueError, OverflowError):
            finite_points(f"the outline '{key}'", given, "rings")
            raise
        d = "".join([f"M{' '.join(ring)}Z" for ring in drawn if len(ring) > 1])
        return _mark(key, "path", role, {"d": d or "M0 0 0 0Z"}, **more)

    def text(self, key: str, x: float, y: float, words: str, role: str = "label", *,
             anchor: str = "start", size: float = 0, middle: bool = False, rotate: float = 0,
             **more: Unpack[More]) -> Mark:  # fmt: skip
        """A text whose baseline is at `y`, or whose middle is if `middle` is set.

        `rotate` turns it clockwise about its place, in degrees: at -90 it reads upwards.
        """
        size = size or self.size
        down = 0.35 * size if middle else 0.0
        shape: dict[str, float | str] = {"x": x, "y": y + down, "font-size": size}
        if rotate:
            angle = math.radians(rotate)
            shape |= {"x": x - down * math.sin(angle), "y": y + down * math.cos(angle), "rotate": rotate}
        role = role if anchor == "start" else f"{role} {anchor}"
        return _mark(key, "text", role, shape, words, **more) if more else Mark(key, "text", role, shape, words)

    def outlines(self, key: str, boxes: Iterable[Box], role: str = "axis", **more: Unpack[More]) -> Mark:
        """The outlines of many boxes as one mark."""
        return self.strokes(key, (box.corners for box in boxes), role, **more)

    def hatch(self, key: str, box: Box, role: str = "pad", gap: float = 5, **more: Unpack[More]) -> Mark:
        """Slanted lines across a box: they mark padding without relying on colour alone."""
        return self.hatches(key, [box], role, gap, **more)

    def hatches(self, key: str, boxes: Sequence[Box], role: str = "pad", gap: float = 5, **more: Unpack[More]) -> Mark:
        """Slanted lines across many boxes, as one mark."""
        d = "".join([hatch_lines(box, gap) for box in boxes])
        nowhere = polyline([boxes[0][:2]]) if boxes else NOWHERE
        return _mark(key, "path", role, {"d": d or nowhere}, **more)

    def text_width(self, words: str | Sequence[str], *, size: float = 0, strong: bool = False) -> float:
        """The width that a text takes, or the widest of several."""
        texts = [words] if isinstance(words, str) else words
        return max((text_width(text, size or self.size, strong) for text in texts), default=0.0)


def _handle(key: str, params: str | Iterable[str], rail: Iterable[Point]) -> Handle:
    """A handle of one parameter or more, with its rail as a tuple of points, whatever it is given as."""
    names = (params,) if isinstance(params, str) else tuple(params)
    return Handle(names, tuple([(x, y) for x, y in points_of(f"the rail of '{key}'", [rail])[0]]))


def _mark(
    key: str, tag: str, role: str, shape: Mapping[str, float | str], text: str = "", *,
    set: Mapping[str, object] = NOTHING, label: str = "", wait: int = 0, read: str = "", handle: Handle | None = None
) -> Mark:  # fmt: skip
    if isinstance(handle, Handle):
        handle = _handle(key, *handle)
    sets = None if set is NOTHING else {name: spelling(value) for name, value in set.items()} or None
    return Mark(key, tag, role, shape, text, sets, label, wait, read, handle)
