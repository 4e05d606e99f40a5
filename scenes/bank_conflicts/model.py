"""A warp's request to shared memory: which word lies in which bank, and how many passes it takes to hand them over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

BANKS = LANES = SIDE = 32  # the tile is SIDE x SIDE words
WORD = 4  # bytes in a word, and what a bank hands over in one pass [B]
PASS_BYTES = BANKS * WORD  # the most that one pass hands over [B]
PADDED = SIDE + 1  # words of a row of a padded tile
LAYOUTS = ("plain", "padded", "swizzled")
BEST_FIRST = ("padded", "plain", "swizzled")  # of layouts with as few passes, the one that is shown beside the chosen
ACCESSES = ("row", "column", "stride", "broadcast")
STRIDES = range(1, 33)  # [words]
COLUMNS = range(0, SIDE, 2)  # that may be read
WIDTHS = (32, 64, 128)  # of one lane's access [bits]
ROW = COLUMN = 4  # what is read unless another column is chosen; where they cross lies the word that all lanes share


@dataclass(frozen=True)
class Request:
    """What a warp asks for, and how it is served. Arrays are of shape (32 lanes, words of a lane)."""

    words: Integers  # addresses [words]
    passes_of: Integers  # the pass in which each word is handed over, from 1
    groups: int  # parts of the warp that are served one after the other
    degree: int  # the most distinct words that one bank is asked for within a group
    passes: int  # of all groups
    busiest: list[int]  # the banks that so many words are asked from

    @property
    def places(self) -> list[tuple[int, int]]:
        """Row of memory, 32 words across all banks, and bank of each lane's first word."""
        return [divmod(word, BANKS) for word in self.words[:, 0].tolist()]

    @cached_property
    def served_in(self) -> list[int]:
        """The pass after which each lane has all its words."""
        return [max(turns) for turns in self.passes_of.tolist()]

    @cached_property
    def distinct(self) -> int:
        """Different words asked for."""
        return len(np.unique(self.words))

    @cached_property
    def banks_used(self) -> int:
        """Banks that hold at least one of them."""
        return len(np.unique(self.words % BANKS))

    @property
    def handed(self) -> int:
        """Bytes that leave the banks; a word for many lanes is read once [B]."""
        return self.distinct * WORD

    def handed_by(self, turn: int) -> int:
        """Bytes that have left the banks after a pass [B]."""
        return len(np.unique(self.words[self.passes_of <= turn])) * WORD

    def served_by(self, turn: int) -> int:
        """Lanes that have all they asked for after a pass."""
        return sum(own <= turn for own in self.served_in)


@dataclass(frozen=True)
class Read:
    """One read of a tile, from the chosen layout and from every other whose rows are aligned to it."""

    layout: str
    access: str
    stride: int  # [words]
    column: int  # that is read, where it is a column
    piece: int  # words that each lane asks for
    rivals: dict[str, Request]  # by layout, the chosen one among them

    @property
    def request(self) -> Request:
        """The read of the chosen tile."""
        return self.rivals[self.layout]

    @property
    def best(self) -> str:
        """The layout with the fewest passes; the chosen one if none has fewer."""
        names = (self.layout, *(name for name in BEST_FIRST if name in self.rivals))
        return min(names, key=lambda name: self.rivals[name].passes)


def word_address(layout: str, row: Integers, column: Integers, piece: int = 1) -> Integers:
    """Where words of a 32 × 32 tile lie, from its start [words]: at r·32 + c, r·33 + c, or r·32 + (c XOR r).

    Parameters
    ----------
    layout : {"plain", "padded", "swizzled"}
    row, column : ndarray of int, any one shape
        0 to 31.
    piece : int
        Words that a swizzle keeps side by side, 1, 2 or 4: it moves piece k of row r to k XOR (r mod 32/piece).

    References
    ----------
    .. [1] CUTLASS, include/cute/swizzle.hpp: pieces of 1 word are Swizzle<5,0,5> on word addresses, pieces of 16 bytes
       are Swizzle<3,4,3> on byte addresses.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"layout is one of {LAYOUTS}, not {layout!r}")
    if layout == "swizzled":
        column = ((column // piece) ^ (row % (SIDE // piece))) * piece + column % piece
    return row * pitch(layout) + column


def pitch(layout: str) -> int:
    """Words from one row of a tile to the next."""
    return PADDED if layout == "padded" else SIDE


def footprint(layout: str) -> int:
    """Words of memory that a tile takes."""
    return SIDE * pitch(layout)


def is_aligned(layout: str, width: int) -> bool:
    """Whether every row starts at a multiple of the access: rows of 132 bytes allow no 8- or 16-byte loads."""
    return pitch(layout) * WORD * 8 % width == 0


def wanted(access: str, stride: int = 1, width: int = 32, column: int = COLUMN) -> tuple[Integers, Integers]:
    """Row and column of every word that the lanes ask for, each of shape (32, width / 32).

    Lanes with a stride or a broadcast want one word each.
    """
    if access not in ACCESSES or width not in WIDTHS:
        raise ValueError(f"access is one of {ACCESSES}, width one of {WIDTHS}, not {access!r} and {width!r}")
    piece, lanes = width // 32, np.arange(LANES, dtype=np.int64)[:, None]
    if piece > 1 and access not in ("row", "column"):
        raise ValueError(f"with the access {access!r} each lane wants 32 bits, not {width!r}")
    first = {
        "row": ROW * SIDE + lanes * piece,  # and the rows after it, where lanes want more than a word
        "column": lanes * SIDE + column,
        "stride": lanes * stride,
        "broadcast": lanes * 0 + ROW * SIDE + COLUMN,
    }[access]
    flat = first + np.arange(piece, dtype=np.int64)
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
    groups, done = words.shape[1], 0
    turns: list[int] = []
    lengths: list[tuple[int, int]] = []  # for the banks of every group: how many words are asked for, and the bank
    for asked in words.reshape(groups, -1).tolist():
        queues: dict[int, dict[int, int]] = {}  # of each bank: the turn of each word
        for word in asked:
            queue = queues.setdefault(word % BANKS, {})
            turns.append(done + queue.setdefault(word, len(queue) + 1))
        lengths += [(len(queue), bank) for bank, queue in queues.items()]
        done += max(map(len, queues.values()))
    degree, _ = max(lengths)
    busiest = sorted({bank for length, bank in lengths if length == degree})
    return Request(words, np.reshape(turns, words.shape), groups, degree, done, busiest)


def request(layout: str, access: str, stride: int = 1, width: int = 32, column: int = COLUMN) -> Request:
    """One warp's read of a tile whose rows start at multiples of the access."""
    words = word_address(layout, *wanted(access, stride, width, column), width // 32)
    if not is_aligned(layout, width):
        raise ValueError(f"rows of a {layout} tile do not start at multiples of {width} bits")
    return serve(words)


def solve(layout: str, access: str, column: int, stride: int, width: int) -> Read:
    """The same read of every layout whose rows allow it."""
    fitting = [name for name in LAYOUTS if is_aligned(name, width)]
    rivals = {name: request(name, access, stride, width, column) for name in fitting}
    return Read(layout, access, stride, column, width // 32, rivals)


def load_latency(degree: int) -> int:
    """Cycles until a lone warp's 32-bit load returns: on an A100 23, 25, 29, 37 for degrees 1, 2, 4, 8; then alike."""
    return 23 + 2 * (degree - 1)
