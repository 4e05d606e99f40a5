"""A batch on its way through a layer of experts, token by token, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import count, percent, significant
from loom.scene import Moment, Phase, evenly

from . import model
from .model import capacity_slots

TOKENS = 32
TILE = 8  # slots
CAPACITIES = ("0.5", "0.75", "1.0", "1.25", "1.5", "2.0", "3.0", "off")
PACE = 0.28  # seconds from token to token
A_TILE = 0.9  # seconds that a tile takes


@dataclass(frozen=True, eq=False)
class Flow:
    """One batch: how many slots an expert may fill, and where every token goes."""

    experts: int
    capacity: int | None
    run: model.Dispatch

    @cached_property
    def length(self) -> int:
        """Slots of a lane: whatever capacity is chosen, so that its choices can be compared, the largest has room."""
        asked = int((self.run.kept_tokens + self.run.dropped).max())
        largest = max(capacity_slots(TOKENS, self.experts, 1, one) or 0 for one in CAPACITIES)
        return max(-(-asked // 16) * 16, largest)

    def held(self, arrived: int) -> np.ndarray:
        """The load of each expert once so many tokens have arrived."""
        here = self.run.expert[:arrived][self.run.kept[:arrived]]
        return np.bincount(here, minlength=self.experts)


def flow_of(experts: int, routing: str, capacity: str) -> Flow:
    """Route a batch and give every token its slot."""
    slots = capacity_slots(TOKENS, experts, 1, capacity)
    return Flow(experts, slots, model.dispatch(model.route(TOKENS, experts, 1, routing), experts, slots, TILE))


def sent(moment: Moment) -> int:
    """Tokens that have left the queue; the newest of them is on its way, unless all have arrived."""
    return min(moment.beat + 1, TOKENS) if moment.phase == "route" else TOKENS


def arrived(moment: Moment) -> int:
    """Tokens that are where they go."""
    return moment.beat if moment.phase == "route" else TOKENS


def framed_only(moment: Moment) -> bool:
    """Whether tiles are framed and their empty slots not yet filled up."""
    return moment.phase == "padding" and moment.progress < 1


def clock(moment: Moment) -> int:
    """How many tiles the busiest expert has computed; all experts take the same time for a tile."""
    return moment.beat if moment.phase == "waiting" else 0


def _route(moment: Moment) -> str:
    flow: Flow = moment.result
    run, loads = flow.run, flow.run.kept_tokens
    start = f"The router sends each of {TOKENS} tokens to one of {flow.experts} experts."
    if lost := int(run.dropped.sum()):
        return f"{start} One that holds {flow.capacity} is full: {count(lost, 'token')} that come later are dropped."
    if loads.min() == loads.max():
        return f"{start} The balance is perfect: each gets {loads.max()}."
    least = f"only {loads.min()}" if loads.min() else "none"
    return f"{start} E{int(loads.argmax())} gets {loads.max()}, E{int(loads.argmin())} {least}."


def _padding(moment: Moment) -> str:
    run = moment.result.run
    number = count(int(run.tiles.sum()), "tile")
    tiles = f"Experts compute whole tiles of {run.tile} slots: {number}, {run.slots_run} slots."
    if not run.padded_slots.any():
        return f"{tiles} Each holds a token, so no work is wasted on padding."
    kept = int(run.kept_tokens.sum())
    hold = f"{kept} {'holds' if kept == 1 else 'hold'} a token"
    return f"{tiles} {hold}, the rest is padding: {percent(run.useful)} of the work is useful."


def _straggler(moment: Moment) -> str:
    run = moment.result.run
    most, mean = int(run.tiles.max()), f"{run.kept_tokens.mean():.3g}"
    if run.straggler == 1:
        return f"All {run.tiles.size} experts hold {mean}, so they finish together and nobody waits."
    last, others = np.flatnonzero(run.kept_tokens == run.busiest_expert), int((run.tiles < most).sum())
    names, whose = f"E{last[0]} holds", "its"
    if last.size > 1:
        names, whose = f"E{last[0]} and {count(last.size - 1, 'other')} hold", "their"
    start = f"{names} {run.busiest_expert}, {significant(run.straggler)} times the mean of {mean}."
    if np.count_nonzero(run.tiles) == 1:
        return f"{start} No other expert has any work."
    if (run.tiles[run.tiles > 0] == most).all():
        return f"{start} Yet no expert runs more than {count(most, 'tile')}, so none that has work waits."
    wait = f"{count(others, 'expert')} {'waits' if others == 1 else 'wait'}"
    return f"{start} {wait} until {whose} {count(most, 'tile')} are done."


def beats_of_tiles(most: int) -> tuple[float, ...]:
    """The times at which so many tiles are computed, from none."""
    return evenly(most, A_TILE * most, lead=0.4)


STORY = (
    Phase("route", _route, beats=lambda _: evenly(TOKENS + 1, PACE * (TOKENS + 1))),
    Phase("padding", _padding, beats=lambda _: evenly(1, 0.8, lead=0.4)),
    Phase("waiting", _straggler, beats=lambda moment: beats_of_tiles(int(moment.result.run.tiles.max()))),
)
