"""One piece of memory for each sequence, as long as it may ever grow."""

from __future__ import annotations

import numpy as np

from .slots import EMPTY, Ints, free_runs, refuse_bad


class Contiguous:
    """Each sequence reserves the most that it may grow to, in one piece, in the first hole that is large enough.

    Parameters
    ----------
    slots : int
        Size of the memory [slots]; a slot holds the keys and values of one token.

    References
    ----------
    .. [1] Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention", 2023,
       arXiv:2309.06180, section 3.1: the chunk pre-allocation of earlier systems.
    """

    def __init__(self, slots: int) -> None:
        self.cells: Ints = np.full(slots, EMPTY, dtype=np.int64)
        self.pieces: dict[str, tuple[int, int]] = {}  # start and size [slots]
        self.lengths: dict[str, int] = {}  # tokens written

    def holes(self) -> list[tuple[int, int]]:
        """Start and length of every run of slots that nobody has reserved."""
        free = np.ones(len(self.cells), dtype=bool)
        for start, size in self.pieces.values():
            free[start : start + size] = False
        return free_runs(free)

    def admit(self, name: str, prompt: Ints, most: int) -> bool:
        """Reserve `most` slots and write the prompt; False, and nothing changed, if no hole is large enough."""
        refuse_bad(name, prompt, most, self.lengths)
        start = next((start for start, size in self.holes() if size >= most), None)
        if start is None:
            return False
        self.pieces[name], self.lengths[name] = (start, most), len(prompt)
        self.cells[start : start + len(prompt)] = prompt
        return True

    def write(self, name: str, token: int) -> bool:
        """Add one token; False if the piece is full."""
        (start, size), length = self.pieces[name], self.lengths[name]
        if length == size:
            return False
        self.cells[start + length] = token
        self.lengths[name] += 1
        return True

    def release(self, name: str) -> None:
        """Give the whole piece back."""
        del self.pieces[name], self.lengths[name]

    def where(self, name: str) -> Ints:
        """The slot of every token of a sequence, in their order."""
        start, _ = self.pieces[name]
        return np.arange(start, start + self.lengths[name])

    def read(self, name: str) -> Ints:
        """What a sequence finds in its slots."""
        return self.cells[self.where(name)]

    @property
    def taken(self) -> int:
        """Slots that are reserved."""
        return sum(size for _, size in self.pieces.values())
