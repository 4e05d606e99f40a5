"""The work of a pipeline as boxes, one mark for each kind: thousands of marks would be slow to fetch and to draw."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby, pairwise
from typing import NamedTuple

from loom.draw import Box, Mark

from .model import Pipeline, Slot
from .stage import Stage

KINDS = {"B": "work", "F": "data", "W": "series-4"}  # what lies over what
IDLE = ""
MOST = 160  # turns that are drawn one by one
Pieces = dict[str, list[Box]]


def blocks(case: Pipeline, width: float) -> tuple[Mark, ...]:
    """All work: turn by turn, or where turns are too many or too narrow to be seen, as shares of longer stretches."""
    stage = Stage(width, case)
    finest = stage.pen.pick(6.0, 8.0)
    shortest = min(slot.end - slot.start for slots in case.slots for slot in slots)
    fine = stage.unit * shortest >= finest and sum(map(len, case.slots)) <= MOST
    pieces: Pieces = {}
    for device, slots in enumerate(case.slots):
        if fine:
            _turns(pieces, stage, device, slots)
        else:
            _stretches(pieces, stage, device, slots, finest / stage.unit)
    return tuple(
        stage.pen.strokes(f"work-{kind}", (box.corners[:4] for box in pieces[kind]), f"{role} solid sign")
        for kind, role in KINDS.items()
        if kind in pieces
    )


def _turns(pieces: Pieces, stage: Stage, device: int, slots: list[Slot]) -> None:
    """Every turn by itself; a backward reaches on under what follows it, up to a gap or to where two of them meet."""
    before, free, under = "", 0.0, False  # the turn before: its kind, its end, and whether a backward reaches under it
    for slot in slots:
        lengths, kind = _lengths([slot]), slot.turn[0].kind
        box = _box(stage, device, slot.start, slot.end)
        under = under and slot.start == free and len(lengths) == 1 and (kind, before) != ("B", "B")
        if len(lengths) > 1:
            _share(pieces, stage, device, slot.start, slot.end, lengths)
        elif under:
            pieces["B"][-1] = pieces["B"][-1]._replace(width=box.right - pieces["B"][-1].x)
        if len(lengths) == 1 and not (under and kind == "B"):
            pieces.setdefault(kind, []).append(box)
        before, free, under = kind, slot.end, len(lengths) == 1 and (under or kind == "B")


def _stretches(pieces: Pieces, stage: Stage, device: int, slots: list[Slot], least: float) -> None:
    """Stretches that have one kind of work, or several in turns; gaps shorter than half of `least` take part."""
    for run in _runs(slots, least):
        found: list[Item] = []
        for _, group in groupby(range(len(run)), key=partial(_around, run)):
            stretch = _joined([run[at] for at in group])
            short = found and min(found[-1].end - found[-1].start, stretch.end - stretch.start) < least
            found[-1:] = [_joined([found[-1], stretch])] if short else [*found[-1:], stretch]
        for start, end, lengths in found:
            _share(pieces, stage, device, start, end, lengths)


class Item(NamedTuple):
    """A stretch of time, and how long each kind of work takes of it."""

    start: float
    end: float
    lengths: dict[str, float]


def _joined(items: list[Item]) -> Item:
    kinds = {kind for item in items for kind in item.lengths}
    return Item(
        items[0].start, items[-1].end, {kind: sum(item.lengths.get(kind, 0.0) for item in items) for kind in kinds}
    )


def _around(run: list[Item], at: int) -> frozenset[str]:
    """What is done in a turn and in its neighbours."""
    return frozenset(kind for near in run[max(0, at - 1) : at + 2] for kind in near.lengths)


def _runs(slots: list[Slot], least: float) -> Iterator[list[Item]]:
    """Turns that follow one another, with the short gaps between them."""
    items = [Item(slots[0].start, slots[0].end, _lengths(slots[:1]))]
    for before, slot in pairwise(slots):
        gap = slot.start - before.end
        if 2 * gap >= least:
            yield items
            items = []
        elif gap:
            items.append(Item(before.end, slot.start, {IDLE: gap}))
        items.append(Item(slot.start, slot.end, _lengths([slot])))
    yield items


def _lengths(slots: list[Slot]) -> dict[str, float]:
    """How long each kind of work is."""
    return {task.kind: task.length for slot in slots for task in slot.turn}


def _share(pieces: Pieces, stage: Stage, device: int, start: float, end: float, kinds: dict[str, float]) -> None:
    """A stretch's box, shared from top to bottom by the kinds of its work as they share its time; the rest is idle."""
    box, y = _box(stage, device, start, end), stage.row(device).y
    for kind in ("F", "B", "W"):
        part = kinds.get(kind, 0.0) / sum(kinds.values()) * box.height
        if part:
            pieces.setdefault(kind, []).append(Box(box.x, y, box.width, part))
            y += part


def _box(stage: Stage, device: int, start: float, end: float) -> Box:
    row, left = stage.row(device), round(stage.x(start))  # whole units: thousands of places are told shorter
    return Box(left, row.y, round(stage.x(end)) - left, row.height)
