"""How many bytes attention moves between memory and chip: with its matrix stored, and in tiles that never are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import ceil

import numpy as np
from numpy.typing import NDArray

BF16, FP32 = 2, 4  # bytes of a number
KIB = 1024
TENANTS = 4  # tiles that share the memory on the chip: queries, keys, values and the output


def block_rows(memory: int, dim: int) -> int:
    """Rows of a tile when tiles of Q, K, V and O share `memory` bytes, a quarter each.

    Parameters
    ----------
    memory : int
        On-chip memory [B].
    dim : int
        Numbers of a row: the size of the head.

    References
    ----------
    .. [1] Dao et al., "FlashAttention", 2022, arXiv:2205.14135, Algorithm 1, line 1: M / (4 d) rows.
    """
    rows = memory // (TENANTS * dim * BF16)
    if rows < 1:
        raise ValueError(f"{memory} bytes hold no row of {dim} numbers for each of {TENANTS} tiles")
    return rows


def plain_bytes(tokens: int, dim: int) -> int:
    """Bytes that three kernels move: Q and K in, scores out; scores in, weights out; weights and V in, O out."""
    return BF16 * (4 * tokens**2 + 4 * tokens * dim)


def once_bytes(tokens: int, dim: int) -> int:
    """Bytes if each of Q, K, V moved once, and O and a log-sum-exp in FP32 for each query [B]."""
    return BF16 * 4 * tokens * dim + FP32 * tokens


def bound_bytes(tokens: int, dim: int, memory: int) -> float:
    """N² d² / M accesses to numbers of BF16, without the constant that the Θ hides [B]; M is `memory` in numbers.

    References
    ----------
    .. [1] Dao et al., "FlashAttention", 2022, arXiv:2205.14135, Theorem 2.
    """
    return BF16 * (tokens * dim) ** 2 / (memory / BF16)


def first_paper_bytes(tokens: int, dim: int, memory: int) -> int:
    """Bytes that the loop of the first paper moves: blocks of keys outside, queries, O, m and l again for each.

    References
    ----------
    .. [1] Dao et al., "FlashAttention", 2022, arXiv:2205.14135, Algorithm 1.
    """
    passes = ceil(tokens / ceil(memory / BF16 / (TENANTS * dim)))
    state = 2 * FP32 * tokens  # m and l
    return BF16 * 2 * tokens * dim + passes * (BF16 * 3 * tokens * dim + 2 * state)


def keys_needed(tokens: int, block: int, causal: bool) -> NDArray[np.int64]:
    """For each row of tiles, the keys that it has to load: whole tiles, and the last may be short.

    Returns
    -------
    ndarray of int, shape (ceil(tokens / block),)
        From the first queries to the last. With `causal`, tiles that lie wholly above the diagonal are skipped.
    """
    rows = np.arange(ceil(tokens / block), dtype=np.int64)
    return np.minimum((rows + 1) * block, tokens) if causal else np.full(len(rows), tokens, dtype=np.int64)


@dataclass(frozen=True)
class Case:
    """One head of attention, forward, in square tiles that fit into `memory` bytes."""

    tokens: int
    dim: int
    memory: int  # [B]
    causal: bool

    @cached_property
    def block(self) -> int:
        """Rows of a tile, at most all."""
        return min(block_rows(self.memory, self.dim), self.tokens)

    @property
    def side(self) -> int:
        """Tiles across, and down."""
        return ceil(self.tokens / self.block)

    @cached_property
    def order(self) -> list[int]:
        """Rows of tiles as they are taken: with a mask the longest first."""
        return list(range(self.side))[:: -1 if self.causal else 1]

    @cached_property
    def keys(self) -> list[int]:
        """Keys that each row of tiles loads, from the first queries to the last."""
        return [int(keys) for keys in keys_needed(self.tokens, self.block, self.causal)]

    @cached_property
    def counts(self) -> list[int]:
        """Tiles of each row that are computed."""
        return [ceil(keys / self.block) for keys in self.keys]

    @cached_property
    def computed(self) -> int:
        """Tiles that are computed."""
        return sum(self.counts)

    @property
    def skipped(self) -> int:
        """Tiles that the mask empties."""
        return self.side**2 - self.computed

    @property
    def matrix(self) -> int:
        """The scores of all queries against all keys [B]."""
        return BF16 * self.tokens**2

    @property
    def plain(self) -> int:
        """All that a plain program moves [B]."""
        return plain_bytes(self.tokens, self.dim)

    @property
    def once(self) -> int:
        """The least that any program moves [B]."""
        return once_bytes(self.tokens, self.dim)

    @cached_property
    def tiled(self) -> int:
        """All that the tiles move [B]."""
        return self.moved(self.side, 0)

    @property
    def times(self) -> float:
        """How many times fewer bytes that is."""
        return self.plain / self.tiled

    def moved(self, rows: int, tiles: int) -> int:
        """What the tiles have moved after `rows` rows of tiles and `tiles` more of the next [B].

        A row reads its queries, and a tile its keys and values; a finished row writes O and its log-sum-exp.
        """
        queries, keys = self._done[rows]
        vectors = 2 * queries + 2 * keys
        if tiles:
            row = self.order[rows]
            vectors += self.queries(row) + 2 * min(tiles * self.block, self.keys[row])
        return BF16 * self.dim * vectors + FP32 * queries

    @cached_property
    def _done(self) -> list[tuple[int, int]]:
        """Queries and keys of the first rows of tiles that are taken, of none and of one and so on."""
        queries = accumulate(map(self.queries, self.order), initial=0)
        return list(zip(queries, accumulate((self.keys[row] for row in self.order), initial=0), strict=True))

    def queries(self, row: int) -> int:
        """Queries in a row of tiles: the last one may be short."""
        return min(self.block, self.tokens - row * self.block)

    def plain_moved(self, kernel: int, share: float) -> float:
        """What a plain program has moved when a share of one of its three kernels is done [B]."""
        scores, vectors = self.tokens**2, self.tokens * self.dim
        each = (2 * vectors + scores, 2 * scores, scores + 2 * vectors)
        return BF16 * (sum(each[:kernel]) + share * each[kernel])
