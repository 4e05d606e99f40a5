"""The six phases of the story, each with the sentences that it says, and how scales and levels are written."""

from __future__ import annotations

from loom.draw import listed, number, percent, significant
from loom.scene import Moment, Phase, evenly

from .case import Case, Sub, case_of
from .kinds import SCALES, SUPER
from .pace import bytes_beats, decoded_beats, ideal_beats, split_beats

LESS = "\u00a0−\u00a0"  # a formula stays on its line


def exactly(value: float) -> str:
    """A number of bits per weight, all of its digits."""
    return number(value, 6)


def bits_a_weight(value: float) -> str:
    """The same, with its unit."""
    return f"{exactly(value)} {'bit' if value == 1 else 'bits'} per weight"


def step_words(sub: Sub, rounded: bool) -> str:
    """Scale and minimum of a sub-block; once they are rounded, as multiples of d and dmin."""
    if not sub.kind.nested and sub.kind.min_bits:
        scale, minimum = sub.kept if rounded else sub.ideal
        return f"scale {number(scale)}, from {number(-minimum)} on"
    scale, minimum = (number(value) for value in (sub.kept if rounded else sub.ideal))
    if rounded and sub.kind.nested:
        scale, minimum = f"{significant(sub.counts[0])}·d = {scale}", f"{sub.counts[1]}·dmin = {minimum}"
    return f"scale {scale}" + (f", min {minimum}" if sub.kind.min_bits else "")


def formula_in_counts(sub: Sub, code: str = "q", digits: int = 3) -> str:
    """A sub-block's levels, or that of a code, as a formula with the whole numbers that are stored."""
    sc, m = sub.counts
    code = f"({code}{LESS}{sub.kind.zero})" if sub.kind.zero else f"({code})" if code.startswith("−") else code
    if not sub.kind.nested:
        start = f" + {number(-sub.kept[1], digits)}" if sub.kind.min_bits else ""
        return f"{number(sub.kept[0], digits)}·{code}{start}".replace(" + −", LESS)
    words = f"d·{f'({significant(sc)})' if sc < 0 else sc}·{code}"
    return f"{words}{LESS}dmin·{m}" if sub.kind.min_bits else words


def digits_apart(one: float, other: float) -> int:
    """How many significant digits tell two numbers apart: three, or more where those read the same."""
    return next((digits for digits in range(3, 7) if number(one, digits) != number(other, digits)), 7)


def _split(moment: Moment) -> str:
    name, kind = moment.result.name, moment.result.kind
    fit = f"are to fit in {kind.bytes} bytes, {exactly(kind.total)} bits for each"
    if not kind.nested:
        return f"256 weights {fit}. {name} cuts them into {kind.blocks} blocks of {kind.size}."
    return f"256 weights, a super-block, {fit}. {name} cuts them into {kind.blocks} sub-blocks of {kind.size}."


def _ideal(moment: Moment) -> str:
    case, kind = moment.result, moment.result.kind
    what = "a scale, from level to level"
    if kind.min_bits:
        what = f"a minimum, {'how far below 0' if kind.nested else 'where'} its levels start, and {what}"
    return f"Each {_block(case)} gets {what}. In FP32 this is {bits_a_weight(case.naive)}."


def _rounded(moment: Moment) -> str:
    case, kind = moment.result, moment.result.kind
    if not kind.nested:
        spent = bits_a_weight(kind.spent(SCALES))
        what = "Scale and minimum are stored as FP16, four" if kind.min_bits else "The scale is stored as FP16, two"
        return f"{what} bytes for {kind.size} weights: {spent}."
    above = f"d = {number(float(case.packed.d[0, 0]))}"
    what = "the scale takes"
    if kind.min_bits:
        above += f" or dmin = {number(float(case.packed.dmin[0, 0]))}"
        what = "scale and minimum take"
    spent = f"{bits_a_weight(kind.spent(SCALES) + kind.spent(SUPER))}, not {exactly(case.naive)}"
    return f"Rounded to {kind.scale_bits} bits, times {above}, which all 256 share, {what} {spent}."


def _coded(moment: Moment) -> str:
    case = moment.result
    value, code = number(float(case.numbers[case.own])), significant(case.codes[case.own])
    return (
        f"Each weight goes to its nearest level, whose number is stored, its code. "
        f"Weight {case.own}, {value}, becomes {code}: {case.kind.bits} of {exactly(case.kind.total)} bits."
    )


def _decoded(moment: Moment) -> str:
    case = moment.result
    given, back = float(case.numbers[case.own]), float(case.decoded[case.own])
    digits = digits_apart(back, given)
    formula = formula_in_counts(case.own_sub, significant(case.codes[case.own]), digits)
    told = formula.replace("·", " × ")  # screen readers say a cross, and are silent about a dot
    return (
        f"Read back, weight {case.own} is {told} = {number(back, digits)}, not {number(given, digits)}. "
        f"The error of all 256 is {percent(case.error)}, with unrounded scales {percent(case.ideal_error)}."
    )


def _bytes(moment: Moment) -> str:
    case, kind = moment.result, moment.result.kind
    of = [f"{exactly(kind.bits)} for its code", f"{exactly(kind.spent(SCALES))} for what {kind.size} share"]
    if kind.spent(SUPER):
        of.append(f"{exactly(kind.spent(SUPER))} for what 256 share")
    first = f"{exactly(kind.total)} bits: {listed(of)}."
    rival = {"Q4_K": "Q4_0", "Q4_0": "Q4_K"}.get(case.name)
    if rival:
        other = percent(case_of(rival, case.data, case.part).error)
        return f"{first} {rival} takes as many; its error is {other}, not {percent(case.error)}."
    return f"{first} The error is {percent(case.error)}."


def _block(case: Case) -> str:
    return "sub-block" if case.kind.nested else "block"


PHASES = (
    Phase("split", _split, beats=split_beats),
    Phase("ideal", _ideal, beats=ideal_beats),
    Phase("rounded", _rounded, beats=lambda moment: evenly(8, 1.6)),
    Phase("coded", _coded, beats=lambda moment: evenly(8, 2.4)),
    Phase("decoded", _decoded, beats=decoded_beats),
    Phase("bytes", _bytes, beats=bytes_beats),
)
