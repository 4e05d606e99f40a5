"""What has happened at a beat: products made, activations under way, digits, bytes and sizes that have come."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .case import COLUMNS, DENSE, ROWS

LEAD = 0.25  # how long the picture before anything sets out stands [s]
DOWN, DIGITS, SUM, BYTE = 1, 2, 3, 4  # beats of packing: weights go down, get 1 more; the first group's sum and byte
EACH = 2  # beats of a group
SIZE = 6  # and the beat before sizes come, one after the other
AT_ONCE = 2  # rows that go into the mean in a beat
KNOWN, SORTED = ROWS // AT_ONCE, ROWS // AT_ONCE + 1  # beats of γ in which it is known, and what becomes 0 is seen
ONES, MILLION, ERROR = 1, 2, 3  # beats of rounding, behind that of the zeros
OUTPUT, EXACT, OTHERS, ERRORS = 1, 2, 3, 4  # beats of scaling, behind that of the walk


def weights_beats(_: Moment) -> tuple[float, ...]:
    """A product of the picked row after the other, then row after row."""
    turns = COLUMNS + ROWS - 1
    return evenly(turns, 0.28 * turns, lead=LEAD)


def gamma_beats(_: Moment) -> tuple[float, ...]:
    """The mean of ever more rows; then what lies between its halves."""
    return (*evenly(KNOWN, 0.45 * KNOWN, landed=True), 0.45 * KNOWN + 0.65)


def rounded_beats(_: Moment) -> tuple[float, ...]:
    """Small weights shrink, the others come to 1; then a million of them."""
    return evenly(ERROR + 1, 0.6 * (ERROR + 1))


def scaled_beats(_: Moment) -> tuple[float, ...]:
    """The walk is scaled, and is an output beside the exact one; then the other rows."""
    return evenly(ERRORS + 1, 0.6 * (ERRORS + 1))


def product_beats(_: Moment) -> tuple[float, ...]:
    return evenly(COLUMNS + 1, 4.4)  # the last has to land, too


def packed_beats(_: Moment) -> tuple[float, ...]:
    """Weights become digits, digits numbers and bytes, and the bar of their bits as short as it gets."""
    turns = SIZE + 4
    return evenly(turns, 0.45 * turns, lead=LEAD)


def multiplied(moment: Moment) -> int:
    """How many products of a weight and an activation have been made."""
    if moment.phase != "weights":
        return DENSE
    return moment.beat if moment.beat <= COLUMNS else COLUMNS * (moment.beat - COLUMNS + 1)


def gone(moment: Moment) -> int:
    """How many activations have left their columns for the sums."""
    return min(moment.beat + 1, COLUMNS) if moment.phase == "product" else 0


def landed(moment: Moment) -> int:
    """How many of them have come to their sums: until then, nothing counts the one that is on its way."""
    return moment.beat if moment.phase == "product" else 0


def barred(moment: Moment) -> int:
    """How many columns have their bar."""
    if moment.phase == "gamma" and moment.beat < KNOWN:  # they stand in units of γ
        return 0
    return landed(moment) if moment.phase == "product" else min(multiplied(moment), COLUMNS)


def averaged(moment: Moment) -> int:
    """How many rows have gone into the mean."""
    return min(AT_ONCE * moment.beat, ROWS) if moment.phase == "gamma" else ROWS


def sorted_out(moment: Moment) -> bool:
    """Whether small weights are told from the others."""
    return moment.phase != "gamma" or moment.beat >= SORTED


def rounded(moment: Moment, sign: int, late: int = 0) -> bool:
    """Whether weights that become 0, or 1 and −1, have set out to do so; by `late` beats, they have come."""
    if moment.phase == "rounded":
        return moment.beat >= ONES * (sign != 0) + late
    return moment.since("rounded")


def has_come(moment: Moment, phase: str, beat: int) -> bool:
    """Whether the story has come to a beat of a phase, or is past it."""
    return moment.since(phase) and (moment.phase != phase or moment.beat >= beat)


def there(moment: Moment, beat: int) -> bool:
    """Whether packing has come to this beat."""
    return moment.phase == "packed" and moment.beat >= beat
