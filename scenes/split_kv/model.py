"""Decoding with the keys split: which SMs work, how long that takes, and how the parts are merged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

SMS, BANDWIDTH = 132, 3352e9  # of an H100 SXM; HBM3 [B/s]
KV_HEADS, QUERY_HEADS, DIM = 8, 32, 128  # of a layer of Llama 3 8B
BF16, FP32 = 2, 4  # bytes of a number
# What one SM pulls by itself [B/s], and the least that a second kernel takes [s]: as measured on one H100 with blocks
# of 1,024 threads that stream keys and values (63 GB/s), and with merging kernels back to back (3.0 µs).
ONE_SM, SECOND_KERNEL = 60e9, 3e-6
KEY_TILE = 128  # keys that a kernel takes at a time

Floats = NDArray[np.float64]


def kv_bytes(sequences: int, keys: int) -> int:
    """Keys and values of a layer [B]."""
    return sequences * KV_HEADS * keys * 2 * DIM * BF16


def waves(blocks: int, sms: int = SMS) -> list[int]:
    """How many blocks run at a time, one on each SM, until all have run."""
    full, rest = divmod(blocks, sms)
    return [sms] * full + [rest] * (rest > 0)


def wave_times(blocks: int, size: float, sms: int = SMS) -> list[float]:
    """How long each wave takes that reads `size` bytes a block [s].

    An SM reads at its own rate until all of them together ask for more than memory gives.
    """
    return [size / min(ONE_SM, BANDWIDTH / running) for running in waves(blocks, sms)]


def merge_bytes(sequences: int, splits: int) -> int:
    """Bytes of partial results, written and read: for each head and split an output and a log-sum-exp in FP32."""
    return 2 * sequences * QUERY_HEADS * splits * (DIM + 1) * FP32 if splits > 1 else 0


def chosen_splits(blocks: int, keys: int, sms: int = SMS, most: int = 128) -> int:
    """How many splits FlashAttention-3 takes.

    One if the blocks fill four fifths of the SMs, or if there are four tiles of keys at most. Otherwise the fewest that
    keep SMs at least 0.85 times as busy as the best number does.

    References
    ----------
    .. [1] Dao-AILab, flash-attention, hopper/heuristics.h, num_splits_heuristic.
    """
    tiles = ceil(keys / KEY_TILE)
    if blocks >= 0.8 * sms or tiles <= 4:
        return 1
    busy = [blocks * splits / sms / ceil(blocks * splits / sms) for splits in range(1, min(most, sms, tiles) + 1)]
    return next(splits for splits, share in enumerate(busy, 1) if share >= 0.85 * max(busy))


def partial(scores: ArrayLike, values: ArrayLike) -> tuple[float, float]:
    """Attention over some of the keys: the log-sum-exp of their scores, and the output as if there were no others."""
    found, weighed = np.asarray(scores, dtype=float), np.asarray(values, dtype=float)
    top = found.max()
    powers = np.exp(found - top)
    return float(top + np.log(powers.sum())), float(powers @ weighed / powers.sum())


def merge(sums: ArrayLike, outputs: ArrayLike) -> tuple[Floats, float, float]:
    """Merge partial attention.

    Parameters
    ----------
    sums, outputs : array_like, shape (splits,)
        The log-sum-exp and the output of each part.

    Returns
    -------
    weights : ndarray, shape (splits,)
        The share that each part has in the result.
    total : float
        The log-sum-exp of all keys.
    output : float
        The attention over all keys.

    References
    ----------
    .. [1] FlashInfer documentation, flashinfer.cascade.merge_states.
    """
    found = np.asarray(sums, dtype=float)
    top = found.max()
    powers = np.exp(found - top)
    weights: Floats = powers / powers.sum()
    return weights, float(top + np.log(powers.sum())), float(weights @ np.asarray(outputs, dtype=float))


TOY_KEYS = 64
_noise = np.random.default_rng(8)
SCORES = np.round(_noise.normal(0, 1.6, TOY_KEYS), 2)
VALUES = np.round(_noise.uniform(0, 10, TOY_KEYS) + np.linspace(0, 8, TOY_KEYS), 1)


@dataclass(frozen=True)
class Case:
    """One step of decoding: each of `sequences` conversations asks with one query, over `keys` keys in `splits`."""

    splits: int
    sequences: int
    keys: int

    @property
    def alone(self) -> int:
        """Blocks without a split: one for each conversation and KV head."""
        return self.sequences * KV_HEADS

    @property
    def blocks(self) -> int:
        return self.alone * self.splits

    @property
    def bytes(self) -> int:
        """Keys and values that are read."""
        return kv_bytes(self.sequences, self.keys)

    @cached_property
    def waves(self) -> list[int]:
        return waves(self.blocks)

    @cached_property
    def times(self) -> list[float]:
        """Of each wave [s]."""
        return wave_times(self.blocks, self.bytes / self.blocks)

    @cached_property
    def reading(self) -> float:
        """Until all keys are read [s]."""
        return sum(self.times)

    @property
    def merging(self) -> float:
        """What the merge takes; nothing where there is nothing to merge [s]."""
        return SECOND_KERNEL + merge_bytes(self.sequences, self.splits) / BANDWIDTH if self.splits > 1 else 0.0

    @property
    def total(self) -> float:
        """[s]"""
        return self.reading + self.merging

    @property
    def busy(self) -> float:
        """SMs with work, as a share, averaged over all waves of equal length."""
        return self.blocks / (SMS * len(self.waves))

    @cached_property
    def unsplit(self) -> Case:
        return Case(1, self.sequences, self.keys)

    @property
    def times_faster(self) -> float:
        return self.unsplit.total / self.total

    @property
    def chosen(self) -> int:
        """The splits that FlashAttention-3 would take."""
        return chosen_splits(self.alone, self.keys)

    @cached_property
    def parts(self) -> list[tuple[float, float]]:
        """The toy query's log-sum-exp and output for each split."""
        cuts = np.array_split(np.arange(TOY_KEYS), self.splits)
        return [partial(SCORES[cut], VALUES[cut]) for cut in cuts]

    @cached_property
    def merged(self) -> tuple[Floats, float, float]:
        sums, outputs = zip(*self.parts, strict=True)
        return merge(sums, outputs)

    @property
    def mean(self) -> float:
        """What a plain average of the parts' outputs would give."""
        return float(np.mean([output for _, output in self.parts]))


EXACT = partial(SCORES, VALUES)[1]
