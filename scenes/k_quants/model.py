"""k-quants: 256 weights as small codes, sub-block scales of a few bits, and one or two FP16 numbers above them.

.. [1] ggml-org, ggml, src/ggml-quants.c: quantize_row_q2_K_ref … q6_K_ref, q4_0_ref, q4_1_ref, q8_0_ref.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._formats.floats import rounded
from .kinds import WEIGHTS, Kind, kind_of
from .search import Fit, affine, descent, symmetric, total

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Packed:
    """What the bytes of s super-blocks say: b sub-blocks of k weights each, in one struct, or in a struct each."""

    kind: Kind
    d: Floats  # shape (s, structs) [1], FP16 values: what a scale of 1 stands for
    dmin: Floats  # shape (s, structs) [1]
    scale_codes: Ints  # shape (s, b): sc; 1 where scales are not nested
    min_codes: Ints  # shape (s, b): m
    codes: Ints  # shape (s, b, k): q − zero

    @property
    def scales(self) -> Floats:
        """What a code of 1 stands for in each sub-block [1], shape (s, b)."""
        return self.d * self.scale_codes.astype(np.float32)

    @property
    def minima(self) -> Floats:
        """What is taken off in each sub-block [1], shape (s, b)."""
        return self.dmin * self.min_codes.astype(np.float32)

    @property
    def decoded(self) -> Floats:
        """What is read back [1], shape (s, b, k)."""
        return self.scales[..., None] * self.codes.astype(np.float32) - self.minima[..., None]


@dataclass(frozen=True)
class Stored:
    """Super-blocks, what the search found for them, and what was kept of that. Floats are float32."""

    numbers: Floats  # shape (s, b, k) [1]: what was to be stored
    ideal_scales: Floats  # shape (s, b) [1]: as the search left them
    ideal_minima: Floats  # shape (s, b) [1]
    packed: Packed

    @property
    def unrounded(self) -> Floats:
        """What would be read back if the search's scales and minima were kept in full [1], shape (s, b, k)."""
        scales, minima = self.ideal_scales[..., None], self.ideal_minima[..., None]
        codes = _nearest(self.numbers + minima, scales, self.packed.kind, self.packed.codes)
        return scales * codes.astype(np.float32) - minima


def half(values: Floats) -> Floats:
    """The nearest FP16 values [1], as float32."""
    return np.asarray(rounded(values, "FP16"), dtype=np.float32)


def quantize(numbers: Floats, name: str) -> Stored:
    """Super-blocks in one of the types, as ggml's reference quantisers store them [1]_: no importance matrix.

    Parameters
    ----------
    numbers : ndarray, shape (s, 256)
        Finite weights [1]; taken as float32.
    name : str
        Key of `KINDS`.
    """
    kind, numbers = kind_of(name), np.asarray(numbers, dtype=np.float32)
    if numbers.ndim != 2 or numbers.shape[1] != WEIGHTS or not np.isfinite(numbers).all():
        raise ValueError(f"weights must be finite, in rows of {WEIGHTS}")
    blocks = numbers.reshape(len(numbers), kind.blocks, kind.size)
    if not kind.nested:
        return _ranged(blocks, kind) if kind.min_bits else _plain(blocks, kind)
    fit = SEARCHES[name](blocks.reshape(-1, kind.size))
    scales, minima = (part.reshape(blocks.shape[:2]) for part in (fit.scales, fit.minima))
    if kind.min_bits:
        d, scale_codes = _counted(scales, 2**kind.scale_bits - 1)
        dmin, min_codes = _counted(minima, 2**kind.min_bits - 1)
    else:
        d, scale_codes = _counted_signed(scales, kind)
        dmin, min_codes = np.zeros_like(d), np.zeros_like(scale_codes)
    steps, shifts = d * scale_codes.astype(np.float32), dmin * min_codes.astype(np.float32)
    kept = fit.codes.reshape(blocks.shape).astype(np.int64)  # where a scale rounds to 0
    codes = _nearest(blocks + shifts[..., None], steps[..., None], kind, kept)
    return Stored(blocks, scales, minima, Packed(kind, d, dmin, scale_codes, min_codes, codes))


