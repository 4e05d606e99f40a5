"""Turn a running value and a small update into what a narrow format keeps of them, under three ways to round.

.. [1] Gupta et al., "Deep Learning with Limited Numerical Precision", 2015, arXiv:1502.02551 (stochastic rounding).
.. [2] IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229, section 4.3 (to nearest, ties to even; towards zero).
.. [3] Zamirai et al., "Revisiting BFloat16 Training", 2020, arXiv:2010.06192 (updates that nearest cancels).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._formats.floats import float_format, rounded, spacing

Array = NDArray[np.float64]

MODES = ("nearest", "stochastic", "truncation")
RUNS = 200  # runs of stochastic rounding
SEED = 7  # of their random draws: it chooses which runs are shown, and nothing else
MIDDLE = (5.0, 95.0)  # percentiles between which nine in ten runs lie


def neighbours(values: ArrayLike, fmt: str) -> tuple[Array, Array]:
    """The two numbers of the format that hold each value between them.

    Parameters
    ----------
    values : array_like
        Exact values [1]; those beyond the format's largest are taken for the largest.
    fmt : str
        Key of `FLOATS`.

    Returns
    -------
    inner, outer : ndarray, shape of `values`
        The neighbour towards zero, which is the value itself if the format has it, and the next one away from zero.

    Raises
    ------
    ValueError
        For an unknown format, and for values that are not finite.
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
    """Values of the format [1] for exact values, float64 of their shape.

    Parameters
    ----------
    mode : {"nearest", "stochastic", "truncation"}
        To nearest with ties to even [2]_; to the outer neighbour with probability `chance` [1]_; towards zero [2]_.
    values : array_like
        Exact values [1].
    fmt : str
        Key of `FLOATS`.
    draws : array_like, optional
        For "stochastic": uniform random numbers in [0, 1), one for each value; below `chance` they go outwards.

    Raises
    ------
    ValueError
        For an unknown mode or format, for values that are not finite, and for stochastic rounding without draws.
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
    """The running value before and after each of `count` equal updates, rounded to the format after each.

    The update itself is exact; only the running value is narrow. Sums are formed in float64.

    Parameters
    ----------
    mode, fmt : str
        See `rounded_by`.
    start, update : float
        First value, which the format must hold, and what is added every time [1].
    count : int
        Number of updates, at least 1.
    runs : int
        Runs with different random draws; the first of them does not depend on how many there are.

    Returns
    -------
    ndarray, shape (count + 1, runs)
        Values [1]. Without random draws all runs are the same.

    Raises
    ------
    ValueError
        As `rounded_by`; for a start that the format lacks, and for fewer than one update.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count}")
    if rounded(start, fmt) != start:
        raise ValueError(f"{fmt} has no {start}")
    if mode == "stochastic":
        return _walks(start, update, count, fmt, runs)
    path = np.full((count + 1, runs), float(start))
    for step in range(1, count + 1):
        path[step:] = rounded_by(mode, path[step - 1, 0] + update, fmt)
        if path[step, 0] == path[step - 1, 0]:  # and so it will be every time from now on
            break
    return path


def _walks(start: float, update: float, count: int, fmt: str, runs: int) -> Array:
    path = np.empty((count + 1, runs))
    path[0] = start
    draws = np.random.default_rng(SEED).random((runs, count)).T  # a run draws in one go: a longer one begins alike
    for step in range(count):
        path[step + 1] = rounded_by("stochastic", path[step] + update, fmt, draws[step])
    return path


def stuck_value(update: float, fmt: str) -> float:
    """Where a sum of equal positive updates from 0 stops growing under rounding to nearest [1].

    Raises ValueError as `rounded_by`, and for an update that is not positive.
    """
    if not update > 0:
        raise ValueError(f"the update must be positive, not {update}")
    value = 0.0
    while (after := float(rounded_by("nearest", value + update, fmt))) > value:
        value = after
    return value


@dataclass(frozen=True, eq=False)
class Journey:
    """Equal updates of one running value from its start, under every mode of rounding."""

    fmt: str
    start: float
    update: float
    count: int
    runs: int = RUNS  # of stochastic rounding

    @cached_property
    def paths(self) -> dict[str, Array]:
        """Values after 0, 1, … updates [1], shape (count + 1,); for stochastic rounding those of one run."""
        plain = {mode: updated(mode, self.start, self.update, self.count, self.fmt)[:, 0] for mode in MODES[::2]}
        return plain | {"stochastic": self.walks[:, 0]}

    @cached_property
    def walks(self) -> Array:
        """Runs of stochastic rounding [1], shape (count + 1, runs); the first is the one in `paths`."""
        return updated("stochastic", self.start, self.update, self.count, self.fmt, self.runs)

    @cached_property
    def exact(self) -> Array:
        """What the value would be without rounding [1], shape (count + 1,)."""
        return self.start + self.update * np.arange(self.count + 1)

    def stuck(self, mode: str) -> int:
        """The update after which nothing changed any more, counted from 1; 0 if none changed anything."""
        changes = np.flatnonzero(np.diff(self.paths[mode]))
        return int(changes[-1]) + 1 if changes.size else 0

    def lost(self, mode: str) -> int:
        """Updates that changed nothing [updates]."""
        return int(np.count_nonzero(np.diff(self.paths[mode]) == 0))
