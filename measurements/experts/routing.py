"""How many rows each expert gets, and what a product that runs whole tiles makes of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WIDTH, OUT = 4096, 2048  # numbers of a row, and of its result
TILE = 128  # rows of a tile
ROUTINGS = ("even", "random", "zipf")
SEED = 16


def loads(rows: int, experts: int, routing: str) -> NDArray[np.int64]:
    """Rows of each expert: alike, each row's expert drawn alike, or drawn in proportion to 1, 1/2, 1/3, …"""
    if routing == "even":
        return np.full(experts, rows // experts)
    chances = np.ones(experts) if routing == "random" else 1 / np.arange(1, experts + 1)
    return np.random.default_rng(SEED).multinomial(rows, chances / chances.sum())


def tiles(rows: NDArray[np.int64]) -> NDArray[np.int32]:
    """Expert, first row and the row after the last, of every tile; an expert's last tile may be short."""
    ends = np.cumsum(rows)
    found = [
        (expert, first, end)
        for expert, (start, end) in enumerate(zip(ends - rows, ends, strict=True))
        for first in range(start, end, TILE)
    ]
    return np.array(found, dtype=np.int32)


def rows_run(rows: NDArray[np.int64], method: str) -> int:
    """Rows that are multiplied: every expert's as the fullest's, or each in whole tiles."""
    if method == "padded":
        return int(rows.max()) * len(rows)
    return int((-(-rows // TILE) * TILE).sum())
