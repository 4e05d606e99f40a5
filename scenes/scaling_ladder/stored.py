"""One choice of the reader: the part of the tensor that is drawn, what is left of it, and the rungs of the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from .errors import Errors, Tensor, errors, shared_tensor
from .model import SCALES, Array, Scheme, decoded, grouped

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


@dataclass(frozen=True, eq=False)
class Stored:
    """What the reader chose, and the drawn numbers; every array has shape (128,)."""

    data: str
    scheme: Scheme
    tensor: Tensor
    errors: Errors  # of the whole tensor
    numbers: Array  # as they are [1]
    scales: Array  # of each number [1]
    left: Array  # what is left of the numbers [1]

    @property
    def holds(self) -> Array:
        """The largest magnitude that each drawn number could have [1]."""
        return self.scales * self.scheme.format.largest

    @property
    def floor(self) -> Array:
        """The largest magnitude that becomes zero, for each drawn number [1]."""
        return self.scales * self.scheme.format.smallest / 2

    def groups(self, first: int = 0) -> list[Group]:
        """The drawn numbers from `first` on, in runs that share a scale."""
        sharing = 1 if self.scheme.scale == "channel" else min(self.scheme.sharing(), COUNT)
        return [Group(max(at, first), at + sharing, float(self.scales[at])) for at in range(0, COUNT, sharing)
                if at + sharing > first]  # fmt: skip

    def line(self, element: str, data: str = "") -> list[Rung]:
        """The rungs of one element format from the fewest scales to the most, but for that of channels."""
        return [self.rung(scale, element, data) for scale in SCALES if scale != "channel"]

    def rungs(self, element: str, data: str = "") -> list[Rung]:
        """All rungs of one element format, that of channels last."""
        return [*self.line(element, data), self.rung("channel", element, data)]

    def rung(self, scale: str, element: str, data: str = "") -> Rung:
        scheme = resting(scale, element, self.scheme.scaletype)
        return Rung(scheme, scheme.bits(), errors(data or self.data, scheme).normal)


@cache  # there are few, and the ladder asks for twelve in each picture
def resting(scale: str, element: str, scaletype: str) -> Scheme:
    """The scheme of a choice: one scale for all numbers is kept in FP32, since it costs nothing."""
    return Scheme(scale, element, "FP32" if scale == "tensor" else scaletype)


def store(data: str, element: str, scale: str, scaletype: str) -> Stored:
    """What the reader chose."""
    scheme, whole, drawn = resting(scale, element, scaletype), shared_tensor(data), slice(FIRST, FIRST + COUNT)
    each = np.broadcast_to(whole.scales(scheme), grouped(whole.values, scale)[0].shape)
    numbers, scales = whole.values[TOKEN, drawn], each[TOKEN].reshape(-1)[drawn]
    return Stored(data, scheme, whole, errors(data, scheme), numbers, scales, decoded(numbers, scales, scheme.format))
