"""One scale for a tensor, a token, a channel or a block: what is left of the numbers, and what a number costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._formats.floats import FLOATS, rounded

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

TOKENS, CHANNELS, OUTLIERS, FACTOR = 512, 4096, 41, 50
DATA = ("bell", "outlier")
INTEGERS = {"INT8": 8, "INT4": 4}
BLOCKS = {"block 128": 128, "block 32": 32, "block 16": 16}
SCALES = ("tensor", "token", "channel", *BLOCKS)
SCALE_BITS = {"FP32": 32, "E8M0": 8, "E4M3": 8}
ROWS_AT_ONCE = 8  # of the tensor: taking larger arrays from the system anew takes longer than the work on them


@dataclass(frozen=True)
class Element:
    """What a stored number can be, in units of its scale."""

    name: str
    bits: int  # of one code
    largest: float  # value: 127, 7, 448 or 6 [scales]
    smallest: float  # value above zero [scales]; half of it and less is rounded to zero

    def nearest(self, values: Array) -> Array:
        """The nearest values that can be stored, ties to even, clipped; `values` [scales] of any shape."""
        if self.name in INTEGERS:
            return np.clip(np.rint(values), -self.largest, self.largest)
        return np.asarray(rounded(values, self.name))


FORMATS = {name: Element(name, bits, 2.0 ** (bits - 1) - 1, 1.0) for name, bits in INTEGERS.items()} | {
    fmt.name: Element(fmt.name, fmt.bits, fmt.largest, fmt.smallest) for fmt in (FLOATS["E4M3"], FLOATS["E2M1"])
}
ELEMENTS = tuple(FORMATS)


@dataclass(frozen=True)
class Scheme:
    """Which numbers share a scale, how the scale is stored, and how each number is."""

    scale: str
    element: str
    scaletype: str = "FP32"

    def __post_init__(self) -> None:
        known = (self.scale, SCALES), (self.element, ELEMENTS), (self.scaletype, SCALE_BITS)
        for name, names in known:
            if name not in names:
                raise ValueError(f"unknown '{name}', expected one of {', '.join(names)}")

    @property
    def format(self) -> Element:
        """The element format."""
        return FORMATS[self.element]

    def sharing(self, tokens: int = TOKENS, channels: int = CHANNELS) -> int:
        """How many numbers share one scale."""
        whole = {"tensor": tokens * channels, "token": channels, "channel": tokens}
        return whole[self.scale] if self.scale in whole else BLOCKS[self.scale]

    def bits(self, tokens: int = TOKENS, channels: int = CHANNELS) -> float:
        """Bits per number, its part of the scale counted, a scale of the whole tensor left out [bit]."""
        shared = 0.0 if self.scale == "tensor" else SCALE_BITS[self.scaletype] / self.sharing(tokens, channels)
        return self.format.bits + shared


def tensor(data: str, tokens: int = TOKENS, channels: int = CHANNELS, outliers: int = OUTLIERS) -> tuple[Array, Mask]:
    """Seeded activations [1], shape (tokens, channels), and which channels are normal, shape (channels,).

    They are standard normal numbers, rounded to FP32; with data "outlier" rather than "bell", `outliers` random
    columns are 50 times larger, and those are not normal. Raises ValueError for other data.
    """
    if data not in DATA:
        raise ValueError(f"unknown data '{data}', expected one of {', '.join(DATA)}")
    random = np.random.default_rng(12345)
    values = random.standard_normal((tokens, channels)).astype(np.float32).astype(np.float64)
    normal = np.ones(channels, dtype=bool)
    if data == "outlier":
        normal[random.choice(channels, outliers, replace=False)] = False
        values[:, ~normal] *= FACTOR
    return values, normal


def grouped(values: Array, scale: str) -> tuple[Array, tuple[int, ...]]:
    """The tensor as (tokens, groups, width), and the axes along which its numbers share a scale.

    Raises ValueError if the rows do not divide into whole blocks.
    """
    tokens, channels = values.shape
    width = {"tensor": channels, "token": channels, "channel": 1}.get(scale) or BLOCKS[scale]
    if channels % width:
        raise ValueError(f"rows of {channels} do not divide into blocks of {width}")
    axes = {"tensor": (0, 1, 2), "channel": (0,)}.get(scale, (2,))
    return values.reshape(tokens, channels // width, width), axes


def stored_scales(amax: Array, largest: float, scaletype: str) -> Array:
    """Scales as they are stored: amax / largest, rounded to the scale's own format.

    Parameters
    ----------
    amax : ndarray
        Largest magnitude of each group [1]; of the whole tensor's groups, since E4M3 needs its maximum.
    largest : float
        The element format's largest value [1].
    scaletype : {"FP32", "E8M0", "E4M3"}
        FP32 rounds to nearest. E8M0 takes the smallest 2^k that clips nothing [1]_. E4M3 rounds to nearest, in
        units of one FP32 scale that maps the tensor's amax to 448, as NVFP4 does with E2M1 elements [2]_.

    Returns
    -------
    ndarray, of the shape of `amax`
        What an element of 1 stands for [1]; 0 for a group of zeros, or one too small for its scale.

    References
    ----------
    .. [1] Mishra et al., "Recipes for Pre-training LLMs with MXFP8", 2025, arXiv:2506.08027.
    .. [2] NVIDIA, "Pretraining Large Language Models with NVFP4", 2025, arXiv:2509.25149.
    """
    ideal = amax / largest
    if scaletype == "FP32":
        return ideal.astype(np.float32).astype(np.float64)
    if scaletype == "E8M0":
        fraction, power = np.frexp(ideal)  # a fraction of exactly one half is a power of two already
        exponent = np.clip(np.where(fraction == 0.5, power - 1, power), -127, 127)
        return np.where(ideal > 0, np.ldexp(1.0, exponent), 0.0)
    whole = float(np.float32(amax.max() / (largest * FLOATS["E4M3"].largest)))
    return np.asarray(rounded(ideal / whole, "E4M3")) * whole if whole else np.zeros_like(ideal)


def largest(values: Array, scale: str) -> Array:
    """Largest magnitude of each group [1]; shape (tokens or 1, groups, 1), or (1, 1, 1) for the tensor."""
    view, axes = grouped(values, scale)
    return np.asarray(np.maximum(view.max(axis=axes, keepdims=True), -view.min(axis=axes, keepdims=True)))


def scales_of(values: Array, scheme: Scheme) -> Array:
    """Stored scales of all groups [1], of the shape of `largest`."""
    return stored_scales(largest(values, scheme.scale), scheme.format.largest, scheme.scaletype)


def decoded(view: Array, scales: Array, element: Element) -> Array:
    """What is left of the numbers [1]: the nearest element, times the scale. Where the scale is 0, all is 0."""
    return element.nearest(view / np.where(scales > 0, scales, 1.0)) * scales


def pieces(values: Array, scheme: Scheme, scales: Array) -> Iterator[tuple[int, Array]]:
    """A few rows at a time: the first row's number, and what is left of them."""
    view = grouped(values, scheme.scale)[0]
    for start in range(0, len(values), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        left = decoded(view[rows], scales[rows] if len(scales) > 1 else scales, scheme.format)
        yield start, left.reshape(-1, values.shape[1])


def quantised(values: Array, scheme: Scheme) -> Array:
    """What is left of a tensor [1], shape (tokens, channels)."""
    return np.concatenate([left for _, left in pieces(values, scheme, scales_of(values, scheme))])
