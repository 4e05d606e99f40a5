"""What is said of each step."""

from __future__ import annotations

from .case import BYTES, CODED, DECODED, IDEAL, ROUNDED, SPLIT, Case, State, case_of
from .kinds import SCALES, SUPER
from .words import counted, exactly, levels, number, percent, signed


def say(state: State) -> str:
    """One or two sentences about this step."""
    return SAYINGS[state.step](state.case)


def _split(case: Case) -> str:
    kind = case.kind
    if not kind.nested:
        return (
            f"{case.name} cuts 256 weights into {kind.blocks} blocks of {kind.size}, each with a scale of its own. "
            f"They are to fit in {kind.bytes} bytes, {exactly(kind.total)} bits for each weight."
        )
    return (
        f"256 weights make a super-block, which {case.name} cuts into {kind.blocks} sub-blocks of {kind.size}. "
        f"They are to fit in {kind.bytes} bytes, {exactly(kind.total)} bits for each weight."
    )


def _ideal(case: Case) -> str:
    sub, kind = case.own_sub, case.kind
    found = "a scale and a minimum" if kind.min_bits else "a scale"
    q = f"q = {signed(kind.lowest + kind.zero)} to {kind.highest + kind.zero}"
    they = "Kept as FP32, the two" if kind.min_bits else "Kept as FP32, it"
    what = "the spacing of its levels" + (" and how far below 0 they start" if kind.min_bits else "")
    return (
        f"Each {_block(case)} gets {found}, {what}: here {levels(case, sub, ideal=True)}, for {q}. "
        f"{they} would take {exactly(case.naive)} bits per weight."
    )


def _rounded(case: Case) -> str:
    sub, kind = case.own_sub, case.kind
    spent = exactly(kind.spent(SCALES) + kind.spent(SUPER))
    if not kind.nested:
        return (
            f"The scale is stored as FP16, two bytes for {kind.size} weights, which is {spent} bits per weight. "
            "There is nothing above the blocks: none depends on another."
        )
    d = number(float(case.packed.d[0, 0]))
    above = f"d = {d}"
    if kind.min_bits:
        above += f" and dmin = {number(float(case.packed.dmin[0, 0]))}"
    what = "scales and minima are" if kind.min_bits else "the scales are"
    size = f"{kind.scale_bits}-bit"
    return (
        f"So {what} rounded too, to {size} multiples of {above}, which are FP16 and shared by all 256: "
        f"here {counted(case, sub)}, that is {levels(case, sub)}. All of it takes {spent} bits per weight."
    )


def _coded(case: Case) -> str:
    value, code = number(float(case.numbers[case.own])), signed(case.codes[case.own])
    return (
        f"Each weight goes to the nearest level that is left, and only the level’s number is stored, the code q. "
        f"Weight {case.own}, {value}, becomes {code}, in {case.kind.bits} bits {case.own_bits}."
    )


def _decoded(case: Case) -> str:
    given, back = float(case.numbers[case.own]), float(case.decoded[case.own])
    return (
        f"Read back, weight {case.own} is {number(back)} instead of {number(given)}; over all 256, the root mean "
        f"square (RMS) of the errors is {percent(case.error)} of that of the weights. "
        f"In decibels that is {case.sqnr:.1f} dB; with unrounded scales it would be {case.ideal_sqnr:.1f} dB."
    )


def _bytes(case: Case) -> str:
    kind = case.kind
    what = "scale and minimum" if kind.min_bits else "scale"
    shares = [f"{exactly(kind.spent(SCALES))} its share of its {_block(case)}’s {what}"]
    if kind.spent(SUPER):
        named = "d and dmin" if kind.min_bits else "d"
        shares.append(f"{exactly(kind.spent(SUPER))} its share of {named}, common to all 256")
    first = f"Of a weight’s {exactly(kind.total)} bits, {kind.bits} are its code, {' and '.join(shares)}. "
    rival = {"Q4_K": "Q4_0", "Q4_0": "Q4_K"}.get(case.name)
    if rival:
        other = case_of(rival, case.data, case.part)
        return (
            f"{first}{rival} takes as many, and its error is {percent(other.error)} instead of {percent(case.error)}."
        )
    places = " and ".join(f"byte {at}" for _, at, _, _ in case.own_bytes())
    return f"{first}The {kind.bits} bits of weight {case.own} lie in {places}, the error is {percent(case.error)}."


def _block(case: Case) -> str:
    return "sub-block" if case.kind.nested else "block"


SAYINGS = {SPLIT: _split, IDEAL: _ideal, ROUNDED: _rounded, CODED: _coded, DECODED: _decoded, BYTES: _bytes}
