"""Fragments: which lane of a warp holds which number of A, B and the sums, in which register."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Place = tuple[int, int]  # row and column

LANES, WARPS = 32, 4  # of a warp, and the warps of a warpgroup
M, N, K = 16, 8, 16  # of mma.m16n8k16: A is M x K, B is K x N, the sums are M x N
SHAPES = {"a": (M, K), "b": (K, N), "d": (M, N)}
REGISTERS = ("a0", "a1", "a2", "a3", "b0", "b1", "d0", "d1", "d2", "d3")  # of 32 bits, as the instruction takes them
PIECE = 8  # rows and columns of a matrix that ldmatrix brings
PIECES = {"a": 4, "b": 2}  # how many of them A and B have
FMAS = M * N * K
WIDEST = 256  # columns of the sums of the largest wgmma, whose shape is m64nNk16


def fragment(matrix: str) -> Places:
    """Where the numbers stand that each lane holds of a matrix, for numbers of 16 bits and sums of 32.

    Parameters
    ----------
    matrix : str
        "a", "b" or "d": the inputs, or the sums.

    Returns
    -------
    ndarray of int, shape (32, n, 2)
        Row and column of a lane's n numbers, in the order of its registers: two in each of A and B, one of the sums.

    References
    ----------
    .. [1] NVIDIA, PTX ISA 9.2, section 9.7.14.5.8, "Matrix Fragments for mma.m16n8k16 with floating point type".
    """
    if matrix not in SHAPES:
        raise ValueError(f"a matrix is one of {tuple(SHAPES)}, not {matrix!r}")
    rows, columns = SHAPES[matrix]
    lane, i = np.arange(LANES)[:, None], np.arange(rows * columns // LANES)[None, :]
    group, thread = lane >> 2, lane % 4
    if matrix == "a":
        row, column = group + 8 * (i // 2 % 2), 2 * thread + i % 2 + 8 * (i // 4)
    elif matrix == "b":
        row, column = 2 * thread + i % 2 + 8 * (i // 2), group + 0 * i
    else:
        row, column = group + 8 * (i // 2), 2 * thread + i % 2
    return np.stack([row, column], axis=-1)


def warpgroup_sums(columns: int) -> Places:
    """Where the sums stand that each of the 128 threads of a wgmma holds.

    Parameters
    ----------
    columns : int
        N of the instruction's shape m64nNk16: a multiple of 8 from 8 to 256.

    Returns
    -------
    ndarray of int, shape (128, columns / 2, 2)
        Row and column of a thread's sums, in the order of its registers.

    References
    ----------
    .. [1] NVIDIA, PTX ISA 9.2, section 9.7.15.5.1.1.1, "Matrix Fragments for wgmma.mma_async.m64nNk16".
    """
    if columns not in range(8, WIDEST + 1, 8):
        raise ValueError(f"N is a multiple of 8 up to {WIDEST}, not {columns}")
    thread, i = np.arange(WARPS * LANES)[:, None], np.arange(columns // 2)[None, :]
    row = M * (thread // LANES) + (thread % LANES >> 2) + 8 * (i // 2 % 2)
    return np.stack([row, 8 * (i // 4) + 2 * (thread % 4) + i % 2], axis=-1)


@cache
def held(lane: int, register: str) -> tuple[Place, ...]:
    """The places of the numbers in a register: two that are neighbours, or one sum."""
    matrix, number = register[0], int(register[1:])
    found = fragment(matrix)[lane].reshape(sum(name[0] == matrix for name in REGISTERS), -1, 2)[number]
    return tuple((row, column) for row, column in found.tolist())


def addressed(lane: int, matrix: str) -> Place | None:
    """Which 8 x 8 matrix and which row of it a lane gives ldmatrix the address of, if any: 8 lanes serve each."""
    piece, row = divmod(lane, PIECE)
    return (piece, row) if piece < PIECES[matrix] else None


def corner(matrix: str, piece: int) -> Place:
    """The first row and column of an 8 x 8 matrix: it goes to the register of that number."""
    return (PIECE * (piece % 2), PIECE * (piece // 2))


@dataclass(frozen=True)
class Held:
    """What the reader chose: a lane, and one of its registers."""

    lane: int
    register: str

    @property
    def matrix(self) -> str:
        return self.register[0]

    @property
    def places(self) -> tuple[Place, ...]:
        return held(self.lane, self.register)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of A that the lane's sums are made of."""
        return tuple(sorted({row for row, _ in self.sums}))

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of B that the lane's sums are made of."""
        return tuple(sorted({column for _, column in self.sums}))

    @property
    def sums(self) -> tuple[Place, ...]:
        return tuple(held(self.lane, name)[0] for name in REGISTERS if name[0] == "d")

    @property
    def needed(self) -> int:
        """How many numbers of A and B the lane's sums are made of."""
        return K * (len(self.rows) + len(self.columns))

    @property
    def own(self) -> int:
        """How many of these the lane holds itself."""
        return self.own_to(K)

    def own_to(self, k: int) -> int:
        """The same of the first `k` products of each sum."""
        a = sum(row in self.rows and at < k for row, at in fragment("a")[self.lane].tolist())
        return a + sum(column in self.columns and at < k for at, column in fragment("b")[self.lane].tolist())

    @property
    def piece(self) -> Place:
        """The first row and column of the 8 x 8 piece in which the register's numbers stand."""
        row, column = self.places[0]
        return (row - row % PIECE, column - column % PIECE)

    @property
    def lenders(self) -> tuple[int, ...]:
        """The other lanes that hold what the lane's sums are made of."""
        return self.lenders_to(K)

    def lenders_to(self, k: int) -> tuple[int, ...]:
        """The same of the first `k` products of each sum."""
        (rows, along), (down, columns) = (np.moveaxis(fragment(matrix), -1, 0) for matrix in "ab")
        a = (np.isin(rows, self.rows) & (along < k)).any(axis=1)
        b = (np.isin(columns, self.columns) & (down < k)).any(axis=1)
        return tuple(lane for lane in np.flatnonzero(a | b).tolist() if lane != self.lane)
