"""Quantisation: numbers as small codes with a shared scale, for a tensor, a row or a block.

.. [1] Open Compute Project, Microscaling Formats v1.0, 2023, section 6.3 (conversion).
.. [2] NVIDIA, "Pretraining Large Language Models with NVFP4", 2025, arXiv:2509.25149, section 2 and appendix.
.. [3] Mishra et al., "Recipes for Pre-training LLMs with MXFP8", 2025, arXiv:2506.08027 (rounding scales up).
.. [4] PyTorch, torchao/prototype/mx_formats/mx_tensor.py, ScaleCalculationMode.EVEN.
"""

from typing import NamedTuple

import numpy as np

from .floats import float_format, rounded

MX_BLOCK, NV_BLOCK = 32, 16  # elements that share a scale
SCALE_LARGEST = 448.0  # of E4M3


class Quantized(NamedTuple):
    """Blocks of numbers and what is left of them."""

    scales: np.ndarray  # shape (blocks,) [1]: what a code of 1 stands for
    elements: np.ndarray  # shape (blocks, block) [1]: the values of the codes, before scaling
    decoded: np.ndarray  # shape (blocks, block): elements · scales
    bits: float  # [bit] per value, scales counted, a scale of the whole tensor left out


def integers(values, bits, scales):
    """Integer elements clip(rint(values / scales), −Q, Q), Q = 2^(bits − 1) − 1; a block of zeros stays zero.

    `scales` must broadcast against `values`. rint rounds ties to even. Raises ValueError for fewer than 2 bits.
    """
    if bits < 2:
        raise ValueError("a symmetric integer needs at least 2 bits")
    top = 2 ** (bits - 1) - 1
    return np.clip(np.rint(_divided(values, scales)), -top, top)


def power_scale(amax, element, rule="floor"):
    """Shared scale X = 2^k [1] of blocks whose largest magnitude is `amax`; float64 of its shape.

    "floor" is the specification's k = floor(log2 amax) − emax [1]_, which may clip the block's largest element;
    "ceil" takes the smallest k with amax ≤ 2^k · the element's largest value, which never clips [3]_.
    "even" is floor after amax has been rounded, halves up, to as many digits as an element has [4]_.
    k is kept in E8M0's −127 … 127; a block of zeros, which the specification leaves open, gets −127.
    Raises ValueError for an unknown rule or element format, and for an amax that is negative or not finite.
    """
    fmt, amax = float_format(element), _magnitude(amax)
    fraction, power = np.frexp(amax)  # the fraction lies in [0.5, 1)
    if rule in ("floor", "even"):
        carried = rule == "even" and fraction + 2.0 ** -(fmt.mantissa_bits + 2) >= 1
        exponent = power + carried - np.frexp(fmt.largest)[1]
    elif rule == "ceil":
        fraction, power = np.frexp(amax / fmt.largest)
        exponent = np.where(fraction == 0.5, power - 1, power)
    else:
        raise ValueError(f"unknown rule '{rule}', expected floor, even or ceil")
    return np.ldexp(1.0, np.where(amax > 0, np.clip(exponent, -127, 127), -127))


def mx(blocks, element="E2M1", rule="floor"):
    """`Quantized` blocks of an MX format [1]_: elements of a small float, one power of two for each block.

    Parameters
    ----------
    blocks : ndarray, shape (blocks, block)
        Numbers to quantise [1]; the specification's block is 32. Raises ValueError unless two-dimensional, finite.
    element : str
        Key of `FLOATS`.
    rule : {"floor", "even", "ceil"}
        See `power_scale`.
    """
    blocks = _blocks(blocks)
    scales = power_scale(np.abs(blocks).max(axis=1), element, rule)
    elements = rounded(blocks / scales[:, None], element)
    return Quantized(scales, elements, elements * scales[:, None], float_format(element).bits + 8 / blocks.shape[1])


def nvfp4(blocks, tensor_amax=None):
    """`Quantized` blocks of NVFP4 [2]_: E2M1 elements, an E4M3 scale for each block, an FP32 scale for the tensor.

    The tensor's scale maps its largest magnitude to 6 · 448. Block scales round to nearest and are at most 448;
    one that rounds to 0 makes its block zero (libraries differ: some raise it to the smallest normal, 2^−6).

    Parameters
    ----------
    blocks : ndarray, shape (blocks, block)
        Numbers to quantise [1]; NVFP4's block is 16. Raises ValueError unless two-dimensional and finite.
    tensor_amax : float, optional
        Largest magnitude of the whole tensor [1], if `blocks` are only a part of it.
    """
    blocks = _blocks(blocks)
    amax = np.abs(blocks).max(axis=1)
    top = float(amax.max(initial=0.0)) if tensor_amax is None else float(_magnitude(tensor_amax))
    largest = float_format("E2M1").largest
    whole = np.float64(np.float32(top / (largest * SCALE_LARGEST)))
    codes = rounded(_divided(amax / largest, whole), "E4M3")  # the block scales as stored
    scales = codes * whole
    elements = rounded(_divided(blocks, scales[:, None]), "E2M1")
    return Quantized(scales, elements, elements * scales[:, None], 4 + 8 / blocks.shape[1])


def decibels(values, decoded):
    """Signal-to-quantisation-noise ratio −20 · log10(RMS of the error / RMS of the values) [dB]; ∞ without error."""
    values, decoded = np.asarray(values), np.asarray(decoded)
    noise, signal = np.mean((decoded - values) ** 2), np.mean(values**2)
    with np.errstate(divide="ignore"):
        return float(10 * np.log10(np.divide(signal, noise)))


def _divided(values, scales):
    """values / scales, and 0 where the scale is 0."""
    values, scales = np.broadcast_arrays(np.asarray(values, dtype=np.float64), scales)
    return np.divide(values, scales, out=np.zeros(values.shape), where=scales != 0)


def _magnitude(amax):
    amax = np.asarray(amax, dtype=np.float64)
    if not np.isfinite(amax).all() or (amax < 0).any():
        raise ValueError("the largest magnitude must be finite and not negative")
    return amax


def _blocks(blocks):
    blocks = np.asarray(blocks, dtype=np.float64)
    if blocks.ndim != 2 or not blocks.size or not np.isfinite(blocks).all():
        raise ValueError("blocks must be a two-dimensional array of finite numbers")
    return blocks
