"""What is said of each step."""

from __future__ import annotations

import numpy as np

from loom.draw import count

from .model import BANKS, COLUMN, LANES, PADDED, PASS_BYTES, ROW, SIDE, WORD, footprint
from .moments import ASK, OTHERS, PASS, QUEUE, TILE, State
from .words import busiest, extra, span

FLIPS = "c XOR r, which flips the bits of c where r has a 1"
ALIGNMENT = f"A padded one cannot be read so: its rows of {PADDED * WORD} bytes do not start at multiples of"


def say(state: State) -> str:
    """One to three sentences for the step, with its numbers."""
    return {TILE: say_tile, ASK: say_ask, QUEUE: say_queue, PASS: say_pass, OTHERS: say_others}[state.phase](state)


def say_tile(state: State) -> str:
    banks = f"Shared memory is {BANKS} banks side by side, each one word of {WORD} bytes wide."
    if state.layout == "plain":
        return (
            f"{banks} A plain tile of {SIDE} × {SIDE} words puts its word n in bank n mod {BANKS}: "
            "a row lies across all banks, a column in a single one."
        )
    if state.layout == "padded":
        return (
            f"{banks} A padded tile leaves a word unused after each row (hatched), so rows start {PADDED} words apart, "
            f"each one bank further. It takes {footprint('padded'):,} words, not {footprint('plain'):,}: "
            f"{extra():.1f}% more."
        )
    if state.piece == 1:
        return (
            f"{banks} A swizzled tile keeps each word in its row r, but puts column c at place {FLIPS}. "
            f"It takes {footprint('swizzled'):,} words, as a plain one does."
        )
    pieces = SIDE // state.piece
    return (
        f"{banks} A swizzled tile keeps {state.piece * WORD} bytes together, and puts piece k of row r at place "
        f"k XOR (r mod {pieces}): XOR flips the bits of k where the other number has a 1."
    )


def say_ask(state: State) -> str:
    read, piece = state.request, state.piece
    who, asks = "Lane i asks", f"word {state.stride}·i of the tile".replace(" 1·", " ")
    if state.access == "row":
        asks = f"the word in column i of row {ROW}"
        if piece > 1:
            asks = f"{piece} words, from word {piece}·i on, counted from the start of row {ROW}"
    elif state.access == "column":
        asks = f"the word in row i of column {COLUMN}"
        if piece > 1:
            asks = f"{piece} words of row i, columns {span(COLUMN // piece * piece, piece)}"
    elif state.access == "broadcast":
        who, asks = "Every lane asks", f"the same word, row {ROW} and column {COLUMN}"
    return (
        f"A warp is {LANES} threads that execute together; the number of a thread within it is its lane. "
        f"{who} for {asks}: {count(read.distinct, 'word')} in {count(read.banks_used, 'bank')}."
    )


def say_queue(state: State) -> str:
    read = state.request
    banks, degree = busiest(read)
    takes = f"the degree of conflict, d, is {degree}, and the read takes {count(read.passes, 'pass', 'passes')}."
    if read.groups > 1:
        each = "no bank is asked for a second word" if degree == 1 else f"a bank is asked for {degree} different words"
        return (
            f"In one pass {BANKS} banks hand over a word each, {PASS_BYTES} bytes; {read.handed} are wanted. So lanes "
            f"are served in {read.groups} groups of {LANES // read.groups}, and in each {each}: {takes}"
        )
    if state.access == "broadcast":
        return (
            "In one pass a bank hands over one word, to every lane that asks for it. "
            f"All {LANES} ask for the same one, so nothing waits: {takes}"
        )
    if degree == 1:
        return f"In one pass a bank hands over one word. No bank is asked for a second one, so nothing waits: {takes}"
    which = f"Bank {banks[0]} is" if len(banks) == 1 else f"{len(banks)} banks are each"
    return f"In one pass a bank hands over one word. {which} asked for {degree} different words, which queue: {takes}"


def say_pass(state: State) -> str:
    if state.is_last:
        return say_last(state)
    now = np.flatnonzero(state.arrivals == state.at)
    words = "word" if state.piece == 1 else "words"
    who = f"lane {now[0]} gets its {words}" if len(now) == 1 else f"{len(now)} lanes get their words"
    busy = len(np.unique(state.request.banks[state.request.passes_of == state.at]))
    idle = f"of {BANKS} banks, {BANKS - busy} idle" if busy < BANKS else "no bank idles"
    lanes = f"{state.served} of {LANES} lanes have been served, {LANES - state.served} wait"
    return f"Pass {state.at}: {who}. {lanes}; {idle}."


def say_last(state: State) -> str:
    read = state.request
    if state.access == "broadcast":
        return (
            f"Pass 1 reads one word, and all {LANES} lanes get it: {read.handed} bytes leave the bank, "
            f"{LANES * WORD} bytes arrive."
        )
    if read.passes == 1:
        return f"Pass 1 serves all {LANES} lanes at once: {read.handed} bytes, all that {BANKS} banks can hand over."
    each = read.handed / read.passes
    most = "all that the banks can hand over" if each == PASS_BYTES else f"where the banks could hand over {PASS_BYTES}"
    return (
        f"Pass {read.passes} serves the last of the lanes. {read.handed} bytes took {read.passes} passes, "
        f"{each:.3g} bytes a pass, {most}."
    )


def say_others(state: State) -> str:
    """The same read of the other layouts."""
    rivals, own, best = state.rivals, state.layout, state.best
    takes = {name: count(rival.passes, "pass", "passes") for name, rival in rivals.items()}
    bytes_each = state.piece * WORD
    unaligned = "" if "padded" in rivals else f" {ALIGNMENT} {bytes_each} bytes."
    if len(set(takes.values())) == 1:
        tiles = "All three layouts serve" if not unaligned else "Plain and swizzled tiles both serve"
        return f"{tiles} this read in {takes[own]}.{unaligned}"
    if best == own:
        first, *rest = (f"{takes[name]} in a {name} {'one' if name != 'plain' else 'tile'}" for name in rivals)
        return f"The same read takes {', '.join([first, *rest[:-1]])} and {rest[-1]}.{unaligned}"
    if best == "padded":
        return (
            f"Pad each row by one unused word ({extra():.1f}% more memory) and it starts one bank further: this read "
            f"takes {takes['padded']}. A swizzled tile has column c of row r at place {FLIPS}; "
            f"it takes {takes['swizzled']} and no more memory."
        )
    if best == "swizzled":
        return (
            f"A swizzled tile has the {bytes_each}-byte piece k of row r at place k XOR "
            f"(r mod {SIDE // state.piece}), and this read takes {takes['swizzled']}.{unaligned}"
        )
    return f"A plain tile takes {takes['plain']} for this read: what untangles a column can tangle another stride."
