"""The cache of a model that keeps one entry for many tokens: DeepSeek-V4."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._serving.shapes import POSITION, Shape, Whole, held
from .model import BF16, FORMATS, Cache

EVERY = {"c": 4, "h": 128}  # tokens for an entry: in layers of CSA, and of HCA
SCALED = 64  # numbers of an entry in FP8 that share a scale of one byte
INDEX_FP4 = 128 // 2 + 128 // 32  # an indexer's key in FP4, with a byte for 32 numbers [B]


@dataclass(frozen=True)
class Compressed(Cache):
    """Entries of 4 and of 128 tokens, and the last tokens one by one; keys and values are the same numbers.

    An entry begins to count when its last token has come. What a layer gathers for the next entry is left out.

    References
    ----------
    .. [1] Hugging Face, "DeepSeek-V4" (Transformers documentation), 2026.
    .. [2] FlashMLA, csrc/api/sparse_decode.h: 584 bytes for an entry in FP8.
    """

    @cached_property
    def entry(self) -> int:
        """Bytes of an entry, or of a token in the window."""
        return self.shape.head_dim * self.element

    @cached_property
    def layer_token(self) -> int:
        """An entry of a layer that chooses, with its indexer's key [B]."""
        return self.entry + self.shape.index * self.element

    @cached_property
    def elements(self) -> int:
        """Numbers that a token adds to all layers, on average."""
        return self.token // self.element

    @cached_property
    def token(self) -> int:
        """What a token adds to all layers, on average [B]."""
        csa, hca = (self.shape.kinds.count(kind) for kind in "ch")
        return csa * self.layer_token // EVERY["c"] + hca * self.entry // EVERY["h"]

    def entries(self, tokens: ArrayLike) -> tuple[Whole, Whole]:
        """In all layers that choose, and in those that read all entries."""
        counts = np.asarray(tokens, dtype=np.int64)
        chosen, read = (self.shape.kinds.count(kind) * (counts // EVERY[kind]) for kind in "ch")
        return chosen, read

    def parts(self, tokens: ArrayLike) -> tuple[Whole, Whole]:
        chosen, read = self.entries(tokens)
        window = self.shape.layers * held(tokens, self.shape.window)
        return self.batch * (chosen * self.layer_token + read * self.entry), self.batch * window * self.entry

    def stored(self, tokens: int, form: str) -> float:
        if form != "FP8":
            return float(sum(self.parts(tokens))) / self.element * FORMATS[form].each / 8
        chosen, read = self.entries(tokens)
        alone = int(read) + self.shape.layers * int(held(tokens, self.shape.window))
        return float(self.batch * (int(chosen) * (entry_fp8(self.shape) + INDEX_FP4) + alone * entry_fp8(self.shape)))

    def full(self, tokens: int) -> int:
        return self.shape.layers * self.batch * tokens * self.entry

    def grows(self, tokens: int) -> int:
        """What one more token adds on average, when windows are full [B]."""
        return self.token

    def fits(self, capacity: int) -> int | None:
        low, high = 0, capacity + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.total(middle) <= capacity else (low, middle)
        return low


def entry_fp8(shape: Shape) -> int:
    """All numbers but those of the position in FP8, these in BF16, scales, and a byte that fills up [B]."""
    plain = shape.head_dim - POSITION
    return plain + BF16 * POSITION + plain // SCALED + 1
