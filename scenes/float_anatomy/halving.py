"""The first chapter in time: from bit to bit, the exponent halves the line of all powers of two."""

from __future__ import annotations

from typing import NamedTuple

from loom.scene import Moment

from .model import Spelled

START, EACH = 0.25, 0.45  # [s] until the exponent is read, and for each of its bits


class Halved(NamedTuple):
    """One picture of the exponent being read."""

    bits: int  # so many have been read
    field: int  # what they are worth, those that follow being 0
    first: int  # the places that are left on the line, with the bit that is on its way: the first of them …
    many: int  # … and how many


def halving(moment: Moment) -> tuple[float, ...]:
    """When the sign is read, when the reading sets out for each bit of the exponent, and when it is over."""
    one: Spelled = moment.result
    return (0.0, *(START + EACH * bit for bit in range(one.fmt.exponent_bits + 1)))


def is_open(moment: Moment) -> bool:
    """Whether bits of the exponent are still to be read."""
    return moment.phase == "exponent" and moment.progress < 1


def halved(moment: Moment) -> Halved:
    """What the picture of a moment has."""
    one: Spelled = moment.result
    whole, field = one.fmt.exponent_bits, one.fields[1]
    bound = moment.beat if is_open(moment) else whole
    landed = max(0, bound - 1) if is_open(moment) else whole
    left, many = 1 << whole - landed, 1 << whole - bound
    return Halved(landed, field // left * left, field // many * many, many)
