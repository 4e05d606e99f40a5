"""What is said of each step, computed from the code."""

from __future__ import annotations

from loom.draw import count

from .bits import ends
from .everywhere import held
from .model import BITS, EXPONENT, MANTISSA, VALUE, Spelled, State
from .nearest import everywhere, special_counts
from .words import binary, digits, number, percent, picked, raised


def say(state: State) -> str:
    """One or two sentences."""
    told = {BITS: _bits, EXPONENT: _exponent, MANTISSA: _mantissa, VALUE: _value}.get(state.step, _everywhere)
    return told(state.spelled)


def _bits(one: Spelled) -> str:
    fmt, sign = one.fmt, "minus" if one.negative else "plus"
    parts = f"{fmt.exponent_bits} for the exponent (which power of two), {fmt.mantissa_bits} for the mantissa"
    begun = f"Of the {fmt.bits} bits of {fmt.name}, 1 is for the sign, {parts} (how far on to the next power)."
    return f"{begun} The sign bit is {one.fields[0]}: {sign}."


def _exponent(one: Spelled) -> str:
    fmt, field = one.fmt, one.fields[1]
    read = f"The exponent field is {binary(field, fmt.exponent_bits)}"
    if one.reserved:
        return f"{read}, all ones. {fmt.name} keeps that for infinity and for NaN, which is short for not a number."
    inner, outer = ends(one.power, not field, one.negative)
    if not field:
        return (
            f"{read}, which is special: the number is zero or subnormal, that is, "
            f"too close to zero for a power of two of its own. It lies between 0 and {outer}."
        )
    if field == fmt.bias:
        less = "the bias, an offset that makes room for powers below 1"
        return f"{read}, or {field}, which is just {less}. The power is 0, and the number lies from {inner} to {outer}."
    less = f"less the bias of {fmt.bias}, an offset that makes room for powers below 1"
    return f"{read}, or {field}; {less}, that is {_signed(one.power)}. So the number lies from {inner} to {outer}."


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _mantissa(one: Spelled) -> str:
    fmt, field, bits = one.fmt, one.fields[2], one.fmt.mantissa_bits
    ones = f"The mantissa is {binary(field, bits)}"
    if one.reserved:
        given = count(2 ** (bits + 1), "code")
        return f"{ones}. Zero means infinity, anything else NaN: so {fmt.name} gives {given} away."
    whole = number(one.significand, digits(fmt.name) + 1)
    adds = "adds nothing" if not field else "adds " + _fractions(field, bits)
    if not one.fields[1]:
        if not field:
            return f"{ones}, and a field of zeros has no leading 1 either: nothing is left, and this is zero."
        return (
            f"{ones}. A subnormal has no leading 1, so the mantissa alone counts: {_fractions(field, bits)} = {whole}."
        )
    return f"A leading 1 goes without saying, so it is not stored. {ones} and {adds}, which makes {whole}."


def _fractions(field: int, bits: int) -> str:
    """What the ones of a mantissa add: 1/2 + 1/8; of a long one its first three."""
    places = [depth for depth in range(1, bits + 1) if field >> bits - depth & 1]
    shown = [f"1/{2**depth:,}" if depth <= 10 else f"2{raised(-depth)}" for depth in places]
    return " + ".join(shown if len(shown) <= 4 else [*shown[:3], "…"])


def _value(one: Spelled) -> str:
    most, name = digits(one.fmt.name), one.fmt.name
    if one.kind == "nan":
        if one.reserved:
            codes = count(special_counts(name)["nans"], "such code")
            return f"This code is NaN, not a number: what 0 ÷ 0 gives. {name} has {codes}."
        would = number((-1) ** one.fields[0] * one.significand * 2.0**one.power)
        return (
            f"Read like any other code it would be {would}. {name} keeps it for NaN, not a number; it has no infinity."
        )
    if one.kind == "infinite":
        return f"This code is {number(one.value)}: what a number becomes that is too large for {name}."
    value = number(one.value, most)
    if one.picked and one.number != one.value:
        return _picked(one, value)
    below, above = one.neighbours
    if below is None or above is None:
        gap = number(one.spacing, 3)
        return f"{value} is the last value of {name} on this side. The one before it is {gap} away."
    if one.kind == "zero":
        twin = "−0 equals 0, and yet has a code of its own." if one.negative else "This is zero."
        return f"{twin} The neighbours are {number(below, most)} and {number(above, most)}, the smallest subnormals."
    lead = f"{value} lies between {number(below, most)} and {number(above, most)}."
    if one.value - below != above - one.value:
        return f"{lead} Below a power of two the values stand twice as close."
    half = number(one.spacing / 2, most)
    return f"{lead} Whatever is nearer to it than to them is rounded to it, and moves by half a gap at most: {half}."


def _picked(one: Spelled, value: str) -> str:
    name, wanted = one.fmt.name, picked(one)
    near = next(near for near in everywhere(one.number) if near.fmt is one.fmt)
    if near.verdict == "overflow":
        return (
            f"{wanted} is too large: {value} is the last value of {name}. By the rules of IEEE 754 it becomes infinity."
        )
    if near.verdict == "zero":
        return f"{wanted} is less than half of the smallest value, {number(one.fmt.smallest, 3)}, so it becomes 0."
    return f"{wanted} is no value of {name}. The nearest one is {value}, {percent(one.error)} off."


def _everywhere(one: Spelled) -> str:
    found, wanted = everywhere(one.number), picked(one)
    if not one.finite:
        have = [near.fmt.name for near in found if near.code is not None]
        return f"{wanted} has a code in {_listed(have)}. The other formats have nothing of the kind."
    groups = {kind: [near.fmt.name for near in found if near.verdict == kind] for kind in ("exact", "overflow", "zero")}
    exact = groups["exact"]
    begun = (
        f"{_listed(exact)} {'holds' if len(exact) == 1 else 'hold'} {wanted} exactly."
        if exact
        else (f"No format holds {wanted} exactly.")
    )
    parts = [f"is too large for {_listed(groups['overflow'])}"] if groups["overflow"] else []
    parts += [f"becomes 0 in {_listed(groups['zero'])}"] if groups["zero"] else []
    off = [near for near in found if near.verdict == "rounded"]
    if off:
        most = max(near.error or 0 for near in off)
        worst = [near for near in off if near.error == most]
        names = _listed([near.fmt.name for near in worst])
        has = "has" if len(worst) == 1 else "have"
        parts.append(f"is off by {'up to ' * (len(worst) < len(off))}{percent(most)}: {names} {has} {held(worst[0])}")
    if not parts:
        parts = ["has a code with each sign" if one.kind == "zero" else "needs no more than the shortest mantissa"]
    return f"{begun[0].upper()}{begun[1:]} It {', and '.join(parts)}."


def _listed(names: list[str]) -> str:
    if len(names) == 9:
        return "all nine formats"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
