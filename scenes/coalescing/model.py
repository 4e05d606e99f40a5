"""One load of a warp: the addresses of its 32 lanes, and the sectors that memory hands over for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]

LANES = 32  # threads of a warp
SECTOR = 32  # bytes: what is fetched, whole or not at all
LINE = 128  # bytes: what the cache keeps one name for
PATTERNS = ("strided", "shuffled", "random")
ELEMENT = 4  # bytes
WIDE = 16  # bytes: the most that one lane can ask for
STRIDES = range(33)  # elements
OFFSETS = (0, 1, 2, 4, 8)  # elements: up to the next sector
GATHERED = 1024  # elements of the array that a random gather reads from
SEED = 7


def element_indices(pattern: str, stride: int, offset: int) -> Array:
    """Which element each lane asks for.

    Parameters
    ----------
    pattern : str
        "strided": lane i asks for element offset + i · stride. "shuffled": the elements of stride 1, dealt out to the
        lanes by a fixed permutation. "random": distinct elements of an array of `GATHERED`, without order.
    stride, offset : int
        Distance from lane to lane, and the first element [elements]; both at least 0. A shuffle needs no stride,
        and a gather neither of the two.

    Returns
    -------
    ndarray, shape (32,)
    """
    if pattern not in PATTERNS:
        raise ValueError(f"pattern is one of {PATTERNS}, not {pattern!r}")
    if stride < 0 or offset < 0:
        raise ValueError(f"stride and offset are at least 0, not {stride} and {offset}")
    if pattern == "strided":
        return offset + np.arange(LANES, dtype=np.int64) * stride
    dice = np.random.RandomState(SEED)  # numpy keeps this stream as it is for good
    if pattern == "shuffled":
        return offset + dice.permutation(LANES).astype(np.int64)
    return dice.permutation(GATHERED)[:LANES].astype(np.int64)


def bytes_asked(addresses: Array, element: int) -> Array:
    """Every byte that at least one lane asks for.

    Parameters
    ----------
    addresses : ndarray, shape (n,)
        First byte of each lane's element.
    element : int
        Size of an element [B], at least 1.

    Returns
    -------
    ndarray, shape (m,)
        Distinct byte addresses in ascending order; m ≤ n · element.
    """
    if element < 1:
        raise ValueError(f"an element has at least 1 byte, not {element}")
    return np.unique(addresses[:, None] + np.arange(element))


def units_touched(addresses: Array, element: int, unit: int) -> Array:
    """Which aligned units of memory hold at least one byte that was asked for.

    Addresses and elements as in `bytes_asked`; a `unit` is 32 [B] for sectors and 128 for cache lines. Gives distinct
    unit numbers, address // unit, in ascending order, shape (k,).

    References
    ----------
    .. [1] NVIDIA, "CUDA C++ Best Practices Guide", section "Coalesced Access to Global Memory": from compute
       capability 6.0 on, a warp makes as many 32-byte transactions as it takes to serve all of its threads.
    .. [2] mt4g, measured fetch granularity 32 B and line 128 B of A100 and H100.
    """
    return np.unique(bytes_asked(addresses, element) // unit)


@dataclass(frozen=True)
class Load:
    """What a warp asks for in one load, and what memory moves for it."""

    pattern: str
    element: int  # [B]
    stride: int  # [elements]
    offset: int  # [elements]

    @cached_property
    def indices(self) -> Array:
        """The element that each lane asks for, shape (32,)."""
        return element_indices(self.pattern, self.stride, self.offset)

    @cached_property
    def addresses(self) -> Array:
        """The first byte that each lane asks for, shape (32,)."""
        return self.indices * self.element

    @cached_property
    def asked(self) -> Array:
        """The distinct bytes asked for."""
        return bytes_asked(self.addresses, self.element)

    @cached_property
    def sectors(self) -> Array:
        """The numbers of the sectors that are fetched."""
        return units_touched(self.addresses, self.element, SECTOR)

    @cached_property
    def lines(self) -> Array:
        """The numbers of the cache lines that those sectors belong to."""
        return units_touched(self.addresses, self.element, LINE)

    @property
    def moved(self) -> int:
        """Bytes fetched: whole sectors."""
        return SECTOR * len(self.sectors)

    @property
    def useful(self) -> int:
        """Distinct bytes asked for: what all lanes share counts once."""
        return len(self.asked)

    @property
    def efficiency(self) -> float:
        """Useful bytes in a hundred that moved [%]."""
        return 100 * self.useful / self.moved

    @property
    def best(self) -> int:
        """The fewest sectors that could hold the useful bytes, if they lay side by side."""
        return -(-self.useful // SECTOR)

    @cached_property
    def slots(self) -> Array:
        """For each lane, the place of its sector among those fetched, shape (32,). Elements are naturally aligned."""
        return np.searchsorted(self.sectors, self.addresses // SECTOR)

    @cached_property
    def used(self) -> NDArray[np.bool_]:
        """Which bytes of each fetched sector were asked for, shape (sectors, 32)."""
        return np.isin(self.sectors[:, None] * SECTOR + np.arange(SECTOR), self.asked)

    @cached_property
    def unused_runs(self) -> list[tuple[int, int, int]]:
        """Stretches that are fetched and not asked for: slot, first byte, number of bytes."""
        runs = []
        for slot, used in enumerate(self.used.tolist()):
            stretches = [(asked, list(group)) for asked, group in groupby(range(SECTOR), used.__getitem__)]
            runs += [(slot, stretch[0], len(stretch)) for asked, stretch in stretches if not asked]
        return runs


def saturating_stride(element: int) -> int:
    """The first stride at which each lane has a sector of its own [elements].

    `element` is a power of two up to 32 [B], at its natural alignment.
    """
    return SECTOR // element


@cache  # one curve for every pattern and stride that the reader may choose
def over_strides(element: int, offset: int) -> tuple[Load, ...]:
    """The strided load at each of `STRIDES`."""
    return tuple(Load("strided", element, stride, offset) for stride in STRIDES)


class Case(NamedTuple):
    """One load, and the same load at every stride."""

    load: Load
    curve: tuple[Load, ...]
    aligned: tuple[Load, ...]  # the curve from offset 0, to compare with


def solve(pattern: str, stride: int, offset: int) -> Case:
    """What one choice of the reader comes to; "wide" is a load of 16 bytes a lane, side by side."""
    load = Load("strided", WIDE, 1, 0) if pattern == "wide" else Load(pattern, ELEMENT, stride, offset)
    return Case(load, over_strides(load.element, load.offset), over_strides(load.element, 0))
