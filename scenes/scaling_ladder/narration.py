"""What is said of each step, from the numbers of the state."""

from __future__ import annotations

from loom.draw import plain

from .._formats.floats import FLOATS, spacing
from .model import CHANNELS, FACTOR, INTEGERS, OUTLIERS, SCALE_BITS, TOKENS
from .states import ERROR, LADDER, NUMBERS, OUTLIER, ROUNDED, SCALED, State

EACH = {
    "tensor": "the whole tensor",
    "token": "each token",
    "channel": "each channel",
    "block 128": "each block of 128",
    "block 32": "each block of 32",
    "block 16": "each block of 16",
}
STALLS = 0.2  # [dB] by which a smaller block must be worse before it is said


def fixed(number: float, digits: int = 1) -> str:
    """A number with so many decimals, and a real minus sign."""
    return f"{number:.{digits}f}".replace("-", "−")


def bits_of(bits: float) -> str:
    """The price of a number: 8, 8.25, 8.0078."""
    return f"{bits:.4f}".rstrip("0").rstrip(".")


def say(state: State) -> str:
    """The sentences of a step."""
    return SENTENCES[state.step](state)


def _numbers(state: State) -> str:
    shape = f"A piece of one of {TOKENS} tokens (rows); each of its {CHANNELS:,} numbers belongs to a channel (column)."
    if state.data == "bell":
        return f"{shape} All numbers come from one bell curve, and a typical magnitude is 1."
    value = fixed(float(state.numbers[OUTLIER]))
    return (
        f"{shape} A typical magnitude is 1, but {OUTLIERS} channels are outliers: {FACTOR} times larger, "
        f"like the {value} here."
    )


def _scales(state: State) -> str:
    element, kind, top = state.scheme.element, state.scheme.scaletype, plain(state.scheme.format.largest)
    scale, group = float(state.scales[-1]), state.scheme.scale.split()[0]
    last = "" if group in ("tensor", "token") else f" for the last {group}"
    meaning = "A scale is what a stored 1 stands for"
    how = f"{meaning}: the {group}'s largest magnitude (amax) over {element}'s largest value"
    if kind == "FP32":
        worked = f"{how},{last} {plain(float(state.holds[-1]))} / {top} = {plain(scale)}."
    elif kind == "E8M0":
        worked = f"{how}, {top}, rounded up to a power of two, E8M0:{last or ' here'} {scale:g}."
    else:
        worked = f"{how}, {top}, here in E4M3 times one FP32 scale of the tensor, as NVFP4 does:{last} {plain(scale)}."
    return f"{worked} The shaded window shows what {element} then holds; below its lower edge lies zero."


def _rounded(state: State) -> str:
    whose = "of all numbers" if state.data == "bell" else "of the numbers outside the outlier channels"
    share = f"{fixed(state.errors.zeroed)}% {whose}"
    lost = f"Each number is divided by its scale and rounded: {share} become zero (red, thin)."
    if state.scheme.scale == "tensor":
        amax = plain(float(state.holds[0]))
        return f"{lost} The largest of {state.scheme.sharing():,} numbers, {amax}, sets the one scale."
    bits, shared = SCALE_BITS[state.scheme.scaletype], state.scheme.sharing()
    return f"{lost} A scale of {bits} bits, shared by {shared:,}, makes {bits_of(state.scheme.bits())} bits a number."


def _error(state: State) -> str:
    level, where = fixed(state.errors.normal), "" if state.data == "bell" else " outside the outlier channels"
    return f"{_law(state)} Typical number over typical error{where}: {level} dB (decibels; 6 dB are a factor of 2)."


def _law(state: State) -> str:
    """How errors depend on the numbers."""
    element = state.scheme.element
    if element in INTEGERS:
        clipped = ", or more where a rounded scale clips" if state.scheme.scaletype == "E4M3" else ""
        return f"The error (red) of an integer is up to half a step, however small the number{clipped}."
    fmt = FLOATS[element]
    if fmt.mantissa_bits > 1:
        part = 2 ** (fmt.mantissa_bits + 1)
        return f"The error (red) of a float shrinks with the number: it is at most 1/{part} of all but the tiniest."
    low, high = fmt.smallest, float(spacing(fmt.largest, element))
    return f"The steps of {element} widen with the number, from {low:g} to {high:g} scales, and so do its errors (red)."


def _ladder(state: State) -> str:
    scheme, level = state.scheme, fixed(state.errors.normal)
    here = f"{scheme.element} with a scale for {EACH[scheme.scale]}: {level} dB for {bits_of(scheme.bits())} bits."
    if scheme.scale == "channel":
        return f"{here} But a matrix product sums over the channels, so their scales cannot be taken out of the sum."
    rungs = {rung.scheme.scale: rung for rung in state.rungs(scheme.element) if rung.scheme.scale != "channel"}
    first, last = rungs["tensor"], rungs["block 16"]
    best = max(rungs.values(), key=lambda rung: rung.level)
    if scheme.element == "E4M3":
        return (
            f"{here} Its line stays within {fixed(best.level - first.level)} dB: "
            "a float brings its own range, so it hardly matters who shares the scale."
        )
    if best.level > last.level + STALLS:
        return (
            f"{here} Best is {best.scheme.scale}, {fixed(best.level)} dB: "
            f"an {scheme.scaletype} scale rounded down clips the largest numbers."
        )
    gain = fixed(last.level - first.level)
    return f"{here} From the tensor to blocks of 16 it gains {gain} dB for {bits_of(last.bits - first.bits)} bits more."


SENTENCES = {NUMBERS: _numbers, SCALED: _scales, ROUNDED: _rounded, ERROR: _error, LADDER: _ladder}
