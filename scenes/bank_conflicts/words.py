"""Numbers in words, and what stands under the memory and the bars."""

from __future__ import annotations

import numpy as np

from loom.draw import count

from .model import BANKS, COLUMN, LANES, ROW, Request, footprint, load_latency
from .moments import ASK, OTHERS, TILE, State


def span(first: int, number: int) -> str:
    """Numbers in a row: 4 and 5, 4 to 7."""
    return f"{first} {'and' if number == 2 else 'to'} {first + number - 1}"


def extra() -> float:
    """What padding adds to the memory [%]."""
    return 100 * (footprint("padded") / footprint("plain") - 1)


def busiest(read: Request) -> tuple[list[int], int]:
    """The banks that most words are asked from in any group, and how many those are."""
    most = set()
    for lanes in np.array_split(np.arange(LANES), read.groups):
        words = np.unique(read.words[lanes])
        each = np.bincount(words % BANKS, minlength=BANKS)
        most |= set(np.flatnonzero(each == read.degree).tolist())
    return sorted(most), read.degree


def memory_words(state: State, read: Request) -> tuple[str, str]:
    """What stands under the memory, and its role."""
    if state.phase == TILE:
        return f"{read_words(state)} in {count(read.banks_used, 'bank')}", "label"
    banks, degree = busiest(read)
    if degree == 1:
        words = "no bank is asked for a second word"
    elif len(banks) == 1:
        words = f"bank {banks[0]} is asked for {degree} words"
    else:
        words = f"{len(banks)} banks are asked for {degree} words each"
    if read.groups > 1 and state.phase != OTHERS:
        words += f", {LANES // read.groups} lanes at a time"
    if state.phase == OTHERS and state.shown != state.layout:
        words = f"stored {state.shown}: {words}"
    if state.phase == OTHERS:
        return words, "kept strong"
    return words, "label" if state.phase == ASK else "dropped strong" if degree > 1 else "kept strong"


def read_words(state: State) -> str:
    """What will be read, and its verb."""
    if state.access == "column" and state.piece > 1:
        first = COLUMN // state.piece * state.piece
        return f"columns {span(first, state.piece)}, to be read, lie"
    if state.access == "row" and state.piece > 1:
        return f"rows {span(ROW, state.piece)}, to be read, lie"
    if state.access in ("row", "column"):
        return f"{state.access} {ROW if state.access == 'row' else COLUMN}, to be read, lies"
    return "the words to be read lie" if state.access == "stride" else "the word to be read lies"


def foot_lines(state: State, narrow: bool) -> list[str]:
    """Two short lines under the layouts: the time of one load, or the groups that wide accesses are served in."""
    read = state.request
    if read.groups > 1:
        return [
            f"{read.groups} groups of {LANES // read.groups} lanes, one by one:",
            f"{read.groups} × d = {read.groups} × {read.degree} = {read.passes} passes",
        ]
    first = f"one load alone on an A100: {load_latency(read.degree)} cycles,"
    if narrow:
        return [first, f"{load_latency(1)}, plus {further()} for each further pass, measured up to 8"]
    return [first, f"{load_latency(1)}, plus {further()} for each further pass", "(measured up to 8 passes)"]


def further() -> int:
    """Cycles that one more pass adds."""
    return load_latency(2) - load_latency(1)
