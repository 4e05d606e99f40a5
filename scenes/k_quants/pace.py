"""What has happened at a beat: blocks cut off, levels laid, scales found, errors fallen, bytes put down."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .case import Case
from .kinds import PARTS, Kind

LEAD = 0.25  # how long the picture before anything sets out stands [s]
TURN = 0.45  # as long as a mark is under way, and a little more [s]
FALL = 0.7  # and how long before what fell is summed [s]
TURNS = 4  # in which all is cut, and in which all blocks have their scales
UNKNOWN, TOGETHER, LAID = range(3)  # levels: not there, all where they start, each in its place


def split_beats(_: Moment) -> tuple[float, ...]:
    """The cut is on its way from beat to beat; then the last block is off."""
    return evenly(TURNS, 2.0, lead=LEAD, landed=True)


def ideal_beats(moment: Moment) -> tuple[float, ...]:
    """The levels begin at the minimum, if there is one, and go apart; then the other blocks get what they need."""
    steps = _levels_in(moment.result)
    start = LEAD + 0.65 * steps
    return (
        0.0,
        *(LEAD + 0.65 * step for step in range(steps)),
        *(round(start + 0.4 * at, 2) for at in range(TURNS)),
    )


def decoded_beats(_: Moment) -> tuple[float, ...]:
    """The errors fall from their weights; then they are summed."""
    return evenly(2, 2 * FALL, lead=LEAD)


def bytes_beats(moment: Moment) -> tuple[float, ...]:
    """Part after part comes to the bytes; then a line from the code of the weight to its own."""
    turns = len(parts_of(moment.result.kind)) + 3
    return evenly(turns, TURN * turns, lead=LEAD)


def parts_of(kind: Kind) -> list[str]:
    """What bytes are spent on."""
    return [part for part in PARTS if kind.spent(part)]


def cut_off(moment: Moment, ahead: int = 0) -> int:
    """How many blocks are cut off; `ahead` of 1: those that are when the cut gets to where it is on its way to."""
    blocks: int = moment.result.kind.blocks
    if moment.phase != "split":
        return blocks
    return min(max(moment.beat - 1 + ahead, 0), TURNS) * blocks // TURNS


def levels_of(moment: Moment) -> int:
    """How far the levels of the blocks seen from near are."""
    if moment.phase != "ideal" or moment.beat >= _levels_in(moment.result):
        return LAID
    return UNKNOWN if moment.beat < _levels_in(moment.result) - 1 else TOGETHER


def found(moment: Moment) -> tuple[int, ...]:
    """The blocks that have their scale: at first those seen from near."""
    case: Case = moment.result
    if levels_of(moment) < LAID:
        return ()
    near, blocks = [sub.index for sub in case.shown], case.kind.blocks
    turns = moment.beat - _levels_in(case) if moment.phase == "ideal" else TURNS
    return (*near, *[at for at in range(blocks) if at not in near])[: max(len(near), turns * blocks // TURNS)]


def with_minimum(moment: Moment) -> tuple[int, ...]:
    """The blocks that have their minimum, if there is one: those seen from near before they have a scale."""
    near = tuple(sub.index for sub in moment.result.shown)
    return near if levels_of(moment) == TOGETHER else found(moment)


def fallen(moment: Moment) -> bool:
    """Whether the errors have left their weights."""
    return moment.beat > 0


def moved(moment: Moment) -> int:
    """How many parts have set out for the bytes."""
    return min(moment.beat, len(parts_of(moment.result.kind)))


def landed(moment: Moment) -> int:
    """How many parts have come to them."""
    return min(max(moment.beat - 1, 0), len(parts_of(moment.result.kind)))


def spotted(moment: Moment) -> int:
    """Where the line from the code is: 0 not there, 1 under it, 2 at the bytes that hold it, 3 told."""
    return max(moment.beat - len(parts_of(moment.result.kind)), 0)


def _levels_in(case: Case) -> int:
    """The number of beats in which the levels come to their places."""
    return 2 if case.kind.min_bits else 1
