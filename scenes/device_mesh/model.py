"""A mesh of GPUs: what a rank's number says about its place, who is in its groups, and which wires join them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._clusters.links import NODE

RACK, POD = 16, 3072  # GPUs, of the cluster on which Llama 3 was trained
NVLINK, NETWORK, PODS = "NVLink", "network", "between pods"
WIRES = (NVLINK, NETWORK, PODS)  # from the nearest GPUs to the farthest
PIPELINE = "pp"  # its last stage does not send on to its first

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Mesh:
    """GPUs numbered along some dimensions, the first of which runs fastest.

    Parameters
    ----------
    sizes : mapping of str to int
        How many GPUs a group of each dimension has.
    order : sequence of str
        The dimensions, innermost first.

    References
    ----------
    .. [1] Llama Team, "The Llama 3 Herd of Models", 2024, arXiv:2407.21783, section 3.3.2: [TP, CP, PP, DP].
    .. [2] NVIDIA, Megatron-LM, megatron/core/parallel_state.py: tp-cp-ep-dp-pp.
    """

    sizes: Mapping[str, int]
    order: Sequence[str]

    def __post_init__(self) -> None:
        if sorted(self.sizes) != sorted(self.order):
            raise ValueError(f"the order {tuple(self.order)} names other dimensions than {tuple(self.sizes)}")
        if wrong := [name for name, size in self.sizes.items() if size < 1]:
            raise ValueError(f"a group of '{wrong[0]}' has at least one GPU, not {self.sizes[wrong[0]]}")

    @cached_property
    def gpus(self) -> int:
        return prod(self.sizes.values())

    @cached_property
    def strides(self) -> dict[str, int]:
        """How far apart in number neighbours in a group are: the product of all sizes farther in."""
        inner = [self.sizes[name] for name in self.order]
        return {name: prod(inner[:at]) for at, name in enumerate(self.order)}

    def place(self, rank: int, name: str) -> int:
        """Where a GPU stands along a dimension, from 0."""
        return rank // self.strides[name] % self.sizes[name]

    def coordinate(self, ranks: ArrayLike, name: str) -> Ints:
        """Where many GPUs stand along a dimension."""
        found: Ints = np.asarray(ranks) // self.strides[name] % self.sizes[name]
        return found

    def group(self, rank: int, name: str) -> range:
        """The GPUs that differ from `rank` in one coordinate only, itself among them, in their order."""
        if not 0 <= rank < self.gpus:
            raise ValueError(f"ranks are 0 to {self.gpus - 1:,}, not {rank:,}")
        size, stride = self.sizes[name], self.strides[name]
        first = rank - self.place(rank, name) * stride
        return range(first, first + size * stride, stride)

    @cached_property
    def hops(self) -> dict[str, dict[str, float]]:
        """For each dimension the share of hops, from a GPU to the next of its group, that each kind of wire has.

        A group is a ring; stages of a pipeline are a line, and send to and fro over the same wires.
        """
        return {name: self._hops(name) for name in self.order}

    def _hops(self, name: str) -> dict[str, float]:
        ranks = np.arange(self.gpus)
        at, size, stride = self.coordinate(ranks, name), self.sizes[name], self.strides[name]
        if name == PIPELINE:
            ranks, at = ranks[at < size - 1], at[at < size - 1]
        after = ranks + ((at + 1) % size - at) * stride
        wires = wire(ranks, after)
        return {kind: float(np.mean(wires == place)) if size > 1 else 0.0 for place, kind in enumerate(WIRES)}

    def farthest(self, rank: int, name: str) -> str:
        """The longest wire that a group needs."""
        group = self.group(rank, name)
        return WIRES[int(wire(group[0], group[-1]))]


def wire(here: ArrayLike, there: ArrayLike) -> Ints:
    """The place in `WIRES` of what joins GPUs: one node, one pod, or neither."""
    apart = [np.asarray(here) // size != np.asarray(there) // size for size in (NODE, POD)]
    found: Ints = np.sum(apart, axis=0)
    return found
