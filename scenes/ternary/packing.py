"""Ternary weights as bytes: five in a byte as a number of base 3, or two bits for each.

.. [1] ggml-org, ggml, src/ggml-common.h and ggml-quants.c (block_tq1_0, block_tq2_0).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .model import Whole, trits_of

Bytes = NDArray[np.uint8]

FIVE = 5
PLACES = 3 ** np.arange(FIVE)[::-1]  # 81, 27, 9, 3, 1: what a digit is worth, the first most
GROUPS = 3**FIVE  # 243 numbers, of the 256 that a byte has
BLOCK = 256  # weights of GGUF that share a scale
SCALE_BYTES = np.dtype(np.float16).itemsize
# TQ1_0 takes a block's weights in three runs: (weights, in a byte). A byte's weights stand a row apart in their run.
RUNS = ((160, 5), (80, 5), (16, 4))


def digits_of(trits: ArrayLike) -> Whole:
    """Ternary weights as digits 0, 1 and 2 of base 3. Raises ValueError for other weights than −1, 0 and 1."""
    return trits_of(trits) + 1


def packed(trits: ArrayLike) -> Whole:
    """Groups of five ternary weights as numbers of base 3, 0 … 242, which fits in a byte; shape (…, 5 n) to (…, n).

    Raises ValueError for other values than −1, 0 and 1, or a last axis that is not whole groups of five.
    """
    digits = digits_of(trits)
    if not digits.ndim or digits.shape[-1] % FIVE:
        raise ValueError("weights are packed in groups of five")
    return np.asarray(digits.reshape(*digits.shape[:-1], -1, FIVE) @ PLACES)


def unpacked(numbers: ArrayLike) -> Whole:
    """The ternary weights of `packed` numbers, shape (…, n) to (…, 5 n). Raises ValueError outside 0 … 242."""
    numbers = np.asarray(numbers)
    if ((numbers < 0) | (numbers >= GROUPS)).any():
        raise ValueError(f"five ternary weights make a number from 0 to {GROUPS - 1}")
    trits = numbers[..., None] // PLACES % 3 - 1
    return np.asarray(trits.reshape(*numbers.shape[:-1], -1))


def stored(numbers: ArrayLike) -> Bytes:
    """`packed` numbers as GGUF's TQ1_0 writes them: × 256/243, rounded up, shape kept [1]_.

    Read as a fraction of 256 such a byte gives its digits from the first on: times 3, and what overflows is one.
    """
    whole = np.asarray(numbers, dtype=np.int64) * 256
    return np.asarray((whole + GROUPS - 1) // GROUPS, dtype=np.uint8)


def tq1_0(trits: ArrayLike, scale: float) -> Bytes:
    """A block of 256 ternary weights as GGUF's TQ1_0: 48 bytes of five, 4 of four, an FP16 scale; shape (54,) [1]_.

    The five weights of a byte are not neighbours: they stand 32, 16 or 4 apart, so that vector units unpack them.
    Raises ValueError unless there are 256 weights, each −1, 0 or 1.
    """
    cuts = np.cumsum([weights for weights, _ in RUNS])[:-1]
    runs = np.split(_block(trits), cuts)
    numbers = [PLACES[:count] @ run.reshape(count, -1) for run, (_, count) in zip(runs, RUNS, strict=True)]
    return np.concatenate([stored(np.concatenate(numbers)), _half(scale)])


def tq2_0(trits: ArrayLike, scale: float) -> Bytes:
    """A block of 256 ternary weights as GGUF's TQ2_0: two bits each and an FP16 scale; shape (66,) [1]_.

    Raises ValueError unless there are 256 weights, each −1, 0 or 1.
    """
    rows = _block(trits).reshape(-1, 4, 32)
    pairs = (rows << np.array([0, 2, 4, 6])[:, None]).sum(axis=1)
    return np.concatenate([pairs.ravel().astype(np.uint8), _half(scale)])


def bits_per_weight(block: Bytes) -> float:
    """What a packed block of 256 weights takes for each of them, its scale counted [bit]."""
    return 8 * block.size / BLOCK


def _block(trits: ArrayLike) -> Whole:
    digits = digits_of(trits)
    if digits.shape != (BLOCK,):
        raise ValueError(f"a block holds {BLOCK} weights, not {digits.size}")
    return digits


def _half(scale: float) -> Bytes:
    return np.frombuffer(np.float16(scale).tobytes(), dtype=np.uint8)
