"""One direction of a plot: what it measures, over which span, on which scale, and the numbers beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from loom.draw.finite import CAUSE
from loom.expected import Mistaken, described
from loom.quantity import significant, trimmed

OUTSIDE = "widen its span, leave the point out, or cut lines and hold points at its end with clip=True"
MOST_SAMPLES, MOST_TICKS = 200_000, 1000  # the first is the limit of points in a mark
HAIR = 1e-9  # of a span: the rounding error of a float that is accepted


@dataclass(frozen=True)
class Axis:
    """One direction of a plot: what it measures, in which unit, over which span, on which scale.

    A value outside the span is refused, because it would be drawn in a wrong place. With `clip`, lines and areas end
    where they leave the plot, and a single place is clamped to the nearer end.
    """

    label: str
    unit: str = ""
    span: tuple[float, float] = (0.0, 1.0)
    log: bool = False
    ticks: tuple[float, ...] = ()  # chosen by the axis where empty
    clip: bool = False
    decades: bool = False  # ticks of a logarithmic axis at 1, 2, 5, 10 …, or at powers of ten; else at powers of two
    diverging: bool = False  # as a colour scale: two colours, which both grow stronger from the middle of the span

    def __post_init__(self) -> None:
        if not isinstance(self.unit, str):  # a span in its place would be drawn as one from 0 to 1
            message = f"the unit of the axis '{self.label}' is {described(self.unit)}"
            raise Mistaken((message, "it is a string, and the span comes after it: Axis('time', 's', (0, 9))"))

    @property
    def title(self) -> str:
        return f"{self.label} [{self.unit}]" if self.unit else self.label

    @property
    def signed(self) -> bool:
        """Whether its numbers are written with a plus or minus: it is symmetric about 0."""
        return self.diverging and self.span[0] == -self.span[1]

    @property
    def extent(self) -> float:
        """Its length from end to end, in the units of its scale (octaves on a logarithmic one)."""
        return self._scale[1]

    def normalize(self, value: float) -> float:
        """Where `value` lies between the ends, 0 to 1."""
        low, high = self.span
        start, room = self._scale
        if not low <= value <= high:
            gap = HAIR * abs(high - low)
            if not self.clip and not low - gap <= value <= high + gap:
                message = f"{float(value):g} lies outside the axis '{self.label}', which goes from {low:g} to {high:g}"
                raise Mistaken((message, OUTSIDE if math.isfinite(value) else CAUSE))
            value = min(max(value, low), high)
        return ((math.log2(value) if self.log else value) - start) / room if room > 0 else 0.0

    def normalize_all(self, values: Sequence[float]) -> list[float]:
        """Where many values lie between the ends. With `clip`, values outside give numbers below 0 or above 1."""
        import numpy as np  # here, so that a build that computes no scene does not import it

        wanted = np.asarray(values, dtype=float)
        low, high = self.span
        start, room = self._scale
        outside = ~((low <= wanted) & (wanted <= high))
        if outside.any() and not self.clip:
            for value in wanted[outside]:
                self.normalize(float(value))  # raises with the message
            wanted = np.clip(wanted, low, high)
        measured = np.log2(np.maximum(wanted, np.finfo(float).tiny)) if self.log else wanted
        found: list[float] = ((measured - start) / room if room > 0 else 0 * measured).tolist()
        return found

    def samples(self, count: int) -> list[float]:
        """`count` values from end to end, evenly spaced on the scale: where to sample a function that is drawn."""
        _bounded(self.label, "samples", count, MOST_SAMPLES)
        start, room = self._scale
        places = [start + room * at / max(1, count - 1) for at in range(count)]
        inner = [2.0**place if self.log else place for place in places][1:-1]
        return [self.span[0], *inner, self.span[1]][:count]  # the ends are exact

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """The start and the length of the axis in the units of its scale."""
        low, high = self._ends()
        return (math.log2(low), math.log2(high) - math.log2(low)) if self.log else (low, high - low)

    def _ends(self) -> tuple[float, float]:
        low, high = self.span
        if not -math.inf < low <= high < math.inf:
            message = f"the axis '{self.label}' goes from {low:g} to {high:g}"
            raise Mistaken((message, "give it a span of numbers, from less to more"))
        if self.log and min(self.span) <= 0:
            message = f"the axis '{self.label}' is logarithmic and goes from {self.span[0]:g} to {self.span[1]:g}"
            raise Mistaken((message, "begin it above 0"))
        return self.span

    def tick_values(self, wanted: int = 5) -> list[float]:
        """About `wanted` round numbers within the span."""
        _bounded(self.label, "ticks", wanted, MOST_TICKS)
        if self.ticks:
            return [tick for tick in self.ticks if self.span[0] <= tick <= self.span[1]]
        low, high = self._ends()
        if self.log and self.decades:
            return _decades(low, high, wanted)
        if self.log and high / low >= 4:  # over less than two octaves, round numbers are clearer than powers
            base = 2.0 if high / low <= 2**10 else 10.0
            first, last = math.ceil(math.log(low, base) - 1e-9), math.floor(math.log(high, base) + 1e-9)
            stride = max(1, math.ceil((last - first) / wanted))
            return [base**power for power in range(first, last + 1, stride)]
        rough = (high - low) / max(1, wanted)
        scale = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        gap = next(scale * factor for factor in (1, 2, 2.5, 5, 10) if scale * factor >= rough * 0.999)
        count = math.floor((high - low) / gap + 1e-9)
        least, most = math.ceil(low / gap - 1e-9) * gap, high + HAIR * (high - low)
        return [value for value in (least + gap * index for index in range(count + 1)) if value <= most]


def _bounded(label: str, what: str, count: int, most: int) -> None:
    """Refuse a count that would exhaust memory."""
    if count > most:
        raise Mistaken((f"the axis '{label}' is asked for {count:,} {what}", f"it gives {most:,} at most"))


def _decades(low: float, high: float, wanted: int) -> list[float]:
    """Powers of ten between two numbers, and where there is room 2 and 5 of each."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ladder = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    found = [tick for tick in ladder if low * (1 - HAIR) <= tick <= high * (1 + HAIR)]
    tens = [tick for tick in found if tick in ladder[::3]]
    return found if len(found) <= wanted + 2 else tens[:: max(1, math.ceil(len(tens) / (wanted + 1)))]


def labelled(ticks: Sequence[float], signed: bool = False) -> list[tuple[float, str]]:
    """Ticks with their numbers, `signed` with a plus: as few digits as keep them distinct, no trailing zeros."""
    for digits in range(4, 16):
        labels = [trimmed(significant(tick, digits)) for tick in ticks]
        if len(set(labels)) == len(set(ticks)):
            break
    if signed:
        labels = [f"+{words}" if tick > 0 else words for tick, words in zip(ticks, labels, strict=True)]
    return list(zip(ticks, labels, strict=True)) if ticks else []
