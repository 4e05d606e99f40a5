"""All-reduce: arrays exchanged round a ring, and how long that takes beside a tree and a switch that adds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._clusters.links import NETWORK, NVLINK

LINKS = ("nvlink", "network")
RING, TREE, SWITCH = "ring", "tree", "switch"
HOP = 5e-6  # [s] over the network: a message of 64 B was measured to take 2.8 to 5.6 µs from end to end
LL_RATE = 141e9  # [B/s]: the most that NCCL expects of a Hopper's LL, whose every 8 bytes hold 4 of flags
ADDING = 25e-6, 0.85  # [s] until NVLS is under way, and the share of NVLink that it reaches on Hopper

Ints = NDArray[np.int64]


class Way(NamedTuple):
    """What an all-reduce costs: `start` [s], `hops` one after the other of `hop` [s], and `arrays` times what a GPU
    holds at `rate` [B/s]."""

    start: float
    hops: int
    hop: float
    arrays: float
    rate: float

    @property
    def latency(self) -> float:
        """What the smallest message takes [s]."""
        return self.start + self.hops * self.hop

    @property
    def pace(self) -> float:
        """What one byte more costs [s/B]."""
        return self.arrays / self.rate

    def time(self, size: float) -> float:
        return self.latency + self.pace * size


def sent_chunk(gpus: int, gpu: int, step: int) -> int:
    """The chunk that a GPU sends to the next one at a step, from 0: those that it adds to, then those that it owns."""
    gathering = step >= gpus - 1
    return (gpu + gathering - step % (gpus - 1)) % gpus if gpus > 1 else 0


def exchange(arrays: Ints) -> list[Ints]:
    """Run the ring: all GPUs send one chunk at a time to the next one, at once.

    Parameters
    ----------
    arrays : ndarray, shape (n, n)
        Row r is the array of GPU r, a number for each of n chunks.

    Returns
    -------
    list of ndarray, shape (n, n)
        The arrays before the first step and after each: n - 1 steps that add (reduce-scatter), then n - 1 that copy
        (all-gather).

    References
    ----------
    .. [1] NVIDIA, nccl-tests, doc/PERFORMANCE.md.
    """
    gpus = len(arrays)
    if arrays.shape != (gpus, gpus) or gpus < 2:
        raise ValueError(f"there are as many chunks as GPUs, at least 2, not {arrays.shape}")
    now, told = arrays.copy(), [arrays.copy()]
    for step in range(2 * (gpus - 1)):
        parcels = [(gpu, chunk := sent_chunk(gpus, gpu, step), now[gpu, chunk]) for gpu in range(gpus)]
        for gpu, chunk, number in parcels:
            there = (gpu + 1) % gpus
            now[there, chunk] = number + (now[there, chunk] if step < gpus - 1 else 0)
        told.append(now.copy())
    return told


def toy(gpus: int) -> Ints:
    """Arrays whose numbers tell where they come from: 10 times the GPU, and the chunk."""
    return 10 * np.arange(gpus)[:, None] + np.arange(gpus)[None, :]


def ways(gpus: int, link: str) -> dict[str, tuple[Way, ...]]:
    """How NCCL may add up arrays, each algorithm with its protocols: LL, LL128, Simple.

    Over the network: one GPU in each node, α of `HOP`, and a tree whose two halves are pipelined. Inside a node: the
    constants of NCCL's tuner for NVLink, where a tree is a chain, and the switch can add.

    References
    ----------
    .. [1] NVIDIA, NCCL, src/graph/tuning.cc at 5067397c: baseLatencies, hwLatencies, llMaxBws, nvlsEfficiency, and
       the latency of a tree.
    """
    around, down = 2 * (gpus - 1), round(2 * log2(gpus))
    share = around / gpus  # of its array that a GPU sends
    if link == "network":
        return {RING: (Way(0.0, around, HOP, share, NETWORK),), TREE: (Way(0.0, down, HOP, 2.0, NETWORK),)}
    start, efficiency = ADDING
    ring = ((6.6e-6, 0.6e-6, LL_RATE), (14e-6, 1.9e-6, 0.92 * NVLINK), (8.4e-6, 3.4e-6, NVLINK))
    tree = ((6.8e-6, 0.6e-6, 0.92 / 3.8 * NVLINK), (14e-6, 1.25e-6, 0.92 * 7 / 9 * NVLINK),
            (8.4e-6, 4e-6, 0.92 * NVLINK))  # fmt: skip
    return {
        RING: tuple(Way(base, around, hop, share, rate) for base, hop, rate in ring),
        TREE: tuple(Way(base, around, hop, 2.0, rate) for base, hop, rate in tree),
        SWITCH: (Way(start, 0, 0.0, (gpus + 1) / gpus, efficiency * NVLINK),),
    }


def envelope(some: Iterable[Way]) -> list[tuple[float, Way]]:
    """Which of some ways is the fastest, and from which size on [B]: the lower edge of their lines."""
    left = sorted(some, key=lambda way: (way.latency, way.pace))
    found = [(0.0, left[0])]
    while left := [way for way in left if way.pace < found[-1][1].pace]:
        last = found[-1][1]
        found.append(min(((way.latency - last.latency) / (last.pace - way.pace), way) for way in left))
    return found


@dataclass(frozen=True)
class AllReduce:
    """So many GPUs, each with an array of `size` bytes, and what joins them."""

    gpus: int
    size: int
    link: str

    def __post_init__(self) -> None:
        if self.link not in LINKS:
            raise ValueError(f"a link is one of {LINKS}, not {self.link!r}")
        if self.gpus < 2 or self.size <= 0:
            raise ValueError(f"2 GPUs and 1 byte at least, not {self.gpus} and {self.size}")

    @property
    def steps(self) -> int:
        return 2 * (self.gpus - 1)

    @property
    def chunk(self) -> float:
        """[B]"""
        return self.size / self.gpus

    @property
    def sent(self) -> float:
        """What each GPU sends [B]."""
        return self.steps * self.chunk

    @cached_property
    def ways(self) -> dict[str, tuple[Way, ...]]:
        return ways(self.gpus, self.link)

    def times(self, size: float | None = None) -> dict[str, float]:
        """The time of each algorithm by its fastest protocol [s]."""
        some = self.size if size is None else size
        return {name: min(way.time(some) for way in each) for name, each in self.ways.items()}

    @cached_property
    def fastest(self) -> str:
        found = self.times()
        return min(found, key=lambda name: found[name])

    @cached_property
    def leaders(self) -> list[tuple[float, str]]:
        """Which algorithm is the fastest, and from which size on [B]."""
        owner = {way: name for name, some in self.ways.items() for way in some}
        edge = [(size, owner[way]) for size, way in envelope(owner)]
        return [one for at, one in enumerate(edge) if not at or one[1] != edge[at - 1][1]]

    def leads_from(self, name: str) -> float:
        """From which size on an algorithm is the fastest [B]; 0 if it always is, or never."""
        return next((size for size, leader in self.leaders if leader == name), 0.0)

    def bus_bandwidth(self, time: float) -> float:
        """What each link would carry if all sent round the ring [B/s]: nccl-tests' busbw."""
        return self.sent / time
