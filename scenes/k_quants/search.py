"""The best scale, and minimum, of a sub-block: the searches of ggml's reference quantisers, for many at once.

All arithmetic is float32 in the order of the C loops, so that ties and near-ties fall the same way.

.. [1] ggml-org, ggml, src/ggml-quants.c: make_qkx2_quants, make_qx_quants, make_q3_quants (no importance matrix).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

EMPTY = np.float32(1e-15)  # a sub-block whose largest magnitude is less is all zero
STEP = np.float32(0.1)  # from one trial to the next, in codes
PASSES = 5  # of the descent


class Fit(NamedTuple):
    """What a search found for n sub-blocks of k weights: weight ≈ scale · code − minimum."""

    scales: Floats  # shape (n,) [1]
    minima: Floats  # shape (n,) [1], never negative
    codes: Floats  # shape (n, k): whole numbers, not yet shifted to be unsigned


def total(terms: Floats) -> Floats:
    """Sums along the last axis from left to right: numpy's own add in pairs, and round elsewhere."""
    return np.add.accumulate(terms, axis=-1, dtype=np.float32)[..., -1]


def affine(rows: Floats, weights: Floats, top: int, first: float, trials: int, absolute: bool = False) -> Fit:
    """Scale and minimum by weighted least squares, for several guesses of the codes; the least error wins.

    As in ggml, a guess that wins moves the minimum from which the later ones start.

    Parameters
    ----------
    rows, weights : ndarray, shape (n, k)
        Sub-blocks [1], float32, and what an error of each number counts [1].
    top : int
        The largest code; the smallest is 0.
    first, trials : float, int
        Besides the plain guess over `top` codes, so many stretch the range over top + first, top + first + 0.1 …
    absolute : bool
        Whether errors count by their size rather than by their square.

    The minimum only lowers: a sub-block of positive numbers has the minimum 0 [1]_.
    """
    low, high = np.minimum(rows.min(axis=1), 0), rows.max(axis=1)
    flat = high == low
    high = np.where(flat, low + 1, high)

    def guess(stretch: np.float32) -> Floats:
        return np.asarray(np.clip(np.rint((stretch / (high - low))[:, None] * (rows - low[:, None])), 0, top))

    plain, scales = low, 1 / (np.float32(top) / (high - low))
    codes = guess(np.float32(top))
    least = _error(scales, low, codes, rows, weights, absolute)
    for step in range(trials):
        tried = guess(np.float32(first) + STEP * np.float32(step) + np.float32(top))
        slopes, shifts, sound = _least_squares(rows, weights, tried)
        now = _error(slopes, shifts, tried, rows, weights, absolute)
        better = sound & (now < least)
        codes = np.where(better[:, None], tried, codes)
        least, scales = np.where(better, now, least), np.where(better, slopes, scales)
        low = np.where(better, shifts, low)
    scales, low = np.where(flat, 0, scales), np.where(flat, plain, low)
    return Fit(scales, -low, np.where(flat[:, None], 0, codes))


def _error(scales: Floats, shifts: Floats, codes: Floats, rows: Floats, weights: Floats, absolute: bool) -> Floats:
    """The weighted error of each row."""
    away = scales[:, None] * codes + shifts[:, None] - rows
    return total(weights * (np.abs(away) if absolute else away * away))


def _least_squares(rows: Floats, weights: Floats, codes: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Slope and shift of the weighted line through (code, weight), the shift never above 0; and where there is one."""
    sum_w, sum_x, weighted = total(weights), total(weights * rows), weights * codes
    sum_l, sum_l2, sum_xl = total(weighted), total(weighted * codes), total(weighted * rows)
    det = sum_w * sum_l2 - sum_l * sum_l
    sound = det > 0
    det = np.where(sound, det, np.float32(1))
    shifts = (sum_l2 * sum_x - sum_l * sum_xl) / det
    held = shifts > 0
    through_zero = np.divide(sum_xl, sum_l2, out=np.zeros_like(sum_xl), where=sum_l2 > 0)
    slopes = np.where(held, through_zero, (sum_w * sum_xl - sum_x * sum_l) / det)
    return slopes, np.where(held, np.float32(0), shifts), sound


def _largest(rows: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The signed number of largest magnitude of each row, the first of equals, 1 if empty; and which rows are."""
    top = np.take_along_axis(rows, np.abs(rows).argmax(axis=1)[:, None], axis=1)[:, 0]
    empty = np.abs(top) < EMPTY
    return np.where(empty, np.float32(1), top), empty


def symmetric(rows: Floats, reach: int) -> Fit:
    """A scale without minimum, for 19 guesses of it, errors weighted with the square of the weight.

    The largest magnitude is given the code −`reach`, whatever its sign: a scale may be negative. Parameters as in
    `affine`; codes are −reach … reach − 1.
    """
    top, empty = _largest(rows)
    weights = rows * rows

    def guess(stretch: np.float32) -> tuple[Floats, Floats, Floats]:
        codes = np.clip(np.rint((-stretch / top)[:, None] * rows), -reach, reach - 1)
        return codes, total(weights * rows * codes), total(weights * codes * codes)

    codes, along, square = guess(np.float32(reach))
    scales = np.divide(along, square, out=np.zeros_like(along), where=square != 0)
    best = scales * along
    for step in range(-9, 10):
        if step:
            tried, along, square = guess(np.float32(reach) + STEP * np.float32(step))
            better = (square > 0) & (along * along > best * square)
            codes = np.where(better[:, None], tried, codes)
            scales = np.divide(along, square, out=scales, where=better)
            best = np.where(better, scales * along, best)
    return Fit(np.where(empty, 0, scales), np.zeros_like(scales), np.where(empty[:, None], -reach, codes))


def descent(rows: Floats, reach: int) -> Fit:
    """A scale without minimum: one code after another is changed, where that lowers the weighted error.

    As in ggml, nothing is changed in a sub-block whose largest magnitude is a positive number: there the sums that
    are compared have the other sign. Parameters and codes as in `symmetric`.
    """
    top, empty = _largest(rows)
    weights = rows * rows
    codes = np.clip(np.rint(np.float32(-reach) / top[:, None] * rows), -reach, reach - 1)
    along, square = total(weights * rows * codes), total(weights * codes * codes)
    for _ in range(PASSES):
        for at in range(rows.shape[1]):
            x, w, old = rows[:, at], weights[:, at], codes[:, at]
            rest, rest2 = along - w * x * old, square - w * old * old
            able = rest > 0
            new = np.rint(x * rest2 / np.where(able, rest, np.float32(1)))
            new = np.clip(new, -reach, reach - 1)
            rest, rest2 = rest + w * x * new, rest2 + w * new * new
            better = able & (new != old) & (rest2 > 0) & (rest * rest * square > along * along * rest2)
            codes[:, at] = np.where(better, new, old)
            along, square = np.where(better, rest, along), np.where(better, rest2, square)
    scales = np.divide(along, square, out=np.zeros_like(along), where=square > 0)
    return Fit(np.where(empty, 0, scales), np.zeros_like(scales), np.where(empty[:, None], -reach, codes))
