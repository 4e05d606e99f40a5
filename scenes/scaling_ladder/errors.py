"""What a scheme costs in error: measured over the whole tensor, and over the channels without outliers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from .model import Array, Mask, Scheme, pieces, shared_tensor


@dataclass(frozen=True)
class Errors:
    """Sums over a tensor, from which the figures follow."""

    signal: float  # mean square of the numbers [1]
    noise: float  # mean square of the errors [1]
    normal_signal: float  # the same, over the channels without outliers
    normal_noise: float
    zeroed: float  # share of their numbers that is rounded to zero [%]

    @property
    def sqnr(self) -> float:
        """Signal to quantisation noise [dB]."""
        return ratio(self.signal, self.noise)

    @property
    def normal(self) -> float:
        """The same on the channels without outliers [dB]."""
        return ratio(self.normal_signal, self.normal_noise)

    @property
    def error(self) -> float:
        """RMS of the errors over RMS of the numbers [%]."""
        return 100 * math.sqrt(self.noise / self.signal)


def ratio(signal: float, noise: float) -> float:
    """10 · log10(signal / noise) of two mean squares [dB]; ∞ without noise."""
    return 10 * math.log10(signal / noise) if noise else math.inf


def measured(values: Array, normal: Mask, scheme: Scheme) -> Errors:
    """Errors of a tensor under a scheme.

    Parameters
    ----------
    values : ndarray, shape (tokens, channels)
        Numbers to store [1], not all zero.
    normal : ndarray of bool, shape (channels,)
        The channels to judge by; those left out are the outliers.
    scheme : Scheme

    Returns
    -------
    Errors

    Raises
    ------
    ValueError
        If no channel is normal, or all numbers of the normal ones are zero.
    """
    signal, noise, zeroed, alive = (np.zeros(values.shape[1]) for _ in range(4))
    for numbers, left in pieces(values, scheme):
        signal += np.square(numbers).sum(axis=0)
        noise += np.square(left - numbers).sum(axis=0)
        alive += (numbers != 0).sum(axis=0)
        zeroed += ((left == 0) & (numbers != 0)).sum(axis=0)
    if not alive[normal].any():
        raise ValueError("the normal channels hold nothing but zeros")
    everything, tokens = values.size, len(values)
    return Errors(
        float(signal.sum()) / everything,
        float(noise.sum()) / everything,
        float(signal[normal].mean()) / tokens,
        float(noise[normal].mean()) / tokens,
        100 * float(zeroed[normal].sum() / alive[normal].sum()),
    )


@cache
def errors(data: str, scheme: Scheme) -> Errors:
    """Errors of the seeded tensor; see `tensor`."""
    return measured(*shared_tensor(data), scheme)
