"""One all-reduce as it is told: the arrays after each step, and what is said of them."""

from __future__ import annotations

from functools import cache

import numpy as np

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase

from .model import RING, SWITCH, TREE, AllReduce, Ints, exchange, toy
from .pace import CROWDED, GATHER, SCATTER, START, TIME, added_beats, race_beats, step_beats

WORDS = {RING: "ring", TREE: "tree", SWITCH: "switch"}
PLACE = {"network": "over the network", "nvlink": "over NVLink"}


@cache
def arrays(gpus: int) -> list[Ints]:
    """The toy's numbers after each step."""
    return exchange(toy(gpus))


@cache
def summands(gpus: int) -> list[Ints]:
    """How many GPUs' numbers each chunk holds after each step: the exchange of ones counts them."""
    return exchange(np.ones((gpus, gpus), dtype=np.int64))


@cache
def share(gpus: int, steps: int) -> str:
    """How much of its array each GPU has sent by then."""
    return f"{number(steps / gpus, 4)}×"


def clock(seconds: float) -> str:
    return quantity(seconds, "s")


def _start(moment: Moment) -> str:
    one: AllReduce = moment.result
    sums = arrays(one.gpus)[-1][0]
    columns = f": {sums[0]}, {sums[1]} and so on" if one.gpus > 2 else f": {sums[0]} and {sums[1]}"
    columns = columns if one.gpus < CROWDED else ""  # no numbers are drawn
    shown = "in its colour" if one.gpus >= CROWDED else "shown as a number each"
    return (
        f"Each of {one.gpus} GPUs holds gradients of its own in {one.gpus} chunks, {shown}. "
        f"All of them need the sum of every column{columns}."
    )


def _scatter(moment: Moment) -> str:
    one: AllReduce = moment.result
    return (
        f"Reduce-scatter: in {count(one.gpus - 1, 'step')} each GPU passes a chunk down the ring, and the next adds "
        f"its own. Then each owns one finished sum, and has sent {share(one.gpus, one.gpus - 1)} its array."
    )


def _gather(moment: Moment) -> str:
    one: AllReduce = moment.result
    return (
        f"All-gather: in {count(one.gpus - 1, 'more step', 'more steps')} the finished sums are copied round. All "
        f"arrays are the same, and each GPU has sent {one.steps} chunks: {share(one.gpus, one.steps)} its array."
    )


def _time(moment: Moment) -> str:
    one: AllReduce = moment.result
    took = {name: clock(time) for name, time in one.times().items()}
    first = f"For {quantity(one.size, 'B')} {PLACE[one.link]} the ring needs {took[RING]}, a tree {took[TREE]}"
    first += f", the switch {took[SWITCH]}. " if SWITCH in took else ". "
    if one.link == "network":
        turn = one.leads_from(RING)
        if not turn:
            return f"{first}With two GPUs a tree has as many hops, and sends more."
        return f"{first}Below {quantity(turn, 'B')} the tree’s few hops win, above it the ring’s fewer bytes."
    if turn := one.leads_from(SWITCH):
        return f"{first}From {quantity(turn, 'B')} on, the switch wins: it adds on the way, so less is sent."
    return f"{first}Between two GPUs a switch has nothing to add up for others, and starts late."


PHASES = (
    Phase(START, _start, beats=added_beats),
    Phase(SCATTER, _scatter, beats=step_beats),
    Phase(GATHER, _gather, beats=step_beats),
    Phase(TIME, _time, beats=race_beats),
)
