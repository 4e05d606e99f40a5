"""Rotary position embedding: angles per position, rotated vectors, and the score of two of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DIM = 128  # numbers in one query or key of one head
PAIRS = DIM // 2
TRAINED = 4096  # tokens seen at once in training, as in gpt-oss before its extension
TURN = 2 * np.pi


def frequencies(base: float, dim: int = DIM) -> Array:
    """Angles by which one position turns each pair of a head's numbers: base^(-2i/d) for pair i.

    Parameters
    ----------
    base : float
        The base of the frequencies, often called rope_theta; more than 1.
    dim : int
        Numbers in one query or key, even.

    Returns
    -------
    ndarray, shape (dim / 2,)
        Angles per position [rad/token], the fastest pair first.

    Raises
    ------
    ValueError
        If `dim` is odd or not positive, or `base` is not more than 1.

    References
    ----------
    .. [1] Su et al., "RoFormer", 2021, arXiv:2104.09864, sections 3.2.2 and 3.3.
    """
    if dim <= 0 or dim % 2:
        raise ValueError(f"a head is turned in pairs: its size is even and positive, not {dim}")
    if base <= 1:
        raise ValueError(f"the base is more than 1, not {base}")
    return np.asarray(base ** (-2 * np.arange(dim // 2) / dim), dtype=float)


def wavelengths(theta: Array) -> Array:
    """Positions in which each pair goes round once [tokens], for angles per position [rad/token]; of their shape."""
    return TURN / theta


def rotate(x: Array, position: float, theta: Array) -> Array:
    """Turn each pair (x[2i], x[2i + 1]) by position × theta[i].

    Parameters
    ----------
    x : ndarray, shape (2p,)
        A query or a key; neighbours are a pair (interleaved, as in Meta's code).
    position : float
        Position of its token [tokens].
    theta : ndarray, shape (p,)
        Angles per position [rad/token].

    Returns
    -------
    ndarray, shape (2p,)
        The vector turned; its length is that of `x`.

    References
    ----------
    .. [1] Su et al., "RoFormer", 2021, arXiv:2104.09864, equations 14 to 16 and 34.
    """
    cos, sin = np.cos(position * theta), np.sin(position * theta)
    turned = np.empty_like(x, dtype=float)
    turned[::2] = x[::2] * cos - x[1::2] * sin
    turned[1::2] = x[::2] * sin + x[1::2] * cos
    return turned


def score(m: float, n: float, theta: Array) -> float:
    """Score of a query at `m` with a key at `n` whose numbers are all equal and whose lengths are 1.

    It is the mean, over the pairs, of the cosine of the angle between query and key: -1 to 1, before any temperature.
    Positions in tokens; `theta` are angles per position [rad/token], shape (p,).
    """
    unit = np.full(2 * len(theta), 1 / np.sqrt(2 * len(theta)))
    return float(rotate(unit, m, theta) @ rotate(unit, n, theta))


def score_curve(distances: Array, theta: Array) -> Array:
    """`score` at many distances [tokens]: the mean cosine, of the shape of `distances`, (k,)."""
    return np.asarray(np.cos(np.outer(distances, theta)).mean(axis=1))
