"""One loud channel in a product X·W of rounded matrices, and two ways to quieten it that leave the product as it is.

.. [1] Xiao et al., "SmoothQuant", 2022, arXiv:2211.10438, section 4, equation 4 (s_j, α = 0.5).
.. [2] Ashkboos et al., "QuaRot", 2024, arXiv:2404.00456, sections 3 and 4 (Hadamard rotations of activations).
.. [3] Dettmers et al., "LLM.int8()", 2022, arXiv:2208.07339, section 4 (features that are loud in every token).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from .._formats.blocks import decibels, integers
from .._formats.floats import float_format, rounded

Array = NDArray[np.float64]

TOKENS, CHANNELS, OUTPUTS = 16, 4096, 64  # X is tokens × channels, W is channels × outputs
LOUD, SHOWN = 1, 8  # the loud channel; channels that are drawn
SEED, ALPHA = 7, 0.5
FORMATS = ("INT8", "E4M3", "E2M1")
CURES = ("none", "smoothing", "rotation")
STRENGTHS = (1, 10, 20, 35, 50, 75, 100)


@cache  # shared by all formats and cures
def matrices(strength: int) -> tuple[Array, Array]:
    """X, shape (16, 4096), and W, shape (4096, 64): Gaussian [1], but one channel of X is `strength` times larger."""
    dice = np.random.RandomState(SEED)  # numpy keeps this stream as it is for good
    x, w = dice.standard_normal((TOKENS, CHANNELS)), dice.standard_normal((CHANNELS, OUTPUTS))
    x[:, LOUD] *= strength
    return x, w


def migration(x: Array, w: Array, alpha: float = ALPHA) -> Array:
    """How much of each channel's size moves from X to W: s_j = max|X_j|^α / max|W_j|^(1 − α) [1]_.

    Parameters
    ----------
    x, w : ndarray, shape (tokens, channels) and (channels, outputs)
        Activations and weights [1].
    alpha : float
        0 makes all rows of W equally large, 1 all channels of X.

    Returns
    -------
    ndarray, shape (channels,)
        Factors s [1]; X is divided by them, W multiplied.

    Raises ValueError for an α outside 0 … 1, and for a channel of zeros, which has no size to move.
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha is 0 to 1, not {alpha:g}")
    from_x, from_w = np.abs(x).max(axis=0), np.abs(w).max(axis=1)
    if not (from_x.all() and from_w.all()):
        raise ValueError("a channel of zeros cannot be smoothed")
    return np.asarray(from_x**alpha / from_w ** (1 - alpha))


@cache  # shared by all formats, and by the pictures of a cure on its way
def moved(strength: int) -> Array:
    """The migration of a strength's matrices, shape (channels,) [1]."""
    return migration(*matrices(strength))


def rotated(rows: Array, mixed: int = 0) -> Array:
    """rows · H for the Hadamard matrix of ±1/√n, by n·log2 n additions [2]_; H is its own transpose and inverse.

    `rows` are numbers [1], shape (m, n). The doubling may stop when groups of `mixed` channels are mixed; 0: all n.
    Raises ValueError unless n is a power of two.
    """
    count, size = rows.shape
    if size & (size - 1):
        raise ValueError(f"a Hadamard matrix made by doubling has 2^k rows, not {size}")
    half, mixed = 1, mixed or size
    while half < mixed:
        pairs = rows.reshape(count, -1, 2, half)
        rows = np.stack((pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]), axis=2).reshape(count, size)
        half *= 2
    return np.asarray(rows / np.sqrt(mixed))


def cured(x: Array, w: Array, cure: str) -> tuple[Array, Array]:
    """X and W after the cure, with the same product: (X/s, sW), (XH, HᵀW), or as they are; ValueError for another."""
    if cure == "none":
        return x, w
    if cure == "smoothing":
        s = migration(x, w)
        return x / s, w * s[:, None]
    if cure == "rotation":
        return rotated(x), rotated(w.T).T
    raise ValueError(f"cure is one of {CURES}, not {cure!r}")


@cache  # shared by all formats
def on_the_way(cure: str, strength: int, part: float) -> Array:
    """X when a part of the cure, 0 to 1, is done: the product can be undone as exactly as in the end.

    Smoothing has divided by s to the power of `part`; a rotation has done so many of its doublings.
    """
    x = matrices(strength)[0]
    return np.asarray(x / moved(strength) ** part) if cure == "smoothing" else rotated(x, mixed_channels(part))


