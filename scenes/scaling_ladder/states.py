"""The steps: one choice of the reader, the part of the tensor that is drawn, and the rungs of the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from .errors import Errors, errors
from .model import SCALES, Array, Scheme, decoded, grouped, scales_of, shared_tensor

NUMBERS, SCALED, ROUNDED, ERROR, LADDER = range(5)
# What is drawn: one token whose largest number is about the median of all tokens, and a block of 128 that holds one
# outlier channel. One INT8 scale for the tensor sets about as large a share of it to zero as of the whole tensor.
TOKEN, FIRST, COUNT = 298, 1408, 128
OUTLIER = 72  # its place in the block


class Group(NamedTuple):
    """A run of drawn numbers that share one scale."""

    start: int
    end: int
    scale: float  # what an element of 1 stands for [1]


class Rung(NamedTuple):
    """One choice as it stands on the ladder."""

    scheme: Scheme
    bits: float  # [bit per number]
    level: float  # [dB] on the channels without outliers


@dataclass(frozen=True)
class State:
    """What the reader chose, and which step is seen."""

    data: str
    scheme: Scheme
    step: int

    @property
    def errors(self) -> Errors:
        """Errors of the whole tensor."""
        return errors(self.data, self.scheme)

    @property
    def numbers(self) -> Array:
        """The drawn numbers [1], shape (128,)."""
        return shared_tensor(self.data)[0][TOKEN, FIRST : FIRST + COUNT]

    @property
    def scales(self) -> Array:
        """The scale of each drawn number [1], shape (128,)."""
        return _drawn_scales(self.data, self.scheme)

    @property
    def left(self) -> Array:
        """What is left of the drawn numbers [1], shape (128,)."""
        return decoded(self.numbers, self.scales, self.scheme.format)

    @property
    def holds(self) -> Array:
        """The largest magnitude that each drawn number could have [1], shape (128,)."""
        return self.scales * self.scheme.format.largest

    @property
    def floor(self) -> Array:
        """The largest magnitude that becomes zero, for each drawn number [1], shape (128,)."""
        return self.scales * self.scheme.format.smallest / 2

    def groups(self) -> list[Group]:
        """The drawn numbers in runs that share a scale."""
        sharing = 1 if self.scheme.scale == "channel" else min(self.scheme.sharing(), COUNT)
        return [Group(at, at + sharing, float(self.scales[at])) for at in range(0, COUNT, sharing)]

    def rungs(self, element: str, data: str = "") -> list[Rung]:
        """The ladder of one element format, from the fewest scales to the most, channels last."""
        order = sorted(SCALES, key="channel".__eq__)
        return [_rung(data or self.data, resting(scale, element, self.scheme.scaletype)) for scale in order]


def resting(scale: str, element: str, scaletype: str) -> Scheme:
    """The scheme of a choice: one scale for all numbers is kept in FP32, since it costs nothing."""
    return Scheme(scale, element, "FP32" if scale == "tensor" else scaletype)


@cache
def _drawn_scales(data: str, scheme: Scheme) -> Array:
    values = shared_tensor(data)[0]
    scales = scales_of(values, scheme)
    each = np.broadcast_to(scales, grouped(values, scheme.scale)[0].shape)
    return np.array(each[TOKEN].reshape(-1)[FIRST : FIRST + COUNT], dtype=np.float64)


def _rung(data: str, scheme: Scheme) -> Rung:
    return Rung(scheme, scheme.bits(), errors(data, scheme).normal)


def steps(data: str, element: str, scale: str, scaletype: str) -> list[State]:
    """The five steps of one choice."""
    scheme = resting(scale, element, scaletype)
    return [State(data, scheme, step) for step in range(NUMBERS, LADDER + 1)]
