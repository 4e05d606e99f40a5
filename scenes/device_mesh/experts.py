"""Experts on the small example: GPUs that hold the same layers, divided a second time."""

from __future__ import annotations

from typing import NamedTuple

from .traffic import Placed

EXPERTS, SHARING = 8, 4  # of a layer, and the GPUs of a group that share them


class Tile(NamedTuple):
    """A GPU's place in the second division, from 0, and who else matters to it there."""

    at: int  # in its group
    copy: int  # which of the groups that hold all experts
    group: list[int]  # the GPUs that share a layer's experts with it
    twins: list[int]  # those that hold the same experts, itself among them

    @property
    def experts(self) -> range:
        each = EXPERTS // SHARING
        return range(self.at * each, (self.at + 1) * each)


def tile_of(placed: Placed, rank: int) -> Tile:
    """Where a GPU stands if the ranks of its stage are dealt out again: expert parallelism first, then copies.

    References
    ----------
    .. [1] NVIDIA, Megatron-LM, megatron/core/parallel_state.py: the expert groups have an order of their own, ep
       before dp, and the same pipeline.
    """
    mesh = placed.mesh
    stage = [one for one in range(mesh.gpus) if mesh.place(one, "pp") == mesh.place(rank, "pp")]
    copy, at = divmod(stage.index(rank), SHARING)
    return Tile(at, copy, stage[copy * SHARING : (copy + 1) * SHARING], stage[at::SHARING])
