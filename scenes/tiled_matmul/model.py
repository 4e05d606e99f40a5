"""How many elements a matrix product loads, one output at a time and in tiles, and what that means for its speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

SIDE = 16  # rows and columns of the toy matrices
TILES = (1, 2, 4, 8, 16)  # rows or columns of a block
REAL_TILES = (16, 64, 128, 256)
TABLE_TILES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
BF16, FP32 = 2, 4  # bytes of an element
PEAK = 989.4e12  # [FLOP/s], dense BF16 of an H100 SXM: 132 SMs x 2,048 FMA x 2 x 1.83 GHz, H100 whitepaper
BANDWIDTH = 3352e9  # [B/s], HBM3 of an H100 SXM


def naive_loads(m: int, n: int, k: int) -> int:
    """Elements loaded where each output reads its row of A and its column of B anew; A is m × k, B is k × n."""
    return 2 * m * n * k


def tiled_loads(m: int, n: int, k: int, rows: int, columns: int) -> int:
    """Elements loaded where blocks of `rows` × `columns` outputs share strips of A and B.

    Parameters
    ----------
    m, n, k : int
        A is m × k, B is k × n, C is m × n.
    rows, columns : int
        Outputs of a block down and across; the blocks cover C exactly. How many of the k are staged at once does not
        matter.

    Returns
    -------
    int
        m · n · k · (1 / rows + 1 / columns) [elements].

    References
    ----------
    .. [1] NVIDIA, "CUTLASS: Efficient GEMM in CUDA", "Threadblock-level GEMM": each block loads tiles of A and B.
    """
    if rows < 1 or columns < 1 or m % rows or n % columns:
        raise ValueError(f"blocks of {rows} x {columns} do not cover {m} x {n} outputs exactly")
    return m * n * k // rows + m * n * k // columns


def mainloop_intensity(rows: ArrayLike, columns: ArrayLike, element: int) -> NDArray[np.float64]:
    """Arithmetic that a block does for each byte it loads.

    Parameters
    ----------
    rows, columns : array_like
        Outputs of a block down and across.
    element : int
        Size of an element [B].

    Returns
    -------
    ndarray
        2 · rows · columns / ((rows + columns) · element) [FLOP/B]. What C costs to write is left out.

    References
    ----------
    .. [1] Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009: operational intensity.
    """
    down, across = np.asarray(rows, dtype=float), np.asarray(columns, dtype=float)
    if element < 1 or (down <= 0).any() or (across <= 0).any():
        raise ValueError(f"blocks and elements are at least 1, not {down} x {across} of {element} bytes")
    flop: NDArray[np.float64] = 2 * down * across
    loaded: NDArray[np.float64] = (down + across) * element
    return np.divide(flop, loaded)


def attainable(intensity: ArrayLike) -> NDArray[np.float64]:
    """The roofline of an H100 in BF16: min(peak, bandwidth · intensity) [FLOP/s], for `intensity` in [FLOP/B]."""
    return np.minimum(PEAK, BANDWIDTH * np.asarray(intensity, dtype=float))


def ridge() -> float:
    """The intensity from which on arithmetic is the limit, not memory [FLOP/B]."""
    return PEAK / BANDWIDTH


@dataclass(frozen=True)
class Product:
    """The toy: C = A·B with matrices of `SIDE` × `SIDE`, in blocks of `rows` × `columns` outputs.

    For each k, a block loads its part of a column of A and of a row of B, and multiplies each of the one with each of
    the other.
    """

    rows: int
    columns: int

    @property
    def blocks(self) -> int:
        """Blocks that make up C."""
        return SIDE**2 // (self.rows * self.columns)

    @property
    def slice(self) -> int:
        """Elements that a block loads for one k."""
        return self.rows + self.columns

    @property
    def uses(self) -> int:
        """Multiplications that a block does for one k."""
        return self.rows * self.columns

    @property
    def one_output(self) -> int:
        """What naive loads for one output [elements]."""
        return naive_loads(1, 1, SIDE)

    @property
    def naive(self) -> int:
        """What naive loads for all outputs [elements]."""
        return naive_loads(SIDE, SIDE, SIDE)

    @property
    def loads(self) -> int:
        """What the tiled product loads for all outputs [elements]."""
        return tiled_loads(SIDE, SIDE, SIDE, self.rows, self.columns)

    @property
    def times(self) -> float:
        """How many times fewer that is: how often an element is used once it is loaded."""
        return self.naive / self.loads

    @property
    def intensity(self) -> float:
        """Of the main loop, in BF16 [FLOP/B]."""
        return float(mainloop_intensity(self.rows, self.columns, BF16))
