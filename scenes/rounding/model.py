"""Turn a running value and a small update into what a narrow format keeps of them, under three ways to round.

.. [1] Gupta et al., "Deep Learning with Limited Numerical Precision", 2015, arXiv:1502.02551 (stochastic rounding).
.. [2] IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229, section 4.3 (to nearest, ties to even; towards zero).
.. [3] Zamirai et al., "Revisiting BFloat16 Training", 2020, arXiv:2010.06192 (updates that nearest cancels).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._formats.floats import float_format, rounded, spacing

Array = NDArray[np.float64]

MODES = ("nearest", "stochastic", "truncation")
SEED = 7  # of their random draws: it chooses which runs are shown, and nothing else
BLOCK = 128  # updates that are computed at once


def neighbours(values: ArrayLike, fmt: str) -> tuple[Array, Array]:
    """The two numbers of the format that hold each value [1] between them, both of the shape of `values`.

    First the one towards zero, which is the value itself if the format has it, then the next one away from zero.
    Values beyond the format's largest are taken for the largest. Raises ValueError for an unknown format, and for
    values that are not finite.
    """
    values, largest = np.asarray(values, dtype=np.float64), float_format(fmt).largest
    if not np.isfinite(values).all():
        raise ValueError("only finite numbers have neighbours")
    held = np.minimum(np.maximum(values, -largest), largest)
    step = spacing(held, fmt)
    inner = np.trunc(held / step) * step  # exact: the step is a power of two
    outer = inner + np.copysign(step, held)
    return inner, np.where(np.abs(outer) > largest, inner, outer)


def chance(values: ArrayLike, fmt: str) -> Array:
    """Probability that stochastic rounding goes to the outer neighbour [1]: how far the value is on its way there [1]_.

    0 for a number of the format. Exact, as the expected result is: inner + chance · (outer − inner) = value.
    Shapes and errors as `neighbours`.
    """
    return _share(np.asarray(values, dtype=np.float64), *neighbours(values, fmt))


def _share(values: Array, inner: Array, outer: Array) -> Array:
    gap = outer - inner  # 0 where the format ends
    return (values - inner) / np.where(gap == 0, np.inf, gap)


def rounded_by(mode: str, values: ArrayLike, fmt: str, draws: ArrayLike | None = None) -> Array:
    """Values of the format [1] for exact values [1], float64 of their shape.

    Parameters
    ----------
    mode : {"nearest", "stochastic", "truncation"}
        To nearest with ties to even [2]_; to the outer neighbour with probability `chance` [1]_; towards zero [2]_.
    draws : array_like, optional
        For "stochastic": uniform random numbers in [0, 1), one for each value; below `chance` they go outwards.

    Raises ValueError as `neighbours`, for an unknown mode, and for stochastic rounding without draws.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode '{mode}', expected one of {', '.join(MODES)}")
    inner, outer = neighbours(values, fmt)
    if mode == "truncation":
        return inner
    if mode == "nearest":
        return rounded(values, fmt)
    if draws is None:
        raise ValueError("stochastic rounding needs random draws")
    return np.where(np.asarray(draws) < _share(np.asarray(values, dtype=np.float64), inner, outer), outer, inner)


def updated(mode: str, start: float, update: float, count: int, fmt: str, runs: int = 1) -> Array:
    """The running value [1] before and after each of `count` equal updates, rounded after each; (count + 1, runs).

    The update itself is exact; only the running value is narrow. Sums are formed in float64. Runs differ by their
    random draws, if there are any; the first of them does not depend on how many there are. Raises ValueError as
    `rounded_by`, for a start that the format lacks, and for fewer than one update.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count}")
    if rounded(start, fmt) != start:
        raise ValueError(f"{fmt} has no {start}")
    if mode == "stochastic":
        return _walks(start, update, count, fmt, runs)
    one = _steady_path(mode, start, update, count, fmt)
    return np.repeat(one[:, None], runs, axis=1)


def _steady_path(mode: str, start: float, update: float, count: int, fmt: str) -> Array:
    """The path without random draws: supposes that an update does what the one before did, as long as that is true."""
    path, done = np.full(count + 1, float(start)), 0
    while done < count:
        here = path[done]
        path[done + 1] = rounded_by(mode, here + update, fmt)
        tried = here + (path[done + 1] - here) * np.arange(1, min(BLOCK, count - done) + 1)
        same = _length(rounded_by(mode, tried[:-1] + update, fmt) == tried[1:])
        path[done + 2 : done + 2 + same] = tried[1 : 1 + same]
        done += 1 + same
    return path


def _walks(start: float, update: float, count: int, fmt: str, runs: int) -> Array:
    """Stochastic paths. Each run takes many updates at once, which do the same but for chance up to a power of two."""
    path = np.empty((count + 1 + BLOCK, runs))  # with room for blocks that begin near the end
    path[0] = start
    draws = np.random.default_rng(SEED).random((runs, count))  # a run draws in one go: a longer one begins alike
    each, ahead, done = np.arange(runs), np.arange(BLOCK)[:, None], np.zeros(runs, dtype=np.intp)
    while done.min() < count:
        here = path[done, each]
        exact = here + update
        inner, outer = neighbours(exact, fmt)
        gap, chance = outer - inner, _share(exact, inner, outer)
        up = draws[each, np.minimum(done + ahead, count - 1)] < chance
        climbed = inner + (inner - here) * ahead + gap * np.cumsum(up, axis=0)
        path[done + 1 + ahead, each] = climbed  # what is not sure is overwritten
        top = np.minimum(gap * 2 ** (float_format(fmt).mantissa_bits + 1), float_format(fmt).largest)
        steady = (update > 0) & (here >= 0) & (spacing(here, fmt) == gap)
        sure = np.where(steady, 1 + np.count_nonzero(climbed + update < top, axis=0), 1)
        done = np.minimum(done + np.minimum(sure, BLOCK), count)
    return path[: count + 1]


def _length(claims: NDArray[np.bool_]) -> int:
    """How many claims hold before the first that does not."""
    return len(claims) if claims.all() else int(claims.argmin())


def stuck_value(update: float, fmt: str) -> float:
    """Where a sum of equal positive updates from 0 stops growing under rounding to nearest [1].

    Raises ValueError as `rounded_by`, and for an update that is not positive.
    """
    if not update > 0:
        raise ValueError(f"the update must be positive, not {update}")
    value = 0.0
    while (after := float(updated("nearest", value, update, BLOCK, fmt)[-1, 0])) > value:
        value = after
    return value
