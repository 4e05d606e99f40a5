"""Where experts lie: in order, packed by their loads, or with copies of those that are picked most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .router import EXPERTS, GPUS, NODES, Floats, Ints

Name = Literal["order", "balanced", "copies"]
PLACED: dict[Name, str] = {"order": "in order", "balanced": "balanced", "copies": "with copies"}
EACH, LOCAL = EXPERTS // GPUS, GPUS // NODES  # experts of a GPU, GPUs of a node


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class Placement:
    """Every copy of every expert, and the GPU that holds it."""

    expert: Ints  # of each copy; the copies of an expert follow one another
    gpu: Ints  # of each copy

    @property
    def copies(self) -> Ints:
        """How many there are of each expert."""
        found: Ints = np.bincount(self.expert, minlength=EXPERTS)
        return found

    @property
    def node(self) -> Ints:
        """The node of each expert, which holds all of its copies."""
        found = np.empty(EXPERTS, dtype=np.int64)
        found[self.expert] = self.gpu // LOCAL
        return found

    def visited(self, picked: Ints) -> Ints:
        """The GPU that each token goes to for each expert: the copies of an expert take turns."""
        flat, copies = picked.ravel(), self.copies
        order = np.argsort(flat.astype(np.int16), kind="stable")  # which numpy sorts by digits
        counts = np.bincount(flat, minlength=EXPERTS)
        turn = np.empty_like(flat)
        turn[order] = np.arange(flat.size) - np.repeat(np.cumsum(counts) - counts, counts)
        first = np.cumsum(copies) - copies
        found: Ints = self.gpu[first[flat] + turn % copies[flat]].reshape(picked.shape)
        return found


def pack(loads: Floats, bins: int) -> Ints:
    """The bin of each load: the largest first, each into the emptiest bin that has room; all bins hold as many."""
    room, weight = np.full(bins, len(loads) // bins), np.zeros(bins)
    found = np.empty(len(loads), dtype=np.int64)
    for one in np.argsort(-loads, kind="stable"):
        least = int(np.where(room > 0, weight, np.inf).argmin())
        found[one], room[least], weight[least] = least, room[least] - 1, weight[least] + loads[one]
    return found


def place(name: Name, loads: Ints) -> Placement:
    """Place the experts, knowing how often each is picked.

    `copies` gives every GPU one expert more: packs experts into nodes, gives each node's spare places one by one to
    the expert with the most load a copy, and packs the copies into its GPUs. In [1]_ groups of experts are packed into
    nodes and stay together; here the experts of a node are a group.

    References
    ----------
    .. [1] DeepSeek-AI, "Expert Parallelism Load Balancer", 2025, github.com/deepseek-ai/EPLB.
    """
    everyone = np.arange(EXPERTS)
    if name == "order":
        return Placement(everyone, everyone // EACH)
    if name == "balanced":
        return Placement(everyone, pack(loads.astype(float), GPUS))
    home = pack(loads.astype(float), NODES)
    experts, gpus = [], []
    for node in range(NODES):
        members = np.flatnonzero(home == node)
        copies = np.ones(len(members), dtype=np.int64)
        for _ in range(LOCAL):
            copies[int((loads[members] / copies).argmax())] += 1
        experts.append(np.repeat(members, copies))
        gpus.append(node * LOCAL + pack(np.repeat(loads[members] / copies, copies), LOCAL))
    order = np.argsort(np.concatenate(experts), kind="stable")
    return Placement(np.concatenate(experts)[order], np.concatenate(gpus)[order])
