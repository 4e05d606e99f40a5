"""The story of a code: what is said of each step, computed from it."""

from __future__ import annotations

from collections.abc import Iterable

from loom.draw import count, fixed, listed, power
from loom.scene import Moment, Phase

from .drawing import held
from .fall import falling
from .halving import halving
from .lines import widening
from .model import Spelled
from .nearest import FORMATS, Nearest, special_counts
from .reading import reading
from .words import digits, ends, number, percent, picked


def _exponent(moment: Moment) -> str:
    one: Spelled = moment.result
    fmt, field = one.fmt, one.fields[1]
    read = f"The exponent field is {field:0{fmt.exponent_bits}b}"
    if one.reserved:
        return f"{read}, all ones. {fmt.name} keeps that for infinity and for NaN, which is short for not a number."
    inner, outer = ends(one)
    if not field:
        return (
            f"{read}, which is special: the number is zero or subnormal, that is, "
            f"too close to zero for a power of two of its own. It lies between 0 and {outer}."
        )
    bits = f"{field:0{fmt.exponent_bits}b}"
    read = f"Bit by bit, the exponent halves the powers of two that are left: {bits} is {field}"
    if field == fmt.bias:
        less = "just the bias, so the power is 0, and"
    else:
        less = f"less the bias of {fmt.bias} (room for powers below 1) that is {fixed(one.power, 0)}. So"
    if not one.finite:
        return f"{read}, {less} it would lie from {inner} to {outer}, were it a number."
    return f"{read}, {less} the number lies from {inner} to {outer}."


def _mantissa(moment: Moment) -> str:
    one: Spelled = moment.result
    fmt, field, bits = one.fmt, one.fields[2], one.fmt.mantissa_bits
    ones = f"The mantissa is {field:0{bits}b}"
    if one.reserved:
        given = count(2 ** (bits + 1), "code")
        return f"{ones}. Zero means infinity, anything else NaN: so {fmt.name} gives {given} away."
    whole, adds = number(one.significand, digits(fmt.name) + 1), _fractions(field, bits)
    if one.fields[1]:
        return f"A leading 1 goes without saying, so it is not stored. {ones} and adds {adds}, which makes {whole}."
    if field:
        return f"{ones}. A subnormal has no leading 1, so the mantissa alone counts: {adds} = {whole}."
    return f"{ones}, and a field of zeros has no leading 1 either: nothing is left, and this is zero."


def _fractions(field: int, bits: int) -> str:
    """What the ones of a mantissa add: 1/2 + 1/8; of a long one its first three."""
    places = [depth for depth in range(1, bits + 1) if field >> bits - depth & 1]
    shown = [f"1/{2**depth:,}" if depth <= 10 else power(2, -depth) for depth in places]
    return " + ".join(shown if len(shown) <= 4 else [*shown[:3], "…"]) or "nothing"


def _value(moment: Moment) -> str:
    one: Spelled = moment.result
    most, name = digits(one.fmt.name), one.fmt.name
    value = number(one.value, most)
    if one.reserved and one.kind == "nan":
        codes = count(special_counts(name)["nans"], "such code")
        return f"This code is NaN, not a number: what 0 ÷ 0 gives. {name} has {codes}."
    if one.kind == "nan":
        would = number((-1) ** one.fields[0] * one.significand * 2.0**one.power)
        return (
            f"Read like any other code it would be {would}. {name} keeps it for NaN, not a number; it has no infinity."
        )
    if one.kind == "infinite":
        return f"This code is {value}: what a number becomes that is too large for {name}."
    if one.rounds:
        return _picked(one, value)
    below, above = one.neighbours
    if below is None or above is None:
        return f"{value} is the last value of {name} on this side. The one before it is {number(one.spacing, 3)} away."
    sides = f"{number(below, most)} and {number(above, most)}"
    if one.kind == "zero":
        twin = "−0 equals 0, and yet has a code of its own." if one.negative else "This is zero."
        return f"{twin} The neighbours are {sides}, the smallest subnormals."
    lead = f"{value} lies between {sides}."
    if one.value - below != above - one.value:
        return f"{lead} Below a power of two the values stand twice as close."
    half = number(one.spacing / 2, most)
    return f"{lead} Whatever is nearer to it than to them is rounded to it, and moves by half a gap at most: {half}."


def _picked(one: Spelled, value: str) -> str:
    name, wanted = one.fmt.name, picked(one)
    verdict = one.everywhere[FORMATS.index(name)].verdict
    if verdict == "overflow":
        return (
            f"{wanted} is too large: {value} is the last value of {name}. By the rules of IEEE 754 it becomes infinity."
        )
    if verdict == "zero":
        return f"{wanted} is less than half of the smallest value, {number(one.fmt.smallest, 3)}, so it becomes 0."
    return f"{wanted} is no value of {name}. The nearest one is {value}, {percent(one.error)} off."


def _everywhere(moment: Moment) -> str:
    one: Spelled = moment.result
    wanted = picked(one)
    groups = {kind: [near for near in one.everywhere if near.verdict == kind]
              for kind in ("exact", "rounded", "overflow", "zero")}  # fmt: skip
    exact, off = groups["exact"], groups["rounded"]
    if not one.finite:
        return f"{wanted} has a code in {_names(exact)}. The other formats have nothing of the kind."
    holds = "holds" if len(exact) == 1 else "hold"
    begun = f"{_names(exact)} {holds} {wanted} exactly." if exact else f"No format holds {wanted} exactly."
    parts = [f"{what} {_names(groups[kind])}" for kind, what in
             (("overflow", "is too large for"), ("zero", "becomes 0 in")) if groups[kind]]  # fmt: skip
    if off:
        most = max(near.error or 0 for near in off)
        worst = [near for near in off if near.error == most]
        size, has = "up to " * (len(worst) < len(off)) + percent(most), "has" if len(worst) == 1 else "have"
        parts.append(f"is off by {size}: {_names(worst)} {has} {held(worst[0])}")
    if not parts:
        parts = ["has a code with each sign" if one.kind == "zero" else "needs no more than the shortest mantissa"]
    return f"{begun[0].upper()}{begun[1:]} It {', and '.join(parts)}."


def _names(found: Iterable[Nearest]) -> str:
    names = [near.fmt.name for near in found]
    return "all nine formats" if len(names) == len(FORMATS) else listed(names)


PHASES = (
    Phase("exponent", _exponent, beats=halving),
    Phase("mantissa", _mantissa, beats=reading),
    Phase("value", _value, beats=widening),
    Phase("everywhere", _everywhere, beats=falling),
)
