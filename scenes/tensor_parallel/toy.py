"""A small MLP cut both ways: two tokens, eight numbers in the middle, and a nonlinearity between its two matrices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

MOST = 4  # GPUs that the small matrices can be cut for: the first of them has four rows


def _made(rows: int, columns: int, down: int, across: int, most: int) -> Ints:
    """Small whole numbers around 0 without a pattern that the eye finds."""
    row, column = np.indices((rows, columns))
    return (down * row + across * column) % most - most // 2


X = _made(2, 4, 4, 1, 5)
A = _made(4, 8, 3, 2, 7)
B = _made(8, 4, 1, 2, 5)
MIDDLE = X @ A
EXACT: Ints = np.maximum(MIDDLE, 0) @ B


@dataclass(frozen=True)
class Toy:
    """ReLU(X·A)·B over some GPUs, with A cut by columns or by rows."""

    gpus: int
    order: str

    @staticmethod
    @cache
    def of(gpus: int, order: str) -> Toy:
        """The small example of a layer over so many GPUs, or over as many as it can be cut for."""
        return Toy(min(gpus, MOST), order)

    def owners(self, count: int) -> Ints:
        """Which GPU holds each of so many columns or rows."""
        return np.repeat(np.arange(self.gpus), count // self.gpus)

    @cached_property
    def middles(self) -> list[Ints]:
        """What each GPU has of X·A: some of its columns, or a part of each of its numbers.

        Columns that a GPU does not have are 0.
        """
        if self.order == "columns":
            return [np.where(self.owners(8) == gpu, MIDDLE, 0) for gpu in range(self.gpus)]
        held = self.owners(4)
        return [X[:, held == gpu] @ A[held == gpu] for gpu in range(self.gpus)]

    @cached_property
    def results(self) -> list[Ints]:
        """What each GPU has of the result: what its middle comes to."""
        return [np.maximum(middle, 0) @ B for middle in self.middles]

    @cached_property
    def result(self) -> Ints:
        """The sum over all GPUs."""
        return np.sum(self.results, axis=0)

    @cached_property
    def wrong(self) -> int:
        """How many numbers of the result are not those of the uncut product."""
        return int((self.result != EXACT).sum())
