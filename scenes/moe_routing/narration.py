"""A batch at one step in one or two sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loom.draw import plain

from .flow import ARRIVED, PADDED, SHARED, Flow, State

FEW = 3  # more experts than this are counted, not named


def say(state: State) -> str:
    batch, step = state.flow, state.step
    if step == 1:
        return _queue(batch)
    if step <= ARRIVED:
        return f"{_leaving(batch, step)} {_loads(state)}"
    if step == PADDED:
        return _padding(batch)
    return _share(batch) if step == SHARED else _straggler(batch)


def _queue(batch: Flow) -> str:
    each = "each of them to 1" if batch.top_k == 1 else f"a copy of each to {batch.top_k}"
    limit = "" if batch.capacity is None else f" and takes no more than {batch.capacity} {batch.noun(2)}"
    start = f"{batch.tokens} tokens wait for the router, which sends {each} of {batch.experts} experts."
    return f"{start} An expert works in tiles of {batch.run.tile} slots{limit}."


def _leaving(batch: Flow, step: int) -> str:
    """Which tokens go in this step, and where."""
    past, now = batch.sent(step - 1), batch.sent(step)
    first = past // batch.top_k
    who, share = f"Tokens {first} to {first + batch.group - 1}", np.bincount(batch.run.expert[past:now])
    goals = np.flatnonzero(share)
    if goals.size == 1:
        return f"{who} all go to E{goals[0]}."
    if goals.size <= FEW:
        return f"{who} go: {_listed([f'{share[e]} to E{e}' for e in goals])}."
    if (share[goals] == share.max()).all():
        return f"{who} go to {goals.size} experts, {share.max()} to each."
    copies = f"{who} go" if batch.top_k == 1 else f"{who} send {now - past} copies"
    return f"{copies} to {goals.size} experts, {share.max()} of them to E{int(share.argmax())}."


def _loads(state: State) -> str:
    """What the experts dropped in this step, or how uneven their loads are by now."""
    batch, held = state.flow, state.held
    before = State(batch, state.step - 1)
    lost = (state.wanted - held) - (before.wanted - before.held)
    if lost.any():
        full = np.flatnonzero(lost)
        names = _listed([f"E{e}" for e in full]) if full.size <= FEW else f"{full.size} experts"
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


def _padding(batch: Flow) -> str:
    run, padded = batch.run, np.flatnonzero(batch.run.padded_slots)
    if not padded.size:
        return f"Every load is a multiple of {run.tile}: all tiles are full, and nothing is padded."
    if padded.size <= FEW:
        where = _listed([f"{run.padded_slots[e]} in E{e}" for e in padded])
        return f"A tile is computed whole, so its empty slots are filled with zeros: {where}."
    empty = f"{run.padded_slots.sum()} empty slots of {padded.size} experts"
    return f"A tile is computed whole, so {empty} are filled with zeros."


def _share(batch: Flow) -> str:
    run = batch.run
    what = "a token" if batch.top_k == 1 else "a copy of a token"
    work = f"{run.tiles.sum()} tiles of {run.tile}, which are {run.slots_run} slots"
    tiles = f"The tensor core computes {work}."
    if not run.padded_slots.any():
        return f"{tiles} Each of them holds {what}: no work is wasted on padding."
    useful = f"{plain(run.useful)}% of the work is useful"
    return f"{tiles} {run.kept_tokens.sum()} of them hold {what}, so {useful}."


def _straggler(batch: Flow) -> str:
    run, most = batch.run, int(batch.run.tiles.max())
    mean = f"{run.kept_tokens.mean():.3g}"
    if run.straggler == 1:
        return f"All {batch.experts} experts hold {mean}, so they finish together and nobody waits."
    last, others = np.flatnonzero(run.kept_tokens == run.busiest_expert), int((run.tiles < most).sum())
    names, whose = f"E{last[0]} holds", "its"
    if last.size > 1:
        names, whose = f"E{last[0]} and {_count(last.size - 1, 'other')} hold", "their"
    start = f"{names} {run.busiest_expert}, {plain(run.straggler)} times the mean of {mean}."
    if np.count_nonzero(run.tiles) == 1:
        return f"{start} No other expert has any work."
    if (run.tiles[run.tiles > 0] == most).all():
        return f"{start} Yet no expert runs more than {_count(most, 'tile')}, so none that has work waits."
    wait = f"{_count(others, 'expert')} {'waits' if others == 1 else 'wait'}"
    return f"{start} {wait} until {whose} {_count(most, 'tile')} are done."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
