"""Corners of the two curves: gaps that double at each power of two, and gaps divided by their values."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .model import Array, gap, number_format
from .stage import Line, exponents

STEP = 3.0  # steps narrower than this are drawn as one slope
TOOTH = 6.0  # teeth narrower than this, or twice as much if bent, are drawn as a box that they fill


def edges(name: str, line: Line) -> Array:
    """Where the gap of a format changes, from its smallest normal value to its largest one on the axis [1]."""
    fmt = number_format(name)
    top = min(fmt.largest, line.high)
    inner = np.zeros(0) if fmt.integer else 2.0 ** exponents(2 * fmt.smallest_normal, top)
    return np.array([fmt.smallest_normal, *inner[inner < top], top])


@lru_cache(maxsize=1024)
def stairs(name: str, line: Line) -> tuple[Array, Array]:
    """Corners of the gaps of a format, as values and gaps [1], each shape (corners,)."""
    at = edges(name, line)
    if line.log and line.power < STEP and not number_format(name).integer:
        ends = np.array([number_format(name).smallest, at[1], at[-1]])
        return ends, gap(np.array([ends[0], ends[0], at[-2]]), name)
    at[0] = number_format(name).smallest if line.log else 0.0
    return np.repeat(at, 2)[1:-1], np.repeat(gap(at[:-1], name), 2)


@lru_cache(maxsize=1024)
def teeth(name: str, line: Line) -> tuple[Array, Array]:
    """Corners of the relative gaps, as values and gaps divided by them [1], each shape (corners,).

    The normal values of a float make one falling tooth for each power of two. Where teeth are too narrow they
    become a box, walked around once. On a log axis the subnormal values come first.
    """
    fmt, at = number_format(name), edges(name, line)
    wide = np.diff(line.at(at)) >= 2 * TOOTH if not line.log else np.full(len(at) - 1, line.power >= TOOTH)
    from_tooth = 0 if fmt.integer else int(np.argmax(wide)) if wide.any() else len(at) - 1
    xs, ys = [], []
    if line.log and fmt.subnormals:
        xs, ys = [fmt.smallest], [1.0]
    if from_tooth:
        low, high, most = at[0], at[from_tooth], 2.0**-fmt.mantissa_bits
        xs += [low, low, high, high, low, high]
        ys += [most, most / 2, most / 2, most, most, most]
    for low, high in zip(at[from_tooth:-1], at[from_tooth + 1 :], strict=True):
        points = np.geomspace(low, high, _bends(line, low, high))
        xs += points.tolist()
        ys += (gap(low, name) / points).tolist()
    return np.array(xs), np.array(ys)


def _bends(line: Line, low: float, high: float) -> int:
    """How many points make a falling tooth look smooth: on two log axes it is straight."""
    return 2 if line.log else int(np.clip((line.place(high) - line.place(low)) / 12, 2, 24))


def extent(name: str, line: Line) -> tuple[float, float]:
    """The least and the most relative gap that the curve shows [1]."""
    _, ys = teeth(name, line)
    return float(ys.min()), float(ys.max())
