"""MXFP4 and NVFP4: numbers in blocks, each with a shared scale, packed two to a byte, and unpacked again.

.. [1] Open Compute Project, Microscaling Formats v1.0, 2023, section 5 (E2M1, E8M0) and 6.3 (conversion).
.. [2] NVIDIA, "Pretraining Large Language Models with NVFP4", 2025, arXiv:2509.25149, section 2.
.. [3] ggml-org, ggml, gguf-py/gguf/quants.py (order of the nibbles).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._formats.blocks import MX_BLOCK, NV_BLOCK, SCALE_LARGEST, mx, nvfp4
from .._formats.floats import decoded, encoded, finite_values, float_format

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

MXFP4, NVFP4 = "MXFP4", "NVFP4"
BLOCKS = {MXFP4: MX_BLOCK, NVFP4: NV_BLOCK}  # numbers that share a scale
ELEMENT = "E2M1"
LARGEST = float_format(ELEMENT).largest  # 6
RUNGS = tuple(float(value) for value in finite_values(ELEMENT) if value >= 0)
EXPONENT_BIAS = 127  # of E8M0, the byte of an MX scale
TOP_SCALE = LARGEST * SCALE_LARGEST  # what NVFP4 maps the tensor's largest magnitude to: 2688


@dataclass(frozen=True)
class Packed:
    """Blocks as they are stored, and what they stand for. b is blocks, k numbers in a block."""

    format: str
    numbers: Array  # shape (b, k) [1]: what was to be stored
    tensor_scale: float  # FP32, one for the whole tensor [1]; 1 in MXFP4, which has none
    scale_codes: Codes  # shape (b,): the byte of each block's scale, E8M0 or E4M3
    scales: Array  # shape (b,) [1]: what an element of 1 stands for, tensor scale included
    codes: Codes  # shape (b, k): four bits each, sign, exponent, exponent, mantissa
    elements: Array  # shape (b, k) [1]: E2M1 values

    @property
    def size(self) -> int:
        """Numbers in a block."""
        return BLOCKS[self.format]

    @property
    def scaled(self) -> Array:
        """The numbers divided by their scale, before rounding [1]; 0 where the scale is 0."""
        scales = self.scales[:, None]
        return np.divide(self.numbers, scales, out=np.zeros_like(self.numbers), where=scales > 0)

    @property
    def decoded(self) -> Array:
        """What is read back [1], shape (b, k)."""
        return np.asarray(self.elements * self.scales[:, None])

    @property
    def amax(self) -> Array:
        """Largest magnitude of each block [1], shape (b,)."""
        return np.asarray(np.abs(self.numbers).max(axis=1))


def quantize(numbers: Array, format: str, rule: str = "floor") -> Packed:
    """A whole tensor in blocks of MXFP4 [1]_ or NVFP4 [2]_.

    Rounding is to nearest, ties to even, clipped to ±6; a number that rounds to 0 keeps its sign. Raises ValueError
    for another format or rule, for numbers that do not fill blocks, and for those that are not finite.

    Parameters
    ----------
    numbers : ndarray, shape (n,)
        The tensor [1]; n is a multiple of the format's block, 32 or 16.
    format : {"MXFP4", "NVFP4"}
    rule : {"floor", "even", "ceil"}
        How MXFP4 rounds its scale to a power of two: the specification's floor may clip the largest number.

    """
    if format not in BLOCKS:
        raise ValueError(f"format is one of {tuple(BLOCKS)}, not {format!r}")
    numbers = np.asarray(numbers, dtype=np.float64)
    if numbers.ndim != 1 or not numbers.size or numbers.size % BLOCKS[format]:
        raise ValueError(f"{format} takes a row of numbers that fills blocks of {BLOCKS[format]}")
    blocks = numbers.reshape(-1, BLOCKS[format])
    if format == MXFP4:
        found, whole = mx(blocks, ELEMENT, rule), 1.0
        scale_codes = np.frexp(found.scales)[1].astype(np.int64) - 1 + EXPONENT_BIAS
    else:
        found, whole = nvfp4(blocks), tensor_scale(float(np.abs(numbers).max()))
        stored = np.divide(found.scales, whole, out=np.zeros_like(found.scales), where=whole > 0)
        scale_codes = encoded(stored, "E4M3")
    return Packed(format, blocks, whole, scale_codes, found.scales, encoded(found.elements, ELEMENT), found.elements)


def tensor_scale(amax: float) -> float:
    """NVFP4's scale of a whole tensor [1], an FP32 number: amax / (6 · 448), where `amax` is its largest magnitude."""
    return float(np.float32(amax / TOP_SCALE))


def pack(packed: Packed) -> list[bytes]:
    """The bytes of each block: its scale, then codes two by two.

    The low half of byte j holds number j, the high half the number half a block later, as in GGUF [3]_;
    there NVFP4's scales stand in groups of four before the codes, and other libraries pack neighbours.
    """
    half = packed.size // 2
    pairs = packed.codes[:, :half] | packed.codes[:, half:] << 4
    return [bytes([scale, *row]) for scale, row in zip(packed.scale_codes.tolist(), pairs.tolist(), strict=True)]


def unpack(blocks: list[bytes], format: str, whole: float = 1.0) -> Array:
    """The numbers in packed blocks [1], shape (b, k); `whole` is the tensor's scale.

    Raises ValueError if a block does not have the bytes of its format: 17 for MXFP4, 9 for NVFP4.
    """
    if any(len(block) != 1 + BLOCKS[format] // 2 for block in blocks):
        raise ValueError(f"a block of {format} has {1 + BLOCKS[format] // 2} bytes")
    raw = np.array([list(block) for block in blocks], dtype=np.int64)
    codes = np.hstack([raw[:, 1:] & 15, raw[:, 1:] >> 4])
    scales = np.ldexp(1.0, raw[:, 0] - EXPONENT_BIAS) if format == MXFP4 else decoded(raw[:, 0], "E4M3") * whole
    return np.asarray(decoded(codes, ELEMENT) * scales[:, None])


def relative_error(numbers: Array, stored: Array) -> float:
    """RMS of the error over RMS of the numbers [%]; 0 for numbers that are all 0."""
    size = float(np.sqrt(np.mean(numbers**2)))
    return 100 * float(np.sqrt(np.mean((stored - numbers) ** 2))) / size if size else 0.0
