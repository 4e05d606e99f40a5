"""The blocks of a split run: cut from the strip of the unsplit one, spread over the SMs, and slowed by memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from loom.draw import Box, Mark, Pen, memoized, tidy

from .model import BANDWIDTH, ONE_SM, SMS, Case

CUT, SPREAD, SHARED = range(3)  # what has happened to the pieces


class Piece(NamedTuple):
    """Blocks of one part that run side by side: a part that fills the last SMs of a wave goes on in the next."""

    part: int
    skipped: int  # blocks of the part before it
    wave: int
    lane: int
    lanes: int


def pieces(case: Case) -> Iterator[Piece]:
    """All blocks, part after part, each on the next SM."""
    for part in range(case.splits):
        first, end = part * case.alone, (part + 1) * case.alone
        while first < end:
            wave, lane = divmod(first, SMS)
            lanes = min(end - first, SMS - lane)
            yield Piece(part, first - part * case.alone, wave, lane, lanes)
            first += lanes


def is_shared(case: Case) -> bool:
    """Whether so many SMs read at once that memory can't give each what it asks for."""
    return case.waves[0] * ONE_SM > BANDWIDTH


def own_time(case: Case) -> float:
    """What a block takes at the rate of an SM by itself [s]."""
    return case.bytes / case.blocks / ONE_SM


def ends_at(case: Case, how: int) -> float:
    """When the last block ends [s]; of `SPREAD`, if memory kept up."""
    if how == CUT:
        return case.unsplit.reading
    return own_time(case) * len(case.waves) if how == SPREAD else case.reading


def place(box: Box, case: Case, piece: Piece, unit: float, how: int) -> Box:
    """Where a piece is, with time from left to right and SMs from top to bottom."""
    lane = box.height / SMS
    if how == CUT:
        wide = case.unsplit.reading * unit / case.splits
        return Box(box.x + piece.part * wide, box.y + piece.skipped * lane, wide, piece.lanes * lane)
    times = case.times if how == SHARED else [own_time(case)] * len(case.waves)
    start = list(accumulate(times, initial=0.0))[piece.wave]
    return Box(box.x + start * unit, box.y + piece.lane * lane, times[piece.wave] * unit, piece.lanes * lane)


def gap(length: float) -> float:
    """Between two pieces of a length: thin ones have hardly any."""
    return min(1.0, length / 4)


@memoized
def draw_pieces(pen: Pen, box: Box, case: Case, unit: float, how: int) -> Iterator[Mark]:
    for piece in pieces(case):
        x, y, wide, tall = place(box, case, piece, unit, how)
        key = f"piece-{piece.part}{'-more' if piece.skipped else ''}"
        drawn = Box(tidy(x), tidy(y), tidy(wide - gap(wide)), tidy(tall - gap(tall)))
        yield pen.rect(key, drawn, "work", round=0)


def rate_words(case: Case) -> list[str]:
    """What the SMs of a full wave get of the memory."""
    running = case.waves[0]
    if is_shared(case):
        return [f"{running} SMs at once get", f"{BANDWIDTH / running / 1e9:.0f} of their {ONE_SM / 1e9:.0f} GB/s each"]
    return [f"{running} SMs at once get", f"their full {ONE_SM / 1e9:.0f} GB/s each"]
