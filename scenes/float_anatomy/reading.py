"""What has been read of the bits by now, and which of them are being read."""

from __future__ import annotations

from loom.scene import Moment

from .halving import halved, is_open
from .model import Spelled

START, ADDED = 0.25, 0.6  # [s] until the mantissa is read, and for each of its ones
MOST = 6  # ones that are added one by one
Worth = tuple[int | None, ...]  # of sign, exponent and mantissa


def reading(moment: Moment) -> tuple[float, ...]:
    """When the first part of the mantissa sets out, when each of the next does, and when the last has landed."""
    parts = len(_sums(moment.result)) - 1
    return (0.0, *(START + ADDED * part for part in range(parts + 1))) if parts else (0.0,)


def read_so_far(moment: Moment) -> tuple[float, float]:
    """1.m with those ones of the mantissa that have been added, and with the one that is on its way."""
    one: Spelled = moment.result
    if moment.phase != "mantissa" or moment.progress == 1:
        return one.significand, one.significand
    sums = _sums(one)
    return sums[max(0, moment.beat - 1)], sums[moment.beat]


def _sums(one: Spelled) -> list[float]:
    """1.m with none, one, two … of the ones of the mantissa, and at last with all of them; 0.m of a subnormal."""
    if one.reserved:
        return [one.significand]
    bits, kept = one.fmt.mantissa_bits, [0.0]
    for bit in range(bits - 1, -1, -1):
        if one.fields[2] >> bit & 1:
            kept.append(kept[-1] + 2.0 ** (bit - bits))
    hidden = one.significand - kept[-1]
    return [hidden + added for added in (kept if len(kept) <= MOST else [*kept[:MOST], kept[-1]])]


def worth(moment: Moment) -> Worth:
    """What of each field has been read: nothing yet, or what its bits are worth so far."""
    one, seen = moment.result, halved(moment)
    exponent = seen.field if seen.bits else None
    if not moment.since("mantissa"):
        return None, exponent, None
    if moment.phase != "mantissa" or moment.progress == 1:
        return None, exponent, one.fields[2]
    return None, exponent, round(read_so_far(moment)[0] % 1 * 2**one.fmt.mantissa_bits) if moment.beat > 1 else None


def being_read(moment: Moment) -> tuple[int, int, int] | None:
    """Which bits are being read: their field, the first and the last of them; none at the end of a chapter."""
    one: Spelled = moment.result
    if is_open(moment):
        return (1, moment.beat - 1, moment.beat - 1) if moment.beat else (0, 0, 0)
    if moment.phase != "mantissa" or moment.progress == 1:
        return None
    bits, field = one.fmt.mantissa_bits, one.fields[2]
    ones = [bit for bit in range(bits) if field >> bits - 1 - bit & 1]
    part = max(0, moment.beat - 1)
    last = ones[part] if part < moment.beats - 3 else ones[-1]  # the last part may be of many bits
    return 2, ones[part], last
