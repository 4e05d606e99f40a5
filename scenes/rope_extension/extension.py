"""Three ways to slow the pairs of a trained model down, so that a longer text turns them by familiar angles."""

from __future__ import annotations

import numpy as np

from .._rope.rotation import DIM, TRAINED, TURN, Array, frequencies

METHODS = ("none", "interpolation", "ntk-aware", "yarn")
ALPHA, BETA = 1.0, 32.0  # turns in training between which YaRN blends, for Llama and gpt-oss


def ntk_base(base: float, factor: float, dim: int = DIM) -> float:
    """The base that stretches the slowest pair by exactly `factor`: b s^(d/(d-2)).

    References
    ----------
    .. [1] Peng et al., "YaRN", 2023, arXiv:2309.00071, section 3.1, definition 1.
    """
    return float(base * factor ** (dim / (dim - 2)))


def kept_share(turns: Array, alpha: float = ALPHA, beta: float = BETA) -> Array:
    """The ramp gamma: how much of its own frequency a pair keeps, 0 below `alpha` turns and 1 above `beta`.

    `turns` are those within the trained length, shape (p,); the shares have their shape.

    References
    ----------
    .. [1] Peng et al., "YaRN", 2023, arXiv:2309.00071, section 3.2, definition 2.
    """
    return np.clip((turns - alpha) / (beta - alpha), 0.0, 1.0)


def extended(base: float, method: str, factor: float, dim: int = DIM, trained: int = TRAINED) -> Array:
    """Angles per position after a method has made room for `factor` times the trained length.

    Parameters
    ----------
    base : float
        The base in training.
    method : str
        "interpolation" divides every position by the factor, "ntk-aware" raises the base, "yarn" blends (NTK-by-parts).
    factor : float
        Target length over trained length, at least 1.
    dim, trained : int
        Numbers in a query; trained length [tokens].

    Returns
    -------
    ndarray, shape (dim / 2,)
        Angles per position [rad/token].

    Raises
    ------
    ValueError
        If `method` is not one of `METHODS`, or `factor` is less than 1.

    References
    ----------
    .. [1] Peng et al., "YaRN", 2023, arXiv:2309.00071, sections 2 and 3.
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {METHODS}, not {method!r}")
    if factor < 1:
        raise ValueError(f"the factor is at least 1, not {factor}")
    theta = frequencies(base, dim)
    if method in ("none", "interpolation"):
        return theta / (factor if method == "interpolation" else 1)
    if method == "ntk-aware":
        return frequencies(ntk_base(base, factor, dim), dim)
    share = kept_share(trained * theta / TURN)
    return (1 - share) * theta / factor + share * theta


def temperature(method: str, factor: float) -> float:
    """The factor sqrt(1/t) that YaRN puts on both query and key: 0.1 ln s + 1; 1 for the other methods.

    References
    ----------
    .. [1] Peng et al., "YaRN", 2023, arXiv:2309.00071, section 3.4.
    """
    return 0.1 * float(np.log(factor)) + 1 if method == "yarn" else 1.0


def coded_yarn(base: float, factor: float, dim: int = DIM, trained: int = TRAINED) -> Array:
    """YaRN's angles per position as code has them: the ramp is straight over pair numbers, not over turns.

    It begins and ends at the same pairs as the paper's, and keeps more of the frequencies between. Parameters and
    result as of `extended`.

    References
    ----------
    .. [1] gpt-oss, gpt_oss/torch/model.py, RotaryEmbedding; the code of YaRN's authors and of DeepSeek-V3
       also round the ends of the ramp outwards to whole pairs.
    """
    theta = frequencies(base, dim)
    low, high = (dim / 2 * np.log(trained / (turns * TURN)) / np.log(base) for turns in (BETA, ALPHA))
    share = 1 - np.clip((np.arange(dim // 2) - low) / (high - low), 0.0, 1.0)
    return np.asarray((1 - share) * theta / factor + share * theta)
