"""Two memories for sequences: a piece for each as long as it may ever grow, or blocks on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
EMPTY = -1  # what a slot that was never written holds


class Copy(NamedTuple):
    """A block copied because its writer shared it: physical block numbers, and how many tokens were in it."""

    name: str
    source: int
    target: int
    tokens: int


def free_runs(free: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and length of every run of free slots, in the order of addresses [slots].

    Parameters
    ----------
    free : ndarray, shape (n_slots,)
        Whether each slot is free.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8))).tolist()
    return [(start, end - start) for start, end in zip(edges[::2], edges[1::2], strict=True)]


class Memory:
    """What both memories have: slots, each for the keys and values of one token, and sequences that wrote to some."""

    def __init__(self, slots: int, block: int = 1) -> None:
        self.block = block  # slots in a block
        self.cells: Ints = np.full(slots, EMPTY, dtype=np.int64)
        self.lengths: dict[str, int] = {}  # tokens written
        self.pieces: dict[str, tuple[int, int]] = {}  # start and size [slots]; contiguous
        self.tables: dict[str, list[int]] = {}  # physical block numbers; this and more, paged
        self.refs: Ints = np.zeros(0, dtype=np.int64)  # users of each block
        self.copies: list[Copy] = []

    def free(self) -> NDArray[np.bool_]:
        """Whether each slot is nobody's, shape (n_slots,)."""
        raise NotImplementedError

    def where(self, name: str) -> Ints:
        """The slot of every token of a sequence, in their order."""
        raise NotImplementedError

    def holes(self) -> list[tuple[int, int]]:
        """Start and length of every run of free slots."""
        return free_runs(self.free())

    def read(self, name: str) -> Ints:
        """What a sequence finds in its slots."""
        return self.cells[self.where(name)]

    @property
    def taken(self) -> int:
        """Slots that somebody has."""
        return int((~self.free()).sum())

    def _append(self, name: str, tokens: Ints | Sequence[int]) -> None:
        before = self.lengths[name]
        self.lengths[name] += len(tokens)
        self.cells[self.where(name)[before:]] = tokens

    def _refuse_bad(self, name: str, prompt: Ints, most: int) -> None:
        """Raise ValueError for a name that is there already, and for a prompt that is empty or more than the most."""
        if name in self.lengths:
            raise ValueError(f"'{name}' is there already")
        if not 0 < len(prompt) <= most:
            raise ValueError(f"'{name}' has a prompt of {len(prompt)} tokens, and may have 1 to {most}")


class Contiguous(Memory):
    """Each sequence reserves the most that it may grow to, in one piece, in the first hole that is large enough.

    References
    ----------
    .. [1] Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention", 2023,
       arXiv:2309.06180, section 3.1: the chunk pre-allocation of earlier systems.
    """

    def free(self) -> NDArray[np.bool_]:
        free = np.ones(len(self.cells), dtype=bool)
        for start, size in self.pieces.values():
            free[start : start + size] = False
        return free

    def admit(self, name: str, prompt: Ints, most: int) -> bool:
        """Reserve `most` slots and write the prompt; False, and nothing changed, if no hole is large enough."""
        self._refuse_bad(name, prompt, most)
        start = next((start for start, size in self.holes() if size >= most), None)
        if start is None:
            return False
        self.pieces[name], self.lengths[name] = (start, most), 0
        self._append(name, prompt)
        return True

    def write(self, name: str, token: int) -> bool:
        """Add one token; False if the piece is full."""
        if self.lengths[name] == self.pieces[name][1]:
            return False
        self._append(name, [token])
        return True

    def release(self, name: str) -> None:
        """Give the whole piece back."""
        del self.pieces[name], self.lengths[name]

    def where(self, name: str) -> Ints:
        start, _ = self.pieces[name]
        return np.arange(start, start + self.lengths[name])


class Paged(Memory):
    """Sequences take blocks as they need them, any free one, and find them through a block table.

    With `sharing`, a prompt that begins like a running sequence uses that one's blocks, counted by reference.

    References
    ----------
    .. [1] Kwon et al., 2023, arXiv:2309.06180, sections 4.2 and 4.3 (block tables, allocation on demand) and
       4.4 (reference counts, copy on write).
    """

    def __init__(self, slots: int, block: int, sharing: bool = False) -> None:
        if block < 1 or slots % block:
            raise ValueError(f"{slots} slots are no whole number of blocks of {block}")
        super().__init__(slots, block)
        self.sharing, self.refs = sharing, np.zeros(slots // block, dtype=np.int64)

    def free(self) -> NDArray[np.bool_]:
        return np.repeat(self.refs == 0, self.block)

    def admit(self, name: str, prompt: Ints, most: int) -> bool:
        """Take blocks for the prompt and write it; False, and nothing changed, if one more token would find no room."""
        self._refuse_bad(name, prompt, most)
        shared, free = self._shared(prompt), np.flatnonzero(self.refs == 0).tolist()
        held = min(len(shared) * self.block, len(prompt))  # tokens that are there already
        copied = held < len(shared) * self.block  # the token after the prompt goes into a block that another one uses
        if -(-(len(prompt) + 1) // self.block) - len(shared) + copied > len(free):
            return False
        self.tables[name] = [*shared, *free[: -(-(len(prompt) - held) // self.block)]]
        self.refs[self.tables[name]] += 1
        self.lengths[name] = held
        self._append(name, prompt[held:])
        return True

    def write(self, name: str, token: int) -> bool:
        """Add one token, in a new block or a copy if need be; False if there is no free block for it."""
        table, (at, offset) = self.tables[name], divmod(self.lengths[name], self.block)
        if at == len(table) or self.refs[table[at]] > 1:
            number = int(np.argmin(self.refs))
            if self.refs[number]:
                return False
            self.refs[number] = 1
            if at < len(table):
                cells, source = self.cells.reshape(-1, self.block), table[at]
                cells[number] = cells[source]
                self.refs[source] -= 1
                self.copies.append(Copy(name, source, number, offset))
            table[at:] = [number]
        self._append(name, [token])
        return True

    def release(self, name: str) -> None:
        """Give up all blocks; those that nobody else uses are free."""
        self.refs[self.tables.pop(name)] -= 1
        del self.lengths[name]

    def where(self, name: str) -> Ints:
        places = np.arange(self.lengths[name])
        return np.array(self.tables[name], dtype=np.int64)[places // self.block] * self.block + places % self.block

    def _shared(self, prompt: Ints) -> list[int]:
        """The blocks of the running sequence that has most of this prompt: whole ones, or all that the prompt fills."""
        best: list[int] = []
        for name in self.tables if self.sharing else ():
            alike = [own == other for own, other in zip(prompt.tolist(), self.read(name).tolist(), strict=False)]
            common = [*alike, False].index(False)
            count = -(-common // self.block) if common == len(prompt) else common // self.block
            best = max(best, self.tables[name][:count], key=len)
        return best
