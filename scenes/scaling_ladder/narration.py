"""What is said of each step, from the numbers of the choice."""

from __future__ import annotations

from loom.draw import fixed, significant
from loom.scene import Moment, Phase, evenly

from .._formats.floats import FLOATS, spacing
from .ladder import bits_of
from .model import CHANNELS, FACTOR, INTEGERS, OUTLIERS, SCALE_BITS, TOKENS
from .pace import gap_beats, group_beats, look_beats, rounding_beats
from .product import SUM
from .stored import OUTLIER, Stored

SHOWS = 0.05  # [dB]: less than this reads as 0.0
STALLS = 0.2  # [dB] by which a smaller block must be worse before it is said


def _product(moment: Moment) -> str:
    group = moment.result.scheme.scale.split()[0]
    whose = {
        "tensor": "One scale for X is applied once to every sum.",
        "token": "A token’s scale stays the same along the sum: it is applied once, at the end.",
        "channel": "A channel’s scale changes from term to term: it can’t be taken out of the sum.",
        "block": "A block’s scale is applied when the sum passes from one block to the next.",
    }[group]
    return f"A result of X·W is a sum along the channels. {whose}"


def _numbers(moment: Moment) -> str:
    stored: Stored = moment.result
    shape = f"One of {TOKENS} tokens"
    if stored.data == "bell":
        return f"{shape}, a piece of it. All {CHANNELS:,} channels come from one bell curve, with magnitudes near 1."
    value = fixed(float(stored.numbers[OUTLIER]), 1)
    return f"{shape}: typically 1, but {OUTLIERS} of {CHANNELS:,} channels are {FACTOR} times larger, like the {value}."


def _scales(moment: Moment) -> str:
    stored: Stored = moment.result
    element, kind, top = stored.scheme.element, stored.scheme.scaletype, significant(stored.scheme.format.largest)
    scale, group = float(stored.scales[-1]), stored.scheme.scale.split()[0]
    last = "" if group in ("tensor", "token") else " for the last"
    how = f"The scale is what a stored 1 stands for: the {group}’s largest magnitude over {element}’s"
    worked = {
        "FP32": f",{last} {significant(float(stored.holds[-1]))} / {top} = {significant(scale)}.",
        "E8M0": f", {top}, up to a power of two (E8M0):{last or ' here'} {scale:g}.",
        "E4M3": f", {top}, in E4M3 times one FP32 scale (NVFP4):{last} {significant(scale)}.",
    }[kind]
    return f"{how}{worked}"


def part(percentage: float) -> str:
    """A percentage in words: what is nearly all or none is not said to be all or none."""
    share = fixed(percentage, 1)
    name, exact = {"0.0": ("none", 0), "100.0": ("all", 100)}.get(share, (f"{share}%", percentage))
    return name if percentage == exact else f"almost {name}"


def _rounded(moment: Moment) -> str:
    stored: Stored = moment.result
    become = "of all numbers become" if stored.data == "bell" else "of what is no outlier becomes"
    share = fixed(stored.errors.zeroed, 1)
    lost = f"Rounded, {part(stored.errors.zeroed)} {become} zero{' (red)' if share != '0.0' else ''}."
    if stored.scheme.scale == "tensor":
        amax = significant(float(stored.holds[0]))
        return f"{lost} The largest, {amax}, sets the scale."
    bits, shared = SCALE_BITS[stored.scheme.scaletype], stored.scheme.sharing()
    return f"{lost} {bits} bits of scale for {shared:,} make {bits_of(stored.scheme.bits())} bits a number."


def _ladder(moment: Moment) -> str:
    stored: Stored = moment.result
    scheme = stored.scheme
    if scheme.scale == "channel":
        return (
            "A product sums over channels, so their scales can’t be taken out of the sum: "
            "the best choice is one that no kernel uses."
        )
    rungs, law = stored.line(scheme.element), _law(scheme.element, scheme.scaletype)
    first, last, best = rungs[0], rungs[-1], max(rungs, key=lambda rung: rung.level)
    if scheme.element == "E4M3":
        spread = fixed(best.level - first.level, 1)
        gain = f"{spread} dB at most" if best.level - first.level >= SHOWS else "smaller groups gain nothing"
        return f"{law} It hardly matters who shares: {gain}."
    if best.level > last.level + STALLS:
        return f"{law} Best is {best.scheme.scale}, {fixed(best.level, 1)} dB: rounded scales clip."
    gain, price = fixed(last.level - first.level, 1), bits_of(last.bits - first.bits)
    return f"{law} Blocks of 16 gain {gain} dB for {price} bits a number."


def _law(element: str, scaletype: str) -> str:
    """How errors depend on the numbers."""
    if element in INTEGERS:
        size = "more where a scale clips" if scaletype == "E4M3" else "at any size"
        return f"An integer’s error (red) is up to half a step, {size}."
    fmt = FLOATS[element]
    if fmt.mantissa_bits > 1:
        part = 2 ** (fmt.mantissa_bits + 1)
        return f"A float’s error (red) shrinks with the number: at most 1/{part} of all but the tiniest."
    low, high = fmt.smallest, float(spacing(fmt.largest, element))
    return f"{element}’s steps widen with the number, from {low:g} to {high:g} scales; so do its errors (red)."


PHASES = (
    Phase("product", _product, beats=lambda _: evenly(SUM, 2.4)),
    Phase("numbers", _numbers, beats=look_beats),
    Phase("scales", _scales, beats=group_beats),
    Phase("rounded", _rounded, beats=rounding_beats),
    Phase("ladder", _ladder, beats=gap_beats),
)
