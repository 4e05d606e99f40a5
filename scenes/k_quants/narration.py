"""The six phases of the story, each with the sentences that it says, and the formulas of levels."""

from __future__ import annotations

from loom.draw import number, percent, plain
from loom.scene import Moment, Phase

from .case import Case, Sub, case_of
from .kinds import SCALES, SUPER

LESS = "\u00a0−\u00a0"  # a formula stays on its line


def exactly(value: float) -> str:
    """A number of bits per weight, all of its digits."""
    return number(value, 6)


def _code(sub: Sub) -> str:
    """How the code stands in the formula of a level."""
    return f"(q{LESS}{sub.kind.zero})" if sub.kind.zero else "q"


def formula(sub: Sub, ideal: bool = False) -> str:
    """A sub-block's levels as a formula with its numbers."""
    scale, minimum = sub.ideal if ideal else sub.kept
    words = f"{number(scale)}·{_code(sub)}"
    return f"{words}{LESS}{number(minimum)}" if minimum else words


def formula_in_counts(sub: Sub) -> str:
    """The same with the whole numbers that are stored."""
    if not sub.kind.nested:
        return formula(sub)
    sc, m = sub.counts
    words = f"d·{f'({plain(sc)})' if sc < 0 else sc}·{_code(sub)}"
    return f"{words}{LESS}dmin·{m}" if sub.kind.min_bits else words


def _split(moment: Moment) -> str:
    name, kind = moment.result.name, moment.result.kind
    cut = f"256 weights make a super-block, which {name} cuts into {kind.blocks} sub-blocks of {kind.size}"
    if not kind.nested:
        cut = f"{name} cuts 256 weights into {kind.blocks} blocks of {kind.size}, each with a scale of its own"
    return f"{cut}. They are to fit in {kind.bytes} bytes, {exactly(kind.total)} bits for each weight."


def _ideal(moment: Moment) -> str:
    case, kind = moment.result, moment.result.kind
    found = "a scale and a minimum" if kind.min_bits else "a scale"
    q = f"q = {plain(kind.lowest + kind.zero)} to {kind.highest + kind.zero}"
    they = "Kept as FP32, the two" if kind.min_bits else "Kept as FP32, it"
    what = "the spacing of its levels" + (" and how far below 0 they start" if kind.min_bits else "")
    return (
        f"Each {_block(case)} gets {found}, {what}: here {formula(case.own_sub, ideal=True)}, for {q}. "
        f"{they} would take {exactly(case.naive)} bits per weight."
    )


def _rounded(moment: Moment) -> str:
    case, kind, sub = moment.result, moment.result.kind, moment.result.own_sub
    spent = exactly(kind.spent(SCALES) + kind.spent(SUPER))
    if not kind.nested:
        return (
            f"The scale is stored as FP16, two bytes for {kind.size} weights, which is {spent} bits per weight. "
            "There is nothing above the blocks: none depends on another."
        )
    above = f"d = {number(float(case.packed.d[0, 0]))}"
    if kind.min_bits:
        above += f" and dmin = {number(float(case.packed.dmin[0, 0]))}"
    what = "scales and minima are" if kind.min_bits else "the scales are"
    return (
        f"So {what} rounded too, to {kind.scale_bits}-bit multiples of {above}, which are FP16 and shared by all 256: "
        f"here {formula_in_counts(sub)}, that is {formula(sub)}. All of it takes {spent} bits per weight."
    )


def _coded(moment: Moment) -> str:
    case = moment.result
    value, code = number(float(case.numbers[case.own])), plain(case.codes[case.own])
    return (
        f"Each weight goes to the nearest level that is left, and only the level’s number is stored, the code q. "
        f"Weight {case.own}, {value}, becomes {code}, in {case.kind.bits} bits {case.own_bits}."
    )


def _decoded(moment: Moment) -> str:
    case = moment.result
    given, back = float(case.numbers[case.own]), float(case.decoded[case.own])
    return (
        f"Read back, weight {case.own} is {number(back)} instead of {number(given)}; over all 256, the root mean "
        f"square (RMS) of the errors is {percent(case.error)} of that of the weights. "
        f"In decibels that is {case.sqnr:.1f} dB; with unrounded scales it would be {case.ideal_sqnr:.1f} dB."
    )


def _bytes(moment: Moment) -> str:
    case, kind = moment.result, moment.result.kind
    what = "scale and minimum" if kind.min_bits else "scale"
    shares = [f"{exactly(kind.spent(SCALES))} its share of its {_block(case)}’s {what}"]
    if kind.spent(SUPER):
        named = "d and dmin" if kind.min_bits else "d"
        shares.append(f"{exactly(kind.spent(SUPER))} its share of {named}, common to all 256")
    first = f"Of a weight’s {exactly(kind.total)} bits, {kind.bits} are its code, {' and '.join(shares)}. "
    rival = {"Q4_K": "Q4_0", "Q4_0": "Q4_K"}.get(case.name)
    if rival:
        other = percent(case_of(rival, case.data, case.part).error)
        return f"{first}{rival} takes as many, and its error is {other} instead of {percent(case.error)}."
    places = " and ".join(f"byte {at}" for _, at, _, _ in case.own_bytes)
    return f"{first}The {kind.bits} bits of weight {case.own} lie in {places}, the error is {percent(case.error)}."


def _block(case: Case) -> str:
    return "sub-block" if case.kind.nested else "block"


PHASES = (
    Phase("split", _split), Phase("ideal", _ideal), Phase("rounded", _rounded),
    Phase("coded", _coded), Phase("decoded", _decoded), Phase("bytes", _bytes),
)  # fmt: skip
