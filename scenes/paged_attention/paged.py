"""Blocks of memory on demand: tables, reference counts and copy on write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .slots import EMPTY, Ints, free_runs, refuse_bad


class Copy(NamedTuple):
    """A block copied because its writer shared it: physical block numbers, and how many tokens were in it."""

    name: str
    source: int
    target: int
    tokens: int


class Paged:
    """Sequences take blocks as they need them, any free one, and find them through a block table.

    Parameters
    ----------
    slots : int
        Size of the memory [slots], a multiple of `block`.
    block : int
        Slots in a block.
    sharing : bool
        Whether a prompt that begins like a running sequence uses that one's blocks, counted by reference.

    Raises
    ------
    ValueError
        If the memory is no whole number of blocks.

    References
    ----------
    .. [1] Kwon et al., 2023, arXiv:2309.06180, sections 4.2 and 4.3 (block tables, allocation on demand) and
       4.4 (reference counts, copy on write).
    """

    def __init__(self, slots: int, block: int, sharing: bool = False) -> None:
        if block < 1 or slots % block:
            raise ValueError(f"{slots} slots are no whole number of blocks of {block}")
        self.block, self.sharing = block, sharing
        self.cells: Ints = np.full((slots // block, block), EMPTY, dtype=np.int64)
        self.refs: Ints = np.zeros(slots // block, dtype=np.int64)
        self.tables: dict[str, list[int]] = {}
        self.lengths: dict[str, int] = {}
        self.copies: list[Copy] = []

    def holes(self) -> list[tuple[int, int]]:
        """Start and length of every run of free slots."""
        return free_runs(np.repeat(self.refs == 0, self.block))

    def needed(self, prompt: Ints) -> int:
        """Free blocks that it takes to hold the prompt and the token after it, beside those that can be shared."""
        shared = len(self._shared(prompt))
        copied = shared * self.block > len(prompt)  # the next token goes into a block that another one uses
        return -(-(len(prompt) + 1) // self.block) - shared + copied

    def admit(self, name: str, prompt: Ints, most: int) -> bool:
        """Take blocks for the prompt and write it; False, and nothing changed, if too few are free."""
        refuse_bad(name, prompt, most, self.lengths)
        if self.needed(prompt) > int((self.refs == 0).sum()):
            return False
        shared = self._shared(prompt)
        self.refs[shared] += 1
        new = np.flatnonzero(self.refs == 0)[: max(0, -(-len(prompt) // self.block) - len(shared))]
        self.refs[new] = 1
        rest = prompt[len(shared) * self.block :]
        for number, start in zip(new, range(0, len(rest), self.block), strict=True):
            part = rest[start : start + self.block]
            self.cells[number, : len(part)] = part
        self.tables[name], self.lengths[name] = [*shared, *map(int, new)], len(prompt)
        return True

    def write(self, name: str, token: int) -> bool:
        """Add one token, in a new block or a copy if need be; False if there is no free block for it."""
        table, length = self.tables[name], self.lengths[name]
        at, offset = divmod(length, self.block)
        if at == len(table) or self.refs[table[at]] > 1:
            if not (self.refs == 0).any():
                return False
            number = int(np.argmax(self.refs == 0))
            self.refs[number] = 1
            if at == len(table):
                table.append(number)
            else:
                self._copy(name, at, number, offset)
        self.cells[table[at], offset] = token
        self.lengths[name] += 1
        return True

    def release(self, name: str) -> None:
        """Give up all blocks; those that nobody else uses are free."""
        self.refs[self.tables.pop(name)] -= 1
        del self.lengths[name]

    def where(self, name: str) -> Ints:
        """The slot of every token of a sequence, in their order, by its block table."""
        places = np.arange(self.lengths[name])
        return np.array(self.tables[name], dtype=np.int64)[places // self.block] * self.block + places % self.block

    def read(self, name: str) -> Ints:
        """What a sequence finds through its block table."""
        return self.cells.ravel()[self.where(name)]

    @property
    def taken(self) -> int:
        """Slots in blocks that somebody uses."""
        return int((self.refs > 0).sum()) * self.block

    def _copy(self, name: str, at: int, target: int, tokens: int) -> None:
        source = self.tables[name][at]
        self.cells[target] = self.cells[source]
        self.refs[source] -= 1
        self.tables[name][at] = target
        self.copies.append(Copy(name, source, target, tokens))

    def _shared(self, prompt: Ints) -> list[int]:
        """The blocks of the running sequence that has most of this prompt: whole ones, or all that the prompt fills."""
        best: list[int] = []
        for name in self.tables if self.sharing else ():
            common = _common(prompt, self.read(name))
            count = -(-common // self.block) if common == len(prompt) else common // self.block
            if count > len(best):
                best = self.tables[name][:count]
        return best


def _common(one: Ints, other: Ints) -> int:
    """How many tokens two sequences begin with alike."""
    count = min(len(one), len(other))
    differ = one[:count] != other[:count]
    return int(np.argmax(differ)) if differ.any() else count
