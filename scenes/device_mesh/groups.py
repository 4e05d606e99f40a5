"""What all pictures of a group share: its colours, where it is met, and how a GPU's number says its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from .address import stops
from .model import NETWORK, NVLINK, POD, PODS, RACK
from .narration import bends, corners, near
from .stage import Point, Stage
from .traffic import DIMENSIONS, Placed

LANE = 3.5  # units over the pods
ROLES = {NVLINK: "kept", NETWORK: "memory", PODS: "dropped"}


def spot(stage: Stage, placed: Placed, name: str, rank: int) -> Point:
    """Where a GPU is met on a round."""
    if not near(placed, name):
        return stage.spot(rank)
    few = placed.mesh.gpus == RACK
    box = stage.among_few(rank) if few else stage.in_rack(rank)
    return stage.met(box) if few else (box.x + box.width / 2, box.y + box.height / 2)


@lru_cache(maxsize=4)  # the same for all beats of a step
def way(stage: Stage, placed: Placed, name: str) -> list[Point]:
    """Where a round of a group comes by, from turn to turn."""
    turns = corners(placed, name)
    found = [spot(stage, placed, name, turns[0])]
    for here, there in pairwise(turns):
        found += [*aside(stage, here, there), spot(stage, placed, name, there)]
    return found


def aside(stage: Stage, here: int, there: int) -> list[Point]:
    """Where a hop to another pod turns: it keeps to the aisles between pods and to the lane over all of them."""
    turns = bends(here, there)
    if not turns:
        return []
    pod, (_, y), (x, end) = stage.pod_box(here // POD), stage.spot(here), stage.spot(there)
    aisle = pod.right + stage.gap / 2 if there > here else pod.x - stage.gap / 2
    lane = pod.y - LANE
    return [(aisle, y), (aisle, end)] if turns == 2 else [(aisle, y), (aisle, lane), (x, lane)]


def tones(placed: Placed, names: Sequence[str]) -> dict[int, str]:
    """The roles of the GPUs that are lit: the chosen one, and its groups in the colour of their farthest wire."""
    found = {}
    for name in reversed(names):
        role = f"{ROLES[placed.mesh.farthest(placed.rank, name)]} soft"
        found |= dict.fromkeys(placed.mesh.group(placed.rank, name), role)
    return found | {placed.rank: "hot soft"}


def made_of(placed: Placed, ways: int = len(DIMENSIONS)) -> str:
    """A rank from its coordinates, innermost first: 0 + 8 × (13 + 16 × 7). Those along ways to come are 0 so far."""
    counted = {stop.name for stop in stops(placed)[1 : ways + 1]}
    inner = [name for name in placed.order if placed.mesh.sizes[name] > 1]
    *before, last = inner
    places = {name: placed.at(name) if name in counted else 0 for name in inner}
    words = str(places[last])
    for depth, name in enumerate(reversed(before)):
        nested = f"({words})" if depth else words
        words = f"{places[name]} + {placed.mesh.sizes[name]}·{nested}"
    return words