def _nearest(numbers: Floats, steps: Floats, kind: Kind, kept: Ints) -> Ints:
    """numbers / steps as codes; those `kept` where a step is 0."""
    ratio = np.divide(numbers, steps, out=np.zeros_like(numbers), where=steps != 0)
    return np.where(steps == 0, kept, np.clip(np.rint(ratio), kind.lowest, kind.highest).astype(np.int64))


def _counted(values: Floats, top: int) -> tuple[Floats, Ints]:
    """Values that are not negative as multiples of one FP16 number, the largest of each row as `top`."""
    most = values.max(axis=1, keepdims=True)
    some = most > 0
    per = np.where(some, np.float32(top) / np.where(some, most, 1), np.float32(0))
    counts = np.minimum(np.rint(per * values), top).astype(np.int64)
    return half(np.where(some, most / np.float32(top), 0)), counts


def _counted_signed(values: Floats, kind: Kind) -> tuple[Floats, Ints]:
    """Values of either sign as multiples of one FP16 number, the one of largest magnitude as the lowest integer."""
    reach = 2 ** (kind.scale_bits - 1)
    most = np.take_along_axis(values, np.abs(values).argmax(axis=1)[:, None], axis=1)
    some = most != 0
    per = np.float32(-reach) / np.where(some, most, np.float32(1))
    counts = np.clip(np.rint(per * values), -reach, reach - 1).astype(np.int64)
    blank = 0 if kind.scale_bits == 8 else -reach  # the byte 0, where there is nothing to scale
    return half(np.where(some, 1 / per, 0)), np.where(some, counts, blank)


def _plain(blocks: Floats, kind: Kind) -> Stored:
    """Q4_0 and Q8_0: an FP16 scale for each block, from its largest magnitude; no search, nothing above it."""
    top = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)[..., 0] + 0  # no −0
    signed = kind.bits == 8  # its scale is positive, and its codes carry the sign
    unit = np.float32(kind.highest if signed else kind.lowest)
    scales = np.asarray((np.abs(top) if signed else top) / unit, dtype=np.float32)
    inverse = np.divide(1, scales, out=np.zeros_like(scales), where=scales != 0)
    ratio = blocks * inverse[..., None]
    if signed:
        codes = np.copysign(np.floor(np.abs(ratio) + np.float32(0.5)), ratio)  # halves go away from zero
    else:
        codes = np.minimum(np.trunc(ratio + np.float32(kind.zero + 0.5)) - kind.zero, kind.highest)
    ones, none = np.ones(scales.shape, dtype=np.int64), np.zeros_like(scales)
    packed = Packed(kind, half(scales), none, ones, 0 * ones, codes.astype(np.int64))
    return Stored(blocks, scales, none, packed)


def _ranged(blocks: Floats, kind: Kind) -> Stored:
    """Q4_1: an FP16 scale and an FP16 minimum for each block, from its smallest and its largest number."""
    low, high = blocks.min(axis=2), blocks.max(axis=2)
    scales = (high - low) / np.float32(kind.highest)
    inverse = np.divide(1, scales, out=np.zeros_like(scales), where=scales != 0)
    codes = np.minimum(np.trunc((blocks - low[..., None]) * inverse[..., None] + np.float32(0.5)), kind.highest)
    ones = np.ones(scales.shape, dtype=np.int64)
    return Stored(blocks, scales, -low, Packed(kind, half(scales), -half(low), ones, ones, codes.astype(np.int64)))


def _k_affine(top: int, first: float, trials: int) -> Callable[[Floats], Fit]:
    def search(rows: Floats) -> Fit:
        size = np.sqrt(total(rows * rows) / np.float32(rows.shape[1]))
        return affine(rows, size[:, None] + np.abs(rows), top, first, trials)

    return search


SEARCHES: dict[str, Callable[[Floats], Fit]] = {
    "Q2_K": lambda rows: affine(rows, np.abs(rows), 3, -0.5, 16, absolute=True),
    "Q3_K": lambda rows: descent(rows, 4),
    "Q4_K": _k_affine(15, -1.0, 21),
    "Q5_K": _k_affine(31, -0.5, 16),
    "Q6_K": lambda rows: symmetric(rows, 32),
}
