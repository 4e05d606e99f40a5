"""What is said of each step."""

from __future__ import annotations

import numpy as np

from loom.scene import Moment, Phase

from .._formats.floats import float_format
from .model import CHANNELS, LOUD, OUTPUTS, SHOWN, TOKENS, case, matrices, migration
from .trial import NAMES, Trial, share, size


def _activations(moment: Moment) -> str:
    trial: Trial = moment.result
    what = (
        f"X holds activations, the numbers that one layer hands to the next: {TOKENS} tokens by {CHANNELS:,} channels, "
        f"of which {SHOWN} are drawn."
    )
    largest = size(trial.before.largest)
    if trial.strength == 1:
        return f"{what} No channel is louder than the others; the largest value of all is {largest}."
    quiet = float(np.abs(np.delete(trial.before.x, LOUD, axis=1)).max())
    return (
        f"{what} One channel is an outlier, {trial.strength} times as loud: it reaches {largest}, "
        f"the others {size(quiet)}."
    )


def _crushed(moment: Moment) -> str:
    trial: Trial = moment.result
    one = trial.before
    others = f"{share(one.zeroed)} of the values in the other channels round to 0."
    if trial.format == "INT8":
        few = f"; the quiet channels are left with {one.levels} of them, and {share(one.zeroed)} of their values"
        lost = f"{few} round to 0." if one.levels < 100 else f", and {others}"
        return (
            f"INT8 has 255 evenly spaced values, and one scale for all of X stretches them to the largest magnitude "
            f"(amax), {size(one.largest)}. So they lie {size(one.step)} apart{lost}"
        )
    if trial.format == "E4M3":
        return (
            f"E4M3, a float of 8 bits, is stretched to {size(one.largest)} in the same way, but its values crowd "
            f"towards 0: there are 8 for each power of two, small or large. {_sentence(others)}"
        )
    return (
        f"E2M1, a float of 4 bits, has 15 values: 0, and seven sizes with a sign. "
        f"Stretched to {size(one.largest)}, the smallest above 0 is {size(one.step)}: {others}"
    )


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _cured(moment: Moment) -> str:
    trial: Trial = moment.result
    if trial.cure == "none":
        return (
            f"X is multiplied by the weights W, {CHANNELS:,} channels by {OUTPUTS} outputs, and here nothing is done "
            f"to either. W is rounded too, with a scale of its own for each output; none of its rows is loud."
        )
    if trial.cure == "smoothing":
        factors = migration(*matrices(trial.strength))
        what = (
            "Smoothing divides each channel of X by its s = √(largest |X| / largest |W|) and multiplies its row of W "
            "by s, so X·W stays exactly what it was."
        )
        if trial.strength == 1:
            return f"{what} Here no channel is loud, and all s lie between {factors.min():.1f} and {factors.max():.1f}."
        return f"{what} The loud channel has s = {size(float(factors[LOUD]))}, and W gets a loud row instead."
    return (
        f"Rotation multiplies X by H, a Hadamard matrix of ±1/√{CHANNELS:,}, and W by its transpose Hᵀ. "
        f"HHᵀ = 1, so X·W stays exactly what it was, but each new channel is a mix of all the old ones."
    )


def _again(moment: Moment) -> str:
    trial: Trial = moment.result
    before, after = trial.before, trial.after
    if trial.cure == "none":
        return (
            f"Both are rounded and multiplied: {share(before.zeroed)} of the quiet values take no part any more, "
            f"and neither do {share(before.weights)} of the weights."
        )
    what = "all values" if trial.cure == "rotation" else "the quiet values"
    now = f"{share(after.zeroed)} of {what} round to 0, where it was {share(before.zeroed)}"
    old, new = share(before.weights), share(after.weights)
    cost = f", and still {new} of the weights" if old == new else f", and {new} of the weights, where it was {old}"
    return (
        f"Now the largest value of X is {size(after.largest)}: {size(after.peak)} times the root mean square (RMS) of "
        f"all, not {size(before.peak)} times. {_sentence(now)}{cost}."
    )


def _compared(moment: Moment) -> str:
    trial: Trial = moment.result
    before, after = trial.before, trial.after
    lead = f"In {NAMES[trial.format]}, the error of X·W is {share(before.error)} of the product without a cure"
    if trial.cure != "none":
        lead += f", and {share(after.error)} with {trial.cure}: {after.sqnr:.1f} dB instead of {before.sqnr:.1f}"
    elif trial.strength > 1:
        lead += f"; with no outlier it would be {share(case(trial.format, 'none', 1).error)}"
    return f"{lead}. {_moral(trial.format)}"


def _moral(fmt: str) -> str:
    if fmt == "INT8":
        return "20 dB is an error of one tenth, 40 dB of one hundredth."
    if fmt == "E4M3":
        return "The error of this float is a share of each value, large or small, so an outlier hardly matters to it."
    span = float_format(fmt).largest / float_format(fmt).smallest
    return f"E2M1 is a float too, but its largest value is only {span:g} times its smallest: it does mind."


PHASES = (
    Phase("activations", _activations),
    Phase("crushed", _crushed),
    Phase("cured", _cured),
    Phase("again", _again),
    Phase("compared", _compared),
)