def mixed_channels(part: float) -> int:
    """How many channels are mixed with one another when a part of the rotation, 0 to 1, is done."""
    return int(2 ** round(part * np.log2(CHANNELS)))


def scale_of(values: Array, fmt: str, axis: int | None = None) -> Array:
    """What a code of 1 stands for [1]: the largest magnitude of the tensor, or along `axis`, gets the last code.

    Kept as an array of the values' dimensions. Raises ValueError for an unknown format.
    """
    top = 127 if fmt == "INT8" else float_format(fmt).largest
    return np.asarray(np.abs(values).max(axis=axis, keepdims=True) / top)


def quantised(values: Array, fmt: str, axis: int | None = None) -> Array:
    """The nearest of the format's scaled values [1], ties to even; one scale for the tensor, or for each slice."""
    scale = scale_of(values, fmt, axis)
    codes = integers(values, 8, scale) if fmt == "INT8" else rounded(values / scale, fmt)
    return np.asarray(codes * scale)


@dataclass(frozen=True, eq=False)
class Case:
    """One format, cure and strength: the matrices as they are rounded, what is left of them, and what it costs."""

    fmt: str
    cure: str
    strength: int
    x: Array  # shape (tokens, channels), cured
    x_hat: Array  # shape (tokens, channels), rounded
    w: Array  # shape (8, outputs), cured: the first channels, which are drawn
    weights: float  # share of the whole W that became zero [%]
    sqnr: float  # of the product [dB]
    error: float  # RMS of the product's error over the RMS of the product [%]
    quiet: float  # of the quiet channels of X, the cure undone [dB]
    zeroed: float  # share of X that became zero, the loud channel (after a rotation: any one channel) left out [%]
    largest: float  # amax, the largest magnitude of X [1]
    peak: float  # the same over the root mean square of X [1]
    scale: float  # what a code of 1 stands for in X [1]
    step: float  # the smallest value above zero that X can keep [1]; for INT8 the distance between any two neighbours
    levels: int  # how many different values the quiet channels still take


@cache  # shared by all formats and cures
def _product(strength: int) -> Array:
    return np.matmul(*matrices(strength))


@cache  # shared by all formats
def _cured(cure: str, strength: int) -> tuple[Array, Array]:
    if cure == "rotation" and strength > 1:  # W is the same for every strength
        return rotated(matrices(strength)[0]), _cured(cure, 1)[1]
    return cured(*matrices(strength), cure)


@lru_cache(maxsize=len(FORMATS) * len(CURES))  # W is the same for every strength, but for smoothing
def _rounded_weights(fmt: str, cure: str, strength: int) -> tuple[Array, float]:
    w_hat = quantised(_cured(cure, strength)[1], fmt, axis=0)
    return w_hat, float(100 * (w_hat == 0).mean())


@cache  # the nine cases of a strength stand in the table, and in the verdict, of each of them
def case(fmt: str, cure: str, strength: int) -> Case:
    """X rounded with one scale for the tensor, W with one for each output, both in the same format, and multiplied.

    Raises ValueError for an unknown format or cure.
    """
    x, (new_x, new_w) = matrices(strength)[0], _cured(cure, strength)
    x_hat, scale, largest = quantised(new_x, fmt), float(scale_of(new_x, fmt).item()), float(np.abs(new_x).max())
    w_hat, zeros = _rounded_weights(fmt, cure, strength if cure == "smoothing" else 1)
    back = rotated(x_hat) if cure == "rotation" else x_hat
    if cure == "smoothing":
        back = x_hat * moved(strength)
    before, after, left = (np.delete(one, LOUD, axis=1) for one in (x, back, x_hat))
    sqnr = decibels(_product(strength), x_hat @ w_hat)
    return Case(
        fmt, cure, strength, new_x, x_hat, new_w[:SHOWN], zeros, sqnr,
        error=float(100 * 10 ** (-sqnr / 20)),
        quiet=decibels(before, after),
        zeroed=float(100 * (left == 0).mean()),
        largest=largest,
        peak=largest / float(np.sqrt(np.mean(new_x**2))),
        scale=scale,
        step=scale * (1.0 if fmt == "INT8" else float_format(fmt).smallest),
        levels=len(np.unique(left + 0.0)),
    )  # fmt: skip
