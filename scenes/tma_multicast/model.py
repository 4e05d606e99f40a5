"""Which tiles a cluster of thread blocks reads from L2 for one step along k, with and without multicast."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]

SIDES = (1, 2, 3, 4)
CLUSTERS = ((1, 1), (2, 1), (2, 2), (4, 2), (4, 4))  # rows and columns of those in the table
TILE_ROWS, TILE_COLUMNS, ELEMENT = 128, 64, 2  # a tile of A or of B, in elements of BF16 [B]
TILE_BYTES = TILE_ROWS * TILE_COLUMNS * ELEMENT
MASK_BITS = 16
PORTABLE = 8  # the largest cluster that is portable (Hopper Tuning Guide 1.4.1.3)


def needs(rows: int, columns: int) -> Flags:
    """Which block needs which tile.

    Parameters
    ----------
    rows, columns : int
        c_m and c_n: output tiles of the cluster along m and along n, one for each block.

    Returns
    -------
    ndarray of bool, shape (c_m * c_n, c_m + c_n)
        Blocks, counted row by row, by tiles: the c_m tiles of A first, then the c_n tiles of B.
    """
    row, column = np.divmod(np.arange(rows * columns)[:, None], columns)
    return np.hstack([row == np.arange(rows), column == np.arange(columns)])


def masks(rows: int, columns: int) -> NDArray[np.int64]:
    """The multicast mask of every tile, shape (c_m + c_n,): bit r is set if block r of the cluster gets the tile.

    Tiles of A come first, then those of B.

    References
    ----------
    .. [1] PTX ISA, cp.async.bulk.tensor, operand ctaMask of 16 bits.
    """
    bits = np.int64(1) << np.arange(rows * columns, dtype=np.int64)
    return bits @ needs(rows, columns)


def reads(rows: int, columns: int, multicast: bool) -> int:
    """Tiles that the cluster reads from L2 for one step along k.

    Every block reads both of its tiles, 2 * c_m * c_n in all; with multicast each tile that anyone needs
    is read once, c_m + c_n in all, in slices that the blocks sharing it ask for between them.

    References
    ----------
    .. [1] Taha et al., "Matrix Multiplication on Blackwell: Part 3", 2025, on multicast.
    """
    wanted = needs(rows, columns)
    return int(wanted.any(axis=0).sum() if multicast else wanted.sum())


@dataclass(frozen=True)
class Cluster:
    """A cluster of c_m × c_n thread blocks; it has no more of them than the mask has bits."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1 or self.blocks > MASK_BITS:
            raise ValueError(f"a cluster has 1 to {MASK_BITS} blocks, not {self.rows} × {self.columns}")

    @property
    def name(self) -> str:
        """As it is written in words."""
        return f"{self.rows}×{self.columns}"

    @property
    def blocks(self) -> int:
        return self.rows * self.columns

    @cached_property
    def without(self) -> int:
        """Tiles read if every block reads for itself."""
        return reads(self.rows, self.columns, False)

    @cached_property
    def least(self) -> int:
        """Tiles read with multicast: as many as differ."""
        return reads(self.rows, self.columns, True)


def kib(tiles: int) -> int:
    """What `tiles` tiles take [KiB]."""
    return tiles * TILE_BYTES // 1024
