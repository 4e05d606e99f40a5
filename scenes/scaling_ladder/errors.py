"""What a scheme costs in error: measured over the whole tensor, and over the channels without outliers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from .model import Array, Mask, Scheme, largest, pieces, stored_scales, tensor

ROWS_SUMMED = 16  # at once


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


@dataclass(frozen=True, eq=False)
class Tensor:
    """Numbers [1], shape (tokens, channels), with what is asked of them under every scheme."""

    values: Array
    normal: Mask  # shape (channels,): the channels to judge by; those left out are the outliers
    amax: dict[str, Array] = field(default_factory=dict)  # of each group, for the scales asked for so far [1]

    @cached_property
    def signal(self) -> Array:
        """Sum of the squares in each channel, shape (channels,)."""
        starts = range(0, len(self.values), ROWS_SUMMED)
        return sum((np.square(self.values[at : at + ROWS_SUMMED]).sum(axis=0) for at in starts), np.zeros(1))

    @cached_property
    def alive(self) -> int:
        """Numbers of the normal channels that are not zero."""
        return int(np.count_nonzero(self.values[:, self.normal]))

    def scales(self, scheme: Scheme) -> Array:
        """Stored scales of all groups [1]; see `scales_of`."""
        if scheme.scale not in self.amax:
            self.amax[scheme.scale] = largest(self.values, scheme.scale)
        return stored_scales(self.amax[scheme.scale], scheme.format.largest, scheme.scaletype)


def measured(tensor: Tensor, scheme: Scheme) -> Errors:
    """Errors of a tensor, which must not be all zero, under a scheme.

    Raises ValueError if no channel is normal, or all numbers of the normal ones are zero.
    """
    values, normal = tensor.values, tensor.normal
    if not tensor.alive:
        raise ValueError("the normal channels hold nothing but zeros")
    noise, kept = np.zeros(values.shape[1]), 0
    squares = np.empty((ROWS_SUMMED, values.shape[1]))
    for start, left in pieces(values, scheme, tensor.scales(scheme)):
        kept += np.count_nonzero((left != 0) & normal)
        left -= values[start : start + len(left)]
        first, end = start % ROWS_SUMMED, start % ROWS_SUMMED + len(left)
        np.square(left, out=squares[first:end])
        if end == ROWS_SUMMED or start + len(left) == len(values):
            noise += squares[:end].sum(axis=0)
    return Errors(
        float(tensor.signal.sum()) / values.size,
        float(noise.sum()) / values.size,
        float(tensor.signal[normal].mean()) / len(values),
        float(noise[normal].mean()) / len(values),
        100 * float((tensor.alive - kept) / tensor.alive),
    )


@cache  # all choices store one of two tensors
def shared_tensor(data: str) -> Tensor:
    """The seeded tensor, made once; its readers do not write to it."""
    return Tensor(*tensor(data))


@cache  # a scheme stands on the ladder of all choices that differ in its rung alone
def errors(data: str, scheme: Scheme) -> Errors:
    """Errors of the seeded tensor; see `tensor`."""
    return measured(shared_tensor(data), scheme)
