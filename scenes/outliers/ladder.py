"""The values that a scale leaves a format near zero, as lines: always as many, so that they move as the scale does."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from .._formats.floats import finite_values
from .model import STRENGTHS, Array, Case, case

SPAN = 5.0  # the field shows −5 to 5 [1]: all values of quiet channels
LINES = 14  # on either side of zero: as many as INT8 has below 5 when a channel is 20 times as loud
COUNTS = {fmt: 255 if fmt == "INT8" else len(finite_values(fmt)) for fmt in ("INT8", "E4M3", "E2M1")}


class Ladder(NamedTuple):
    """What can be kept, above zero; below it is the mirror image."""

    lines: Array  # shape (14,) [1]: values; those beyond the field are held at its end
    close: float  # up to here the values lie closer than can be drawn [1]


def ladder(one: Case, apart: float) -> Ladder:
    """The lines of a case where no two are closer than `apart` [1]; in between there may be more."""
    if one.fmt == "INT8":  # evenly: every second or tenth of them is drawn where all would be a blur
        every = math.ceil(apart / one.scale)
        codes = every * np.arange(1, LINES + 1)
        values = np.where(codes > 127, SPAN, np.minimum(codes * one.scale, SPAN))
        return Ladder(values, min(SPAN, one.largest) if every > 1 else 0.0)
    values = finite_values(one.fmt) * one.scale
    values = np.append(0.0, values[values > 0])
    close = values[:-1][np.diff(values) < apart].max(initial=0.0)
    seen = values[(values > close) & (values < SPAN)][:LINES]
    return Ladder(np.append(seen, np.full(LINES - seen.size, SPAN)), min(close, SPAN))


@cache
def on_the_way_up(fmt: str, strength: int) -> tuple[Case, ...]:
    """A scale that is stretched to a loud channel passes those that would do for less loud ones.

    What becomes of the quiet values at each is what becomes of them beside such a channel: they are the same.
    """
    return tuple(case(fmt, "none", one) for one in STRENGTHS if one <= strength)


@cache
def on_the_way_down(fmt: str, strength: int, cure: str) -> tuple[Case, ...]:
    """The scales that are passed when it follows the largest value down to where the cure has brought it."""
    before, after = case(fmt, "none", strength), case(fmt, cure, strength)
    passed = [one for one in on_the_way_up(fmt, strength)[::-1] if after.largest < one.largest < before.largest]
    return (*passed, after)
