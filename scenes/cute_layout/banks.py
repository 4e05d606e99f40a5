"""Banks of memory: what each is asked for when several words are read at once, and the passes that this takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .layout import Offsets

BANKS = 8  # of the toy; shared memory has 32, each 4 bytes wide


def bank_loads(offsets: Offsets, banks: int = BANKS) -> Offsets:
    """How many different words each bank is asked for when all offsets are read at once.

    Parameters
    ----------
    offsets : ndarray of int, shape (n,)
        What each thread reads [words of 4 bytes]; a word that several threads ask for counts once.
    banks : int
        Neighbouring words lie in neighbouring banks: bank = offset mod banks.

    Returns
    -------
    ndarray of int, shape (banks,)
        Its maximum is the conflict degree: the passes that the read takes.

    References
    ----------
    .. [1] NVIDIA, CUDA C++ Programming Guide, shared memory: 32 banks, a broadcast costs nothing.
    """
    return np.bincount(np.unique(offsets) % banks, minlength=banks)


def passes(offsets: Offsets, banks: int = BANKS) -> Offsets:
    """In which pass each of some different words is handed out, counted from 1, shape (n,)."""
    asked = offsets % banks
    earlier = np.tril(asked[:, None] == asked[None, :])
    return np.asarray(earlier.sum(axis=1), dtype=np.int64)


class Read(NamedTuple):
    """Words that are read at once: which, how many each bank is asked for, and in which pass each is handed out."""

    words: list[int]
    loads: list[int]
    passes: list[int]

    @property
    def degree(self) -> int:
        """The conflict degree: how many passes the read takes."""
        return max(self.loads)


def read(words: Offsets, banks: int = BANKS) -> Read:
    """What reading different words at once asks of the banks."""
    return Read(words.tolist(), bank_loads(words, banks).tolist(), passes(words, banks).tolist())


def longest_run(offsets: Sequence[int] | Offsets) -> int:
    """How many elements in a row, at most, lie one right after the other in memory [elements]."""
    longest = run = 1
    for step in np.diff(offsets):
        run = run + 1 if step == 1 else 1
        longest = max(longest, run)
    return longest
