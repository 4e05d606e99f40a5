"""The super-blocks shown: 256 numbers of a bell curve, three of them made to stand out, or all of them shifted up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BELL, OUTLIER = "bell", "outlier"
DATA = (BELL, OUTLIER)
SHIFTS = {"shifted": 1.25, "above": 4.0}  # by how many deviations: most are then positive, or all
SEED, LENGTH = 3, 256
OUTLIERS, TIMES = (17, 100, 200), 20  # which numbers stand out, and how far
MASK = 0xFFFFFFFF


def mulberry32(seed: int) -> Iterator[float]:
    """Uniform numbers in [0, 1), multiples of 2^−32: the same integers in every language."""
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        word = ((state ^ (state >> 15)) * (1 | state)) & MASK
        word = ((word + (((word ^ (word >> 7)) * (61 | word)) & MASK)) & MASK) ^ word
        yield ((word ^ (word >> 14)) & MASK) / 2**32


@cache
def super_block(data: str) -> Floats:
    """The weights to store, one super-block.

    Parameters
    ----------
    data : {"bell", "outlier", "shifted", "above"}
        Sums of twelve uniform numbers, less 6: nearly Gaussian of deviation 1. "outlier" has three of them times 20;
        the last two are shifted up, see `SHIFTS`.

    Returns
    -------
    ndarray, shape (256,)
        Weights [1], float32, not to be written to.
    """
    if data not in (*DATA, *SHIFTS):
        raise ValueError(f"data is one of {(*DATA, *SHIFTS)}, not {data!r}")
    stream = mulberry32(SEED)
    weights = np.array([sum(next(stream) for _ in range(12)) - 6 for _ in range(LENGTH)])
    if data == OUTLIER:
        weights[list(OUTLIERS)] *= TIMES
    rounded = (weights + SHIFTS.get(data, 0.0)).astype(np.float32)
    rounded.setflags(write=False)
    return rounded
