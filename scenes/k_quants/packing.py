"""Super-blocks to bytes and back, in the layout of ggml's structs.

.. [1] ggml-org, ggml, src/ggml-common.h (structs) and src/ggml-quants.c (order of the bits; dequantize_row_…).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._formats.floats import decoded, encoded
from .kinds import CODES, WEIGHTS, Field, Kind, kind_of
from .model import Ints, Packed

Bytes = NDArray[np.uint8]

# The six bits of Q3_K's scales: four of each, then two of each.
_LOWER, _UPPER = Field("lower", "scales", 8, 0, 4, 8), Field("upper", "scales", 4, 4, 2, 4)


def pack(packed: Packed) -> Bytes:
    """The bytes of super-blocks [1]_, shape (s, bytes of the type)."""
    kind, supers = packed.kind, len(packed.codes)
    codes = (packed.codes + kind.zero).reshape(supers * kind.structs, -1)
    parts = [planes(codes, field) if field.part == CODES else _other(packed, field).reshape(len(codes), field.bytes)
             for field in kind.fields]  # fmt: skip
    return np.concatenate(parts, axis=1).astype(np.uint8).reshape(supers, kind.bytes)


def unpack(stored: Bytes, name: str) -> Packed:
    """The inverse of `pack`: bytes 0 … 255, shape (s, bytes of the type), and a key of `KINDS`."""
    kind, given = kind_of(name), np.asarray(stored, dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != kind.bytes:
        raise ValueError(f"{WEIGHTS} weights in {name} are {kind.bytes} bytes")
    supers, rows = len(given), given.reshape(len(given) * kind.structs, -1)
    ends = np.cumsum([field.bytes for field in kind.fields])[:-1]
    runs = dict(zip(kind.fields, np.split(rows, ends, axis=1), strict=True))
    codes = np.sum([unplanes(run, field) for field, run in runs.items() if field.part == CODES], axis=0) - kind.zero
    if kind.bits == 8:
        codes = _signed(codes)
    named = {field.name: run for field, run in runs.items()}
    d = _halves(named["d"]).reshape(supers, -1)
    dmin = _halves(named["dmin"]).reshape(supers, -1) if "dmin" in named else np.zeros_like(d)
    ones = np.ones((supers, kind.blocks), int)
    if "m" in named:
        dmin = -_halves(named["m"]).reshape(supers, -1)
    scales, minima = _sub_scales(named["scales"], kind) if kind.nested else (ones, ones if "m" in named else 0 * ones)
    return Packed(kind, d, dmin, scales, minima, codes.reshape(supers, kind.blocks, kind.size))


def planes(codes: Ints, field: Field) -> Ints:
    """A field's bits of every code, several codes to a byte: shape (n, weights) to (n, bytes)."""
    bits, each = (codes >> field.low) & (2**field.bits - 1), 8 // field.bits
    shifted = bits.reshape(len(codes), -1, each, field.run) << (field.bits * np.arange(each))[:, None]
    return np.asarray(shifted.sum(axis=2).reshape(len(codes), -1))


def unplanes(stored: Ints, field: Field) -> Ints:
    """The inverse of `planes`: a field's bits of every code, in their place."""
    shifts = (field.bits * np.arange(8 // field.bits))[:, None]
    bits = stored.reshape(len(stored), -1, 1, field.run) >> shifts & (2**field.bits - 1)
    return np.asarray((bits << field.low).reshape(len(stored), -1))


def place(kind: Kind, field: Field, weight: int) -> tuple[int, int]:
    """Where a field holds its bits of one weight: the byte, counted over all weights, and the lowest of the bits."""
    if not 0 <= weight < WEIGHTS:
        raise ValueError(f"a weight is one of 0 … {WEIGHTS - 1}, not {weight}")
    struct, at = divmod(weight, WEIGHTS // kind.structs)
    group, rest = divmod(at, field.run * 8 // field.bits)
    shift, byte = divmod(rest, field.run)
    before = sum(other.bytes for other in kind.fields[: kind.fields.index(field)])
    return struct * kind.bytes // kind.structs + before + group * field.run + byte, shift * field.bits


def _other(packed: Packed, field: Field) -> Ints:
    """The bytes of a field that holds no codes."""
    scales, minima = packed.scale_codes, packed.min_codes
    if field.name != "scales":
        halves = encoded({"d": packed.d, "dmin": packed.dmin, "m": -packed.dmin}[field.name], "FP16")
        return np.stack([halves & 255, halves >> 8], axis=-1)
    if packed.kind.bits == 2:
        return np.asarray(scales | minima << 4)
    if packed.kind.bits == 3:
        return np.concatenate([planes(scales + 32, _LOWER), planes(scales + 32, _UPPER)], axis=1)
    if packed.kind.bits == 6:
        return scales & 255
    # Q4_K and Q5_K: the last four lend their upper bits to the bytes of the first four.
    (s_first, s_last), (m_first, m_last) = np.split(scales, 2, axis=1), np.split(minima, 2, axis=1)
    first, middle = s_first | s_last >> 4 << 6, m_first | m_last >> 4 << 6
    return np.concatenate([first, middle, s_last & 15 | (m_last & 15) << 4], axis=1)


def _sub_scales(run: Ints, kind: Kind) -> tuple[Ints, Ints]:
    """The sub-blocks' scales and minima of a super-block; 0 where there are none."""
    if kind.bits == 2:
        return run & 15, run >> 4
    if not kind.min_bits:
        scales = unplanes(run[:, :8], _LOWER) + unplanes(run[:, 8:], _UPPER) - 32 if kind.bits == 3 else _signed(run)
        return scales, 0 * scales
    first, middle, last = np.split(run, 3, axis=1)
    scales = np.concatenate([first & 63, last & 15 | first >> 6 << 4], axis=1)
    return scales, np.concatenate([middle & 63, last >> 4 | middle >> 6 << 4], axis=1)


def _signed(stored: Ints) -> Ints:
    return np.where(stored > 127, stored - 256, stored)


def _halves(run: Ints) -> NDArray[np.float32]:
    return np.asarray(decoded(run[:, 0] | run[:, 1] << 8, "FP16"), dtype=np.float32)
