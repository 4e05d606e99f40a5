"""What has happened at a beat: products made, activations under way, digits, bytes and sizes that have come."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .case import COLUMNS, DENSE, ROWS

LEAD = 0.25  # how long the picture before anything sets out stands [s]
DOWN, DIGITS, SUM, BYTE = 1, 2, 3, 4  # beats of packing: weights go down, get 1 more; the first group's sum and byte
EACH = 2  # beats of a group
SIZE = 6  # and the beat before sizes come, one after the other


def weights_beats(_: Moment) -> tuple[float, ...]:
    """A product of the picked row after the other, then row after row."""
    turns = COLUMNS + ROWS - 1
    return evenly(turns, 0.28 * turns, lead=LEAD)


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
    return landed(moment) if moment.phase == "product" else min(multiplied(moment), COLUMNS)


def there(moment: Moment, beat: int) -> bool:
    """Whether packing has come to this beat."""
    return moment.phase == "packed" and moment.beat >= beat
