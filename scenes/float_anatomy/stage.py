"""Where things stand: the row of bits, three lines that zoom in on a number, and the list of formats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

from loom.draw import Box, Mark, Pen

from .._formats.floats import FLOATS, Float
from .model import CODES
from .nearest import FORMATS
from .words import power_of_two

# Field name and role, from the highest bit down.
FIELDS = (("sign", "series-5"), ("exponent", "series-2"), ("mantissa", "series-1"))
DEEPEST = 5  # bits of the mantissa whose ticks can be told apart


@dataclass(frozen=True)
class Bits:
    """The row of bits: squares in one pitch, with gaps between the fields."""

    fields: tuple[list[Box], ...]  # the squares of sign, exponent and mantissa
    side: float  # height of a square
    size: float  # of a digit
    between: str  # what keeps digits apart where two are one text


@dataclass(frozen=True, eq=False)
class Stage:
    """The layout for one format at one width, and what is drawn for every code of it."""

    pen: Pen
    fmt: Float
    mirrored: bool = False  # a negative number: larger magnitudes lie to the left

    @cached_property
    def margin(self) -> float:
        """Beside the lines, for what their ends are called."""
        return self.pen.pick(42, 64)

    @cached_property
    def span(self) -> float:
        return self.pen.width - 2 * self.margin

    @property
    def places(self) -> int:
        """Values of the exponent field."""
        return 2**self.fmt.exponent_bits

    def at(self, share: float) -> float:
        """The place of a share (0 to 1) of the way from zero outwards."""
        return self.margin + self.span * (1 - share if self.mirrored else share)

    def share(self, size: float) -> float:
        """How far from zero outwards a magnitude stands on the line of all powers of two (0 to 1)."""
        normal, power = self.fmt.smallest_normal, math.frexp(size)[1] - 1
        field = size / normal if size < normal else power + self.fmt.bias + size / 2.0**power - 1
        return min(1.0, field / self.places)

    @property
    def formula(self) -> tuple[float, float]:
        """Where the answer begins: its left end and its baseline."""
        return 0.0, self.pen.pick(102.0, 93.0)

    def between(self, start: float, end: float, within: Box) -> Box:
        """The box from one share of a line to another."""
        left, right = sorted((self.at(start), self.at(end)))
        return Box(left, within.y, right - left, within.height)

    @cached_property
    def bits(self) -> Bits:
        pen, blank = self.pen, "\u00a0"
        if self.fmt.bits in CODES:
            pitch, gap = pen.pick({4: (50, 20), 6: (44, 16), 8: (37, 10)}[self.fmt.bits], (46, 24))
            side, size, between = min(pitch - 2, 36.0), pen.large, ""
        else:
            narrow = (13.5, blank, 6.0) if self.fmt.bits > 19 else (15.0, blank * 2, 10.0)
            size, between, gap = pen.pick(narrow, (19.0, blank * 2, 14.0))
            pitch, side = pen.text_width("0" + between, size=size), size + 8
        lengths = (1, self.fmt.exponent_bits, self.fmt.mantissa_bits)
        starts = (0.0, pitch + gap, (1 + self.fmt.exponent_bits) * pitch + 2 * gap)
        fields = (
            Box(start, 1, pitch * length, side).columns(length) for start, length in zip(starts, lengths, strict=True)
        )
        return Bits(tuple(fields), side, size, between)

    @cached_property
    def outlines(self) -> list[Mark]:
        """The frame of each field, cut into its squares."""
        found = []
        for (name, role), squares in zip(FIELDS, self.bits.fields, strict=True):
            top, foot, left = 1.0, self.bits.side + 1, squares[0].x
            frame = Box(left, top, squares[-1].right - left, foot - top)
            cuts = [[(box.x, top), (box.x, foot)] for box in squares[1:]]
            found.append(self.pen.strokes(name, [frame.corners, *cuts], role))
        return found

    @cached_property
    def ruler(self) -> Box:
        """All powers of two."""
        return Box(self.margin, *self.pen.pick((138, self.span, 16), (129, self.span, 16)))

    @cached_property
    def ruler_marks(self) -> list[Mark]:
        """A place for every value of the exponent field, and the powers of two at which some begin."""
        pen, box, places = self.pen, self.ruler, self.places
        every = 1 if places <= 32 else 16
        cuts = [self.at(place / places) for place in range(every, places, every)]
        lines = [box.corners, *([(x, box.y), (x, box.bottom)] for x in cuts)]
        sign = "−" if self.mirrored else ""
        return [pen.strokes("ruler", lines, "axis thin")] + [
            pen.text(f"p{field}", self.at(field / places), box.y - 11, words if words == "0" else sign + words, "note",
                     anchor="middle") for field, words in self.ruler_labels()
        ]  # fmt: skip

    def ruler_labels(self) -> list[tuple[int, str]]:
        """Powers of two at the beginnings of their places, as far apart as their words need; and what stands last."""
        places, bias, room = self.places, self.fmt.bias, self.pen.pick(34, 40)
        every = 1
        while self.span * every / places < room:
            every *= 2
        last = places - 1 if self.fmt.infinite else places
        fields = [field for field in range(bias % every or every, last, every)
                  if room / 2 < self.span * field / places < self.span - room / 2]  # fmt: skip
        end = "∞" if self.fmt.infinite else power_of_two(places - bias)
        return [(0, "0"), *((field, power_of_two(field - bias)) for field in fields), (places, end)]

    @cached_property
    def rail(self) -> list[tuple[float, float]]:
        """Where each code of a small format stands on the ruler; those of the other sign are out of reach."""
        half, y = 2 ** (self.fmt.bits - 1), self.ruler.y + self.ruler.height / 2
        own = [(self.at(code / half), y) for code in range(half)]
        away = [(5 * self.pen.width, y)] * half  # to the right, where the arrow keys look for them
        return away + own if self.mirrored else own + away

    @cached_property
    def bar(self) -> Box:
        """From one power of two to the next."""
        return Box(self.margin, *self.pen.pick((192, self.span, 26), (188, self.span, 28)))

    @cached_property
    def bar_ticks(self) -> Mark:
        """Halves, quarters, eighths …, each shorter than those before."""
        box, ticks = self.bar, []
        deepest = min(self.fmt.mantissa_bits, DEEPEST)
        for depth in range(1, deepest + 1):
            tall = box.height * 0.42 * (1 - 0.7 * (depth - 1) / deepest)  # words stand over them
            for place in range(1, 2**depth, 2):
                x = self.at(place / 2**depth)
                ticks.append([(x, box.bottom - tall), (x, box.bottom)])
        return self.pen.strokes("bar", [box.corners, *ticks], "axis thin")

    @cached_property
    def rows(self) -> tuple[Box, ...]:
        """The list of formats."""
        return tuple(Box(0, *self.pen.pick((186, 328, 154), (183, 840, 157))).rows(len(FORMATS)))

    @cached_property
    def octave(self) -> Box:
        """The stretch on which the list has its values, without a height."""
        return Box(*self.pen.pick((58, 186, 94, 0), (84, 183, 430, 0)))


@cache  # shared by all codes of a format
def stage(format: str, width: float, mirrored: bool) -> Stage:
    """The layout of a format at this width, for numbers above or below zero."""
    return Stage(Pen(width), FLOATS[format], mirrored)
