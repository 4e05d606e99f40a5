"""The tensors that are quantised here: a bell curve, the same with one outlier, and the specification's blind spot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BELL, OUTLIER, ONES = "bell", "outlier", "7.9 and ones"
OUTLIER_AT, OUTLIER_TIMES = 5, 30.0  # which number stands out, and how far
MASK = 0xFFFFFFFF


def mulberry32(seed: int) -> Iterator[float]:
    """Uniform numbers in [0, 1), multiples of 2^−32: the same integers in every language."""
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        word = ((state ^ (state >> 15)) * (1 | state)) & MASK
        word = (word + (((word ^ (word >> 7)) * (61 | word)) & MASK)) & MASK ^ word
        yield ((word ^ (word >> 14)) & MASK) / 2**32


def bell_curve(seed: int, length: int) -> Array:
    """Nearly Gaussian numbers of deviation 1, each exactly a float32.

    Parameters
    ----------
    seed : int
        Of `mulberry32`.
    length : int
        How many numbers.

    Returns
    -------
    ndarray, shape (length,)
        Sums of twelve uniform numbers, less 6 [1].
    """
    stream = mulberry32(seed)
    sums = [sum(next(stream) for _ in range(12)) - 6 for _ in range(length)]
    return np.float32(sums).astype(np.float64)


@cache
def tensor(data: str) -> Array:
    """The numbers to quantise [1]: shape (64,), two blocks of 32; of "7.9 and ones", one block of 32.

    Raises
    ------
    ValueError
        If `data` is none of the three names.
    """
    if data == ONES:
        numbers = np.ones(32)
        numbers[0] = np.float32(7.9)
    elif data in (BELL, OUTLIER):
        numbers = bell_curve(1, 64)
        if data == OUTLIER:
            numbers[OUTLIER_AT] = np.float32(numbers[OUTLIER_AT] * OUTLIER_TIMES)
    else:
        raise ValueError(f"data is one of {(BELL, OUTLIER, ONES)}, not {data!r}")
    numbers.setflags(write=False)
    return numbers
