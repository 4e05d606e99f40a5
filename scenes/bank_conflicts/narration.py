"""The steps of one read: what is asked for, the passes, what they cost, and the layouts that cure them."""

from __future__ import annotations

from loom.draw import count, number, percent
from loom.scene import Moment, Phase, evenly

from .asking import asking_beats
from .clock import running, say_clock
from .cure import cures, trial_beats
from .model import BANKS, LANES, PADDED, PASS_BYTES, ROW, SIDE, WORD, Read, footprint

ALIGNMENT = f"A padded one cannot: its rows of {PADDED * WORD} bytes do not start at multiples of"
EXTRA = percent(100 * (footprint("padded") / footprint("plain") - 1), 2)  # what padding adds to the memory


def span(first: int, number: int) -> str:
    """Numbers in a row: 4 and 5, 4 to 7."""
    return f"{first} {'and' if number == 2 else 'to'} {first + number - 1}"


def say_layout(result: Read) -> str:
    """Where words lie, if not one after the other."""
    if result.layout == "padded":
        return f"Rows start {PADDED} words apart (padding is hatched). "
    if result.layout == "swizzled" and result.piece == 1:
        return "Column c of row r lies at place c XOR r. "
    if result.layout == "swizzled":
        return f"Piece k of row r lies at k XOR (r mod {SIDE // result.piece}). "
    return ""


def say_asked(result: Read) -> str:
    piece = result.piece
    if piece > 1 and result.access == "row":
        return f"Lane i reads {piece} words, from word {piece}·i of row {ROW}"
    if piece > 1:
        return f"Lane i reads columns {span(result.column, piece)} of row i"
    return {
        "row": f"Lane i reads column i of row {ROW}",
        "column": f"Lane i reads row i of column {result.column}",
        "stride": f"Lane i reads word {result.stride}·i".replace(" 1·", " "),
        "broadcast": "All lanes read the same word",
    }[result.access]


def say_ask(moment: Moment) -> str:
    result, read = moment.result, moment.result.request
    takes, banks = count(read.passes, "pass", "passes"), read.busiest
    start = f"{say_layout(result)}{say_asked(result)}"
    if read.groups > 1:
        each = "no bank is asked twice" if read.degree == 1 else f"a bank is asked for {read.degree} words"
        return f"{start}. In each of {read.groups} groups {each}: {takes}."
    if read.degree == 1:
        return f"{start}. No bank is asked for a second word: {takes}."
    if len(banks) == 1:
        return f"{start}. Bank {banks[0]} is asked for {read.degree} words, one a pass: {takes}."
    return f"{start}. {len(banks)} banks are asked for {read.degree} words each, one a pass: {takes}."


def say_pass(moment: Moment) -> str:
    read = moment.result.request
    if moment.result.access == "broadcast":
        return f"One word is read, and all {LANES} lanes get it: {read.handed} bytes leave the bank."
    if read.passes == 1:
        return f"One pass serves all {LANES} lanes: {read.handed} bytes, all that {BANKS} banks can hand over."
    return (
        f"{read.handed} bytes took {read.passes} passes, {number(read.handed / read.passes)} bytes a pass; "
        f"the banks can hand over {PASS_BYTES}."
    )


def say_others(moment: Moment) -> str:
    """The same read of the other layouts."""
    result, best, piece = moment.result, moment.result.best, moment.result.piece
    takes = {name: count(rival.passes, "pass", "passes") for name, rival in result.rivals.items()}
    unaligned = "" if "padded" in takes else f" {ALIGNMENT} {piece * WORD}."
    if len(set(takes.values())) == 1:
        return (
            f"Plain, padded or swizzled: {takes[best]}."
            if not unaligned
            else f"{'Plain' if result.layout == 'swizzled' else 'Swizzled'}, too: {takes[best]}.{unaligned}"
        )
    if best == result.layout:
        return f"A plain tile takes {takes['plain']}.{unaligned}" if best != "plain" else _worse(takes)
    if best == "padded":
        if len(cures(result)) > 1:
            return (
                f"A swizzle puts column c of row r at c XOR r: {takes['swizzled']}. A word more in each row "
                f"(hatched, {EXTRA} more memory) moves it one bank on: {takes['padded']}."
            )
        return (
            f"A word more in each row (hatched, {EXTRA} more memory) moves it one bank on: {takes['padded']}. "
            f"A swizzle: {takes['swizzled']}, no more memory."
        )
    if best == "swizzled":
        return f"A swizzled tile takes {takes['swizzled']}.{unaligned}"
    return f"A plain tile takes {takes['plain']}: what untangles a column can tangle another stride."


def _worse(takes: dict[str, str]) -> str:
    """What the other layouts make of a read that a plain one serves best."""
    others = " and ".join(f"{words} {name}" for name, words in takes.items() if name != "plain")
    return f"The same read takes {others}: what untangles a column can tangle another stride."


def passes_beats(moment: Moment) -> tuple[float, ...]:
    """A beat for each pass."""
    passes = moment.result.request.passes
    return evenly(passes, min(6.5, 0.6 * passes))


def narrow(result: Read) -> tuple[int, ...]:
    """Only of loads of one word are the cycles a law."""
    return (0,) if result.piece == 1 else ()


PHASES = (
    Phase("ask", say_ask, beats=asking_beats),
    Phase("pass", say_pass, beats=passes_beats),
    Phase("clock", say_clock, narrow, running),
    Phase("others", say_others, beats=trial_beats),
)
