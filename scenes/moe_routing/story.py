"""A batch on its way through a layer of experts, group by group, and what is said of each step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import count, listed, percent, plain
from loom.scene import Moment, Phase

from . import model

GROUPS = 8  # the queue leaves in this many steps
FEW = 3  # more experts than this are counted, not named


@dataclass(frozen=True, eq=False)
class Flow:
    """One batch on its way: the parameters that shape the picture, and where every copy of a token goes."""

    tokens: int
    experts: int
    top_k: int
    capacity: int | None
    run: model.Dispatch

    @cached_property
    def length(self) -> int:
        """Slots of a lane. Capacity and tile leave it as it is, so that their choices can be compared."""
        asked = int((self.run.kept_tokens + self.run.dropped).max())
        return -(-asked // 16) * 16

    @property
    def group(self) -> int:
        """Tokens that set out in one step."""
        return self.tokens // GROUPS

    def sent(self, groups: int) -> int:
        """Copies that have left the queue with so many groups."""
        return min(max(groups, 0), GROUPS) * self.group * self.top_k

    def wanted(self, groups: int) -> np.ndarray:
        """Copies that have set out for each expert."""
        return np.bincount(self.run.expert[: self.sent(groups)], minlength=self.experts)

    def held(self, groups: int) -> np.ndarray:
        """Copies that each expert has taken in: its load so far."""
        return np.minimum(self.wanted(groups), self.sent(GROUPS) if self.capacity is None else self.capacity)

    def copies(self, number: int) -> str:
        """What travels: so many tokens, or copies of them where each sends several."""
        return count(number, "copy", "copies") if self.top_k > 1 else count(number, "token")


def flow_of(tokens: int, experts: int, top_k: int, routing: str, capacity: str, tile: int) -> Flow:
    """Route a batch and give every copy its slot."""
    slots = model.capacity_slots(tokens, experts, top_k, capacity)
    run = model.dispatch(model.route(tokens, experts, top_k, routing), experts, slots, tile)
    return Flow(tokens, experts, top_k, slots, run)


def _queue(moment: Moment) -> str:
    batch: Flow = moment.result
    each = "each of them to 1" if batch.top_k == 1 else f"a copy of each to {batch.top_k}"
    limit = "" if batch.capacity is None else f" and takes no more than {batch.copies(batch.capacity)}"
    start = f"{batch.tokens} tokens wait for the router, which sends {each} of {batch.experts} experts."
    return f"{start} An expert works in tiles of {batch.run.tile} slots{limit}."


def _leaving(moment: Moment) -> str:
    return f"{_goals(moment.result, moment.at)} {_loads(moment.result, moment.at)}"


def _goals(batch: Flow, groups: int) -> str:
    """Which tokens go in this step, and where."""
    past, now = batch.sent(groups - 1), batch.sent(groups)
    first, share = past // batch.top_k, np.bincount(batch.run.expert[past:now])
    who, goals = f"Tokens {first} to {first + batch.group - 1}", np.flatnonzero(share)
    if goals.size == 1:
        return f"{who} all go to E{goals[0]}."
    if goals.size <= FEW:
        return f"{who} go: {listed([f'{share[e]} to E{e}' for e in goals])}."
    if (share[goals] == share.max()).all():
        return f"{who} go to {goals.size} experts, {share.max()} to each."
    copies = f"{who} go" if batch.top_k == 1 else f"{who} send {now - past} copies"
    return f"{copies} to {goals.size} experts, {share.max()} of them to E{int(share.argmax())}."


def _loads(batch: Flow, groups: int) -> str:
    """What the experts dropped in this step, or how uneven their loads are by now."""
    held, before = batch.held(groups), batch.held(groups - 1)
    lost = (batch.wanted(groups) - held) - (batch.wanted(groups - 1) - before)
    if lost.any():
        full = np.flatnonzero(lost)
        names = listed([f"E{e}" for e in full]) if full.size <= FEW else f"{full.size} experts"
        is_, drops = ("is", "drops") if full.size == 1 else ("are", "drop")
        return f"{names} {is_} full at {batch.capacity} and {drops} {lost.sum()}."
    most, least = int(held.max()), int(held.min())
    if most == least:
        return f"Every expert now holds {most}."
    if most == least + 1:
        return "No expert is more than one ahead of another."
    none, lead = np.flatnonzero(held == 0), f"E{int(held.argmax())} now holds {most}"
    if none.size:
        return f"{lead}, and {f'E{none[0]} has' if none.size == 1 else f'{none.size} experts have'} none."
    return f"{lead}, E{int(held.argmin())} only {least}."


def _padding(moment: Moment) -> str:
    run = moment.result.run
    padded = np.flatnonzero(run.padded_slots)
    if not padded.size:
        return f"Every load is a multiple of {run.tile}: all tiles are full, and nothing is padded."
    if padded.size <= FEW:
        where = listed([f"{run.padded_slots[e]} in E{e}" for e in padded])
        return f"A tile is computed whole, so its empty slots are filled with zeros: {where}."
    empty = f"{run.padded_slots.sum()} empty slots of {padded.size} experts"
    return f"A tile is computed whole, so {empty} are filled with zeros."


def _share(moment: Moment) -> str:
    run, what = moment.result.run, "a token" if moment.result.top_k == 1 else "a copy of a token"
    tiles = f"The tensor core computes {run.tiles.sum()} tiles of {run.tile}, which are {run.slots_run} slots."
    if not run.padded_slots.any():
        return f"{tiles} Each of them holds {what}: no work is wasted on padding."
    return f"{tiles} {run.kept_tokens.sum()} of them hold {what}, so {percent(run.useful)} of the work is useful."


def _straggler(moment: Moment) -> str:
    run = moment.result.run
    most, mean = int(run.tiles.max()), f"{run.kept_tokens.mean():.3g}"
    if run.straggler == 1:
        return f"All {run.tiles.size} experts hold {mean}, so they finish together and nobody waits."
    last, others = np.flatnonzero(run.kept_tokens == run.busiest_expert), int((run.tiles < most).sum())
    names, whose = f"E{last[0]} holds", "its"
    if last.size > 1:
        names, whose = f"E{last[0]} and {count(last.size - 1, 'other')} hold", "their"
    start = f"{names} {run.busiest_expert}, {plain(run.straggler)} times the mean of {mean}."
    if np.count_nonzero(run.tiles) == 1:
        return f"{start} No other expert has any work."
    if (run.tiles[run.tiles > 0] == most).all():
        return f"{start} Yet no expert runs more than {count(most, 'tile')}, so none that has work waits."
    wait = f"{count(others, 'expert')} {'waits' if others == 1 else 'wait'}"
    return f"{start} {wait} until {whose} {count(most, 'tile')} are done."


# A moment of each phase: how many groups have left the queue.
STORY = (
    Phase("queue", _queue),
    Phase("leaving", _leaving, lambda _: range(1, GROUPS + 1)),
    Phase("padding", _padding, lambda _: (GROUPS,)),
    Phase("share", _share, lambda _: (GROUPS,)),
    Phase("waiting", _straggler, lambda _: (GROUPS,)),
)
