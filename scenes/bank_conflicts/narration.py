"""The steps of one read: the tile, the request, the queues, some of the passes, and the other layouts."""

from __future__ import annotations

import numpy as np

from loom.draw import count, listed, number, percent
from loom.scene import Moment, Phase

from .model import BANKS, COLUMN, LANES, PADDED, PASS_BYTES, ROW, SIDE, WORD, Read, Request, footprint

FLIPS = "c XOR r, which flips the bits of c where r has a 1"
ALIGNMENT = f"A padded one cannot be read so: its rows of {PADDED * WORD} bytes do not start at multiples of"
EXTRA = percent(100 * (footprint("padded") / footprint("plain") - 1), 2)  # what padding adds to the memory


def span(first: int, number: int) -> str:
    """Numbers in a row: 4 and 5, 4 to 7."""
    return f"{first} {'and' if number == 2 else 'to'} {first + number - 1}"


def passes_shown(result: Read) -> list[int]:
    """Of many passes the first, second, fourth and so on, and the last."""
    passes = result.request.passes
    return sorted({*(2**power for power in range(6) if 2**power <= passes), passes})


def say_tile(moment: Moment) -> str:
    layout, piece = moment.result.layout, moment.result.piece
    banks = f"Shared memory is {BANKS} banks side by side, each one word of {WORD} bytes wide."
    if layout == "plain":
        return (
            f"{banks} A plain tile of {SIDE} × {SIDE} words puts its word n in bank n mod {BANKS}: "
            "a row lies across all banks, a column in a single one."
        )
    if layout == "padded":
        return (
            f"{banks} A padded tile leaves a word unused after each row (hatched), so rows start {PADDED} words apart, "
            f"each one bank further. It takes {footprint('padded'):,} words, not {footprint('plain'):,}: {EXTRA} more."
        )
    if piece == 1:
        return (
            f"{banks} A swizzled tile keeps each word in its row r, but puts column c at place {FLIPS}. "
            f"It takes {footprint('swizzled'):,} words, as a plain one does."
        )
    return (
        f"{banks} A swizzled tile keeps {piece * WORD} bytes together, and puts piece k of row r at place "
        f"k XOR (r mod {SIDE // piece}): XOR flips the bits of k where the other number has a 1."
    )


def say_ask(moment: Moment) -> str:
    result, piece = moment.result, moment.result.piece
    asks = {
        "row": f"Lane i asks for the word in column i of row {ROW}",
        "column": f"Lane i asks for the word in row i of column {COLUMN}",
        "stride": f"Lane i asks for word {result.stride}·i of the tile".replace(" 1·", " "),
        "broadcast": f"Every lane asks for the same word, row {ROW} and column {COLUMN}",
    }[result.access]
    if piece > 1 and result.access == "row":
        asks = f"Lane i asks for {piece} words, from word {piece}·i on, counted from the start of row {ROW}"
    elif piece > 1:
        asks = f"Lane i asks for {piece} words of row i, columns {span(COLUMN, piece)}"
    return (
        f"A warp is {LANES} threads that execute together; the number of a thread within it is its lane. "
        f"{asks}: {count(result.request.distinct, 'word')} in {count(result.request.banks_used, 'bank')}."
    )


def say_queue(moment: Moment) -> str:
    read = moment.result.request
    degree, banks = read.degree, read.busiest
    takes = f"the degree of conflict, d, is {degree}, and the read takes {count(read.passes, 'pass', 'passes')}."
    if read.groups > 1:
        each = "no bank is asked for a second word" if degree == 1 else f"a bank is asked for {degree} different words"
        return (
            f"In one pass {BANKS} banks hand over a word each, {PASS_BYTES} bytes; {read.handed} are wanted. So lanes "
            f"are served in {read.groups} groups of {LANES // read.groups}, and in each {each}: {takes}"
        )
    if moment.result.access == "broadcast":
        return (
            "In one pass a bank hands over one word, to every lane that asks for it. "
            f"All {LANES} ask for the same one, so nothing waits: {takes}"
        )
    if degree == 1:
        return f"In one pass a bank hands over one word. No bank is asked for a second one, so nothing waits: {takes}"
    which = f"Bank {banks[0]} is" if len(banks) == 1 else f"{len(banks)} banks are each"
    return f"In one pass a bank hands over one word. {which} asked for {degree} different words, which queue: {takes}"


def say_pass(moment: Moment) -> str:
    at, read, words = moment.at, moment.result.request, "word" if moment.result.piece == 1 else "words"
    if at == read.passes:
        return say_last(read, moment.result.access)
    now = [lane for lane, turn in enumerate(read.served_in) if turn == at]
    who = f"lane {now[0]} gets its {words}" if len(now) == 1 else f"{len(now)} lanes get their words"
    busy, served = len(np.unique(read.words[read.passes_of == at] % BANKS)), read.served_by(at)
    idle = f"of {BANKS} banks, {BANKS - busy} idle" if busy < BANKS else "no bank idles"
    return f"Pass {at}: {who}. {served} of {LANES} lanes have been served, {LANES - served} wait; {idle}."


def say_last(read: Request, access: str) -> str:
    if access == "broadcast":
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
        f"{number(each)} bytes a pass, {most}."
    )


def say_others(moment: Moment) -> str:
    """The same read of the other layouts."""
    result, best, piece = moment.result, moment.result.best, moment.result.piece
    takes = {name: count(rival.passes, "pass", "passes") for name, rival in result.rivals.items()}
    unaligned = "" if "padded" in takes else f" {ALIGNMENT} {piece * WORD} bytes."
    if len(set(takes.values())) == 1:
        tiles = "All three layouts serve" if not unaligned else "Plain and swizzled tiles both serve"
        return f"{tiles} this read in {takes[best]}.{unaligned}"
    if best == result.layout:
        each = [f"{words} in a {name} {'one' if name != 'plain' else 'tile'}" for name, words in takes.items()]
        return f"The same read takes {listed(each)}.{unaligned}"
    if best == "padded":
        return (
            f"Pad each row by one unused word ({EXTRA} more memory) and it starts one bank further: this read "
            f"takes {takes['padded']}. A swizzled tile has column c of row r at place {FLIPS}; "
            f"it takes {takes['swizzled']} and no more memory."
        )
    if best == "swizzled":
        return (
            f"A swizzled tile has the {piece * WORD}-byte piece k of row r at place k XOR "
            f"(r mod {SIDE // piece}), and this read takes {takes['swizzled']}.{unaligned}"
        )
    return f"A plain tile takes {takes['plain']} for this read: what untangles a column can tangle another stride."


PHASES = (
    Phase("tile", say_tile),
    Phase("ask", say_ask),
    Phase("queue", say_queue),
    Phase("pass", say_pass, passes_shown),
    Phase("others", say_others),
)
