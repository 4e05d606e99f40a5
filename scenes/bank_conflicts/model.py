"""A warp's request to shared memory: which word lies in which bank, and how many passes it takes to hand them over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

BANKS = 32
LANES = 32
SIDE = 32  # the tile is SIDE x SIDE words
WORD = 4  # bytes in a word, and what a bank hands over in one pass [B]
PASS_BYTES = BANKS * WORD  # the most that one pass hands over [B]
PADDED = SIDE + 1  # words from one row of a padded tile to the next
LAYOUTS = ("plain", "padded", "swizzled")
ACCESSES = ("row", "column", "stride", "broadcast")
STRIDES = (1, 2, 3, 4, 8, 16, 32)  # [words]
WIDTHS = (32, 64, 128)  # of one lane's access [bits]
ROW = COLUMN = 4  # the row and the column that are read; where they cross lies the word that all lanes share


@dataclass(frozen=True)
class Request:
    """What a warp asks for, and how it is served. Arrays are of shape (32 lanes, words of a lane)."""

    words: Integers  # addresses [words]
    passes_of: Integers  # the pass in which each word is handed over, from 1
    groups: int  # parts of the warp that are served one after the other
    degree: int  # the most distinct words that one bank is asked for within a group
    passes: int  # of all groups

    @property
    def banks(self) -> Integers:
        """The bank of each word."""
        return self.words % BANKS

    @property
    def rows(self) -> Integers:
        """The row of memory, 32 words across all banks, of each word."""
        return self.words // BANKS

    @property
    def served_in(self) -> Integers:
        """The pass after which each lane has all its words, shape (32,)."""
        return np.asarray(self.passes_of.max(axis=1), dtype=np.int64)

    @property
    def distinct(self) -> int:
        """Different words asked for."""
        return len(np.unique(self.words))

    @property
    def banks_used(self) -> int:
        """Banks that hold at least one of them."""
        return len(np.unique(self.banks))

    @property
    def handed(self) -> int:
        """Bytes that leave the banks; a word for many lanes is read once [B]."""
        return self.distinct * WORD


def word_address(layout: str, row: Integers, column: Integers, piece: int = 1) -> Integers:
    """Where the word in `row` and `column` of a 32 × 32 tile lies.

    Parameters
    ----------
    layout : {"plain", "padded", "swizzled"}
        r·32 + c, r·33 + c, or r·32 + (c XOR r).
    row, column : ndarray of int, any one shape
        0 to 31.
    piece : int
        Words that a swizzle keeps side by side, 1, 2 or 4: it moves piece k of row r to k XOR (r mod 32/piece).

    Returns
    -------
    ndarray of int, the same shape
        Address from the start of the tile [words].

    Raises
    ------
    ValueError
        If `layout` is unknown.

    References
    ----------
    .. [1] CUTLASS, include/cute/swizzle.hpp: pieces of 1 word are Swizzle<5,0,5> on word addresses, pieces of 16 bytes
       are Swizzle<3,4,3> on byte addresses.
    """
    if layout == "plain":
        return row * SIDE + column
    if layout == "padded":
        return row * PADDED + column
    if layout == "swizzled":
        place = (column // piece) ^ (row % (SIDE // piece))
        return row * SIDE + place * piece + column % piece
    raise ValueError(f"layout is one of {LAYOUTS}, not {layout!r}")


def footprint(layout: str) -> int:
    """Words of memory that a tile takes."""
    return SIDE * (PADDED if layout == "padded" else SIDE)


def is_aligned(layout: str, width: int) -> bool:
    """Whether every row starts at a multiple of the access: rows of 132 bytes allow no 8- or 16-byte loads."""
    pitch = PADDED if layout == "padded" else SIDE
    return pitch * WORD * 8 % width == 0


def wanted(access: str, stride: int = 1, width: int = 32) -> tuple[Integers, Integers]:
    """Row and column of every word that the lanes ask for, each of shape (32, width / 32).

    Raises
    ------
    ValueError
        If `access` or `width` is unknown, or lanes with a stride or a broadcast want more than a word.
    """
    if access not in ACCESSES or width not in WIDTHS:
        raise ValueError(f"access is one of {ACCESSES}, width one of {WIDTHS}, not {access!r} and {width!r}")
    piece, lanes = width // 32, np.arange(LANES, dtype=np.int64)[:, None]
    part = np.arange(piece, dtype=np.int64)[None, :]
    if access == "row":  # and the rows after it, where lanes want more than a word
        flat = ROW * SIDE + lanes * piece + part
    elif access == "column":
        flat = lanes * SIDE + COLUMN // piece * piece + part
    elif piece > 1:
        raise ValueError(f"with the access {access!r} each lane wants 32 bits, not {width!r}")
    else:
        flat = lanes * stride if access == "stride" else lanes * 0 + ROW * SIDE + COLUMN
    return flat // SIDE, flat % SIDE


def serve(words: Integers) -> Request:
    """Hand over the words of a request: in each pass one word from each bank, to every lane that wants it.

    Requests of 64 bits a lane are served for half a warp at a time, those of 128 bits for a quarter. That is how
    profilers count them; NVIDIA gives no guarantee. Within a bank, words go in the order of lanes.

    Parameters
    ----------
    words : ndarray of int, shape (32, 1), (32, 2) or (32, 4)
        Addresses that each lane asks for [words].

    References
    ----------
    .. [1] NVIDIA, "CUDA C++ Programming Guide", compute capability 5.x and later, shared memory.
    """
    groups = words.shape[1]
    passes_of = np.zeros_like(words)
    done = degree = 0
    for lanes in np.array_split(np.arange(LANES), groups):
        distinct, first, of = np.unique(words[lanes].ravel(), return_index=True, return_inverse=True)
        bank = distinct % BANKS
        before = (bank[:, None] == bank) & (first[:, None] > first)
        turn = 1 + before.sum(axis=1)
        passes_of[lanes] = done + turn[of].reshape(-1, groups)
        degree, done = max(degree, int(turn.max())), done + int(turn.max())
    return Request(words, passes_of, groups, degree, done)


def request(layout: str, access: str, stride: int = 1, width: int = 32) -> Request:
    """One warp's read of a tile.

    Raises
    ------
    ValueError
        If the rows of the layout do not start at multiples of the access, or a name is unknown.
    """
    row, column = wanted(access, stride, width)
    words = word_address(layout, row, column, width // 32)
    if not is_aligned(layout, width):
        raise ValueError(f"rows of a {layout} tile do not start at multiples of {width} bits")
    return serve(words)


def load_latency(degree: int) -> int:
    """Cycles until a 32-bit load returns to a warp that is alone, by the line through measurements on an A100.

    Measured: 23, 25, 29, 37 cycles for degrees 1, 2, 4, 8; beyond them the line is continued.
    """
    return 23 + 2 * (degree - 1)
