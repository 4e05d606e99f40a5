"""What is said of each step."""

from __future__ import annotations

import numpy as np

from .._formats.floats import float_format
from .model import CHANNELS, LOUD, OUTPUTS, SHOWN, TOKENS, case, matrices, migration
from .moments import ACTIVATIONS, AGAIN, CRUSHED, CURED, State
from .words import NAMES, share, size


def say(state: State) -> str:
    if state.step == ACTIVATIONS:
        return _activations(state)
    if state.step == CRUSHED:
        return _crushed(state)
    if state.step == CURED:
        return _cured(state)
    return _again(state) if state.step == AGAIN else _compared(state)


def _activations(state: State) -> str:
    what = (
        f"X holds activations, the numbers that one layer hands to the next: {TOKENS} tokens by {CHANNELS:,} channels, "
        f"of which {SHOWN} are drawn."
    )
    largest = size(state.before.largest)
    if state.strength == 1:
        return f"{what} No channel is louder than the others; the largest value of all is {largest}."
    quiet = float(np.abs(np.delete(state.before.x, LOUD, axis=1)).max())
    return (
        f"{what} One channel is an outlier, {state.strength} times as loud: it reaches {largest}, "
        f"the others {size(quiet)}."
    )


def _crushed(state: State) -> str:
    one = state.before
    end = f"{share(one.zeroed)} of the values in the other channels round to 0."
    if state.fmt == "INT8":
        few = f"; the quiet channels are left with {one.levels} of them, and {share(one.zeroed)} of their values"
        many = f", and {share(one.zeroed)} of the values in the other channels"
        return (
            f"INT8 has 255 evenly spaced values, and one scale for all of X stretches them to the largest magnitude "
            f"(amax), {size(one.largest)}. So they lie {size(one.step)} apart{few if one.levels < 100 else many} "
            f"round to 0."
        )
    if state.fmt == "E4M3":
        return (
            f"E4M3, a float of 8 bits, is stretched to {size(one.largest)} in the same way, but its values crowd "
            f"towards 0: there are 8 for each power of two, small or large. {_sentence(end)}"
        )
    return (
        f"E2M1, a float of 4 bits, has 15 values: 0, and seven sizes with a sign. "
        f"Stretched to {size(one.largest)}, the smallest above 0 is {size(one.step)}: {end}"
    )


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _cured(state: State) -> str:
    if state.cure == "none":
        return (
            f"X is multiplied by the weights W, {CHANNELS:,} channels by {OUTPUTS} outputs, and here nothing is done "
            f"to either. W is rounded too, with a scale of its own for each output; none of its rows is loud."
        )
    if state.cure == "smoothing":
        factors = migration(*matrices(state.strength))
        what = (
            "Smoothing divides each channel of X by its s = √(largest |X| / largest |W|) and multiplies its row of W "
            "by s, so X·W stays exactly what it was."
        )
        if state.strength == 1:
            return f"{what} Here no channel is loud, and all s lie between {factors.min():.1f} and {factors.max():.1f}."
        return f"{what} The loud channel has s = {size(float(factors[LOUD]))}, and W gets a loud row instead."
    return (
        f"Rotation multiplies X by H, a Hadamard matrix of ±1/√{CHANNELS:,}, and W by its transpose Hᵀ. "
        f"HHᵀ = 1, so X·W stays exactly what it was, but each new channel is a mix of all the old ones."
    )


def _again(state: State) -> str:
    before, after = state.before, state.after
    if state.cure == "none":
        return (
            f"Both are rounded and multiplied: {share(before.zeroed)} of the quiet values take no part any more, "
            f"and neither do {share(before.weights)} of the weights."
        )
    what = "all values" if state.cure == "rotation" else "the quiet values"
    now = f"{share(after.zeroed)} of {what} round to 0, where it was {share(before.zeroed)}"
    old, new = share(before.weights), share(after.weights)
    cost = f", and still {new} of the weights" if old == new else f", and {new} of the weights, where it was {old}"
    return (
        f"Now the largest value of X is {size(after.largest)}: {size(after.peak)} times the root mean square (RMS) of "
        f"all, not {size(before.peak)} times. {_sentence(now)}{cost}."
    )


def _compared(state: State) -> str:
    before, after = state.before, state.after
    lead = f"In {NAMES[state.fmt]}, the error of X·W is {share(before.error)} of the product without a cure"
    if state.cure != "none":
        lead += f", and {share(after.error)} with {state.cure}: {after.sqnr:.1f} dB instead of {before.sqnr:.1f}"
    elif state.strength > 1:
        lead += f"; with no outlier it would be {share(case(state.fmt, 'none', 1).error)}"
    return f"{lead}. {_moral(state.fmt)}"


def _moral(fmt: str) -> str:
    if fmt == "INT8":
        return "20 dB is an error of one tenth, 40 dB of one hundredth."
    if fmt == "E4M3":
        return "The error of this float is a share of each value, large or small, so an outlier hardly matters to it."
    span = float_format(fmt).largest / float_format(fmt).smallest
    return f"E2M1 is a float too, but its largest value is only {span:g} times its smallest: it does mind."
