"""What is said of a mesh: where a GPU stands, who is in its groups, and what goes over which wire."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, starmap

from loom.draw import count, listed, percent, quantity
from loom.scene import Moment, Phase, evenly

from .._clusters.links import NODE
from .address import finding
from .experts import EXPERTS, SHARING, tile_of
from .model import NETWORK, NVLINK, PIPELINE, POD, PODS, RACK, WIRES, wire
from .stage import slot
from .traffic import DIMENSIONS, Placed

PACE = 0.35  # seconds of a straight way
HASTE = 0.5  # of that, for each stretch of a way to another pod
DOES = {
    "tp": "add up activations",
    "cp": "gather keys and values",
    "pp": "hand activations on",
    "dp": "share weights and gradients",
}


def ordinal(number: int) -> str:
    """A number as it counts in order: 2nd, 8th, 1,024th."""
    teen = number % 100 in (11, 12, 13)
    return f"{number:,}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def size(number: float) -> str:
    return quantity(number, "B")


def time(seconds: float) -> str:
    return quantity(seconds, "s", 2)


@lru_cache(maxsize=16)  # the same for all beats of a step
def round_of(placed: Placed, name: str) -> Sequence[int]:
    """A group as its traffic goes: round from the GPU itself, or through a pipeline, first stage to last."""
    group = placed.mesh.group(placed.rank, name)
    if name == PIPELINE:
        return group
    at = placed.at(name)
    return [*group[at:], *group[: at + 1]]


@lru_cache(maxsize=16)
def corners(placed: Placed, name: str) -> list[int]:
    """Where a round begins, turns and ends: between these it goes straight, from GPU to GPU.

    A hop to another pod is a turn in any case.
    """
    way, inside = round_of(placed, name), near(placed, name)
    places = [(rank // NODE, *divmod(rank % NODE, 4)) if inside else slot(rank) for rank in way]
    ways = [(c - a, d - b, f - e) for (a, b, e), (c, d, f) in pairwise(places)]
    turns = [at for at in range(1, len(ways)) if ways[at] != ways[at - 1] or (not inside and ways[at][0])]
    return [way[0], *(way[at] for at in turns), way[-1]]


@lru_cache(maxsize=16)
def near(placed: Placed, name: str) -> bool:
    """Whether a group is met where single GPUs are drawn."""
    return placed.mesh.gpus == RACK or placed.mesh.farthest(placed.rank, name) == NVLINK


def bends(here: int, there: int) -> int:
    """How often a hop turns on its way: to the next pod through the aisle between, to others by the lane over all."""
    return (0, 2, 3)[min(abs(here // POD - there // POD), 2)]


def crossings(placed: Placed, name: str) -> int:
    """How many hops of a round lead to another pod."""
    if placed.mesh.farthest(placed.rank, name) != PODS:
        return 0
    way = round_of(placed, name)
    return int((wire(way[:-1], way[1:]) == WIRES.index(PODS)).sum())


def split(placed: Placed) -> list[str]:
    """The dimensions that split anything."""
    return [name for name in DIMENSIONS if placed.mesh.sizes[name] > 1]


def _place(moment: Moment) -> str:
    placed: Placed = moment.result
    rank = placed.rank
    pod = f", pod {rank // POD}" if placed.mesh.gpus > RACK else ""
    places = listed([f"{name.upper()} {placed.at(name)}" for name in split(placed)])
    return (
        f"GPU {rank:,} is in node {rank // NODE:,}, rack {rank // RACK:,}{pod}. Its number says {places}. "
        f"A copy of the model takes {placed.replica:,} GPUs."
    )


def _group(name: str) -> Callable[[Moment], str]:
    def say(moment: Moment) -> str:
        placed: Placed = moment.result
        group, stride = placed.mesh.group(placed.rank, name), placed.mesh.strides[name]
        first, last = f"GPUs {group[0]:,}", f"{group[-1]:,}"
        run = f"{first} and {last}" if len(group) == 2 else f"{first} to {last}"
        who = run if stride == 1 else f"{len(group)} GPUs, every {ordinal(stride)},"
        inside = placed.mesh.farthest(placed.rank, name) == NVLINK
        over = "over NVLink" if inside else "over the network"
        hops, sent = placed.mesh.hops[name], placed.sent(name)
        if 0 < hops[NVLINK] < 1 and not inside:
            over = f"{size(sent * (1 - hops[NVLINK]))} of it {over}"
        said = f"{name.upper()}: {who} {DOES[name]}: {size(sent)} each, {over} in {time(placed.seconds(name))}."
        if across := crossings(placed, name):
            among = count(len(round_of(placed, name)) - 1, "hop")
            verb = "changes" if across == 1 else "change"
            said += f" Here {across} of {among} {verb} pods, on average {percent(100 * hops[PODS], 2)}."
        return said

    return say


def _all(moment: Moment) -> str:
    placed: Placed = moment.result
    shares, total = placed.shares, size(placed.total)
    if placed.mesh.hops["tp"][NVLINK] < 1:
        sent, slow = size(placed.sent("tp")), time(placed.seconds("tp"))
        fast = time(placed.seconds("tp", DIMENSIONS))
        return (
            f"TP sends most, and here its GPUs stand far apart: {sent} take {slow} over the network. "
            f"NVLink would take {fast}."
        )
    away = size(placed.over(NETWORK) + placed.over(PODS))
    return (
        f"TP sends most and stays in the node: {percent(shares[NVLINK])} of {total} go over NVLink. "
        f"The network carries {away} of each GPU."
    )


def _experts(moment: Moment) -> str:
    placed: Placed = moment.result
    tile = tile_of(placed, placed.rank)
    twin = next(rank for rank in tile.twins if rank != placed.rank)
    first, second = tile.experts
    return (
        f"Were the MLPs {EXPERTS} experts, EP {SHARING} would divide the same GPUs anew, in tiles of {SHARING}. "
        f"GPU {placed.rank} holds experts {first} and {second}, and GPU {twin} has copies."
    )


def _beats(name: str) -> Callable[[Moment], tuple[float, ...]]:
    def beats(moment: Moment) -> tuple[float, ...]:
        turns = corners(moment.result, name)
        lasts = [PACE]
        for turn in starmap(bends, pairwise(turns)):
            lasts += [PACE * HASTE] * (turn + 1) if turn else [PACE]
        return tuple(accumulate(lasts[:-1], initial=0.0))

    return beats


def _if_split(name: str) -> Callable[[Placed], tuple[int, ...]]:
    return lambda placed: (0,) if placed.mesh.sizes[name] > 1 else ()


PHASES = (
    Phase("place", _place, beats=finding),
    *(Phase(name, _group(name), moments=_if_split(name), beats=_beats(name)) for name in DIMENSIONS),
    Phase("all", _all, beats=lambda _: evenly(2, 1.4, lead=0.25)),  # what the bar says grows, wire by wire
    Phase("experts", _experts, moments=lambda placed: (0,) if placed.mesh.gpus == RACK else ()),
)
