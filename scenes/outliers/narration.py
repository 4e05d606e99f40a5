"""What is said of each step."""

from __future__ import annotations

from loom.scene import Moment, Phase, evenly

from .ladder import on_the_way_down, on_the_way_up
from .model import CHANNELS, LOUD, moved
from .trial import NAMES, Trial, share, size


def _activations(moment: Moment) -> str:
    trial: Trial = moment.result
    what = f"X holds activations, what one layer hands to the next, in {CHANNELS:,} channels."
    largest = size(trial.before.largest)
    if trial.strength == 1:
        return f"{what} No channel is louder than the others; the largest value is {largest}."
    return f"{what} One is {trial.strength} times as loud as the others and reaches {largest}: an outlier."


def _crushed(moment: Moment) -> str:
    trial: Trial = moment.result
    one = trial.before
    lost = f"{share(one.zeroed)} of the quiet values become 0."
    if trial.format == "INT8":
        lead = f"One scale stretches INT8’s 255 values to the largest magnitude (amax), {size(one.largest)}."
        return f"{lead} They lie {size(one.step)} apart, and {lost}"
    if trial.format == "E4M3":
        lead = f"One scale stretches FP8 to the largest magnitude (amax), {size(one.largest)}."
        return f"{lead} Its values crowd towards 0, and {lost}"
    lead = f"One scale stretches FP4’s 15 values to the largest magnitude (amax), {size(one.largest)}."
    return f"{lead} The first above 0 is {size(one.step)}: {lost}"


def _cured(moment: Moment) -> str:
    trial: Trial = moment.result
    if trial.cure == "rotation":
        return (
            f"Rotation multiplies X by a Hadamard matrix H of ±1/√{CHANNELS:,}, and W by Hᵀ. X·W stays as it was, "
            "but each new channel mixes all old ones."
        )
    factor = size(float(moved(trial.strength)[LOUD]))
    return (
        f"Smoothing divides each channel of X by s = √(max |X| / max |W|) and multiplies W’s row by s, "
        f"one by {factor}. X·W stays as it was."
    )


def _again(moment: Moment) -> str:
    trial: Trial = moment.result
    before, after = trial.before, trial.after
    if after.largest >= before.largest:
        return (
            f"The largest value is now {size(after.largest)}, where it was {size(before.largest)}: nothing is gained."
        )
    now, then, lost = f"The largest value is now {size(after.largest)}", share(before.zeroed), share(after.zeroed)
    was = "as before" if lost == then else f"where it was {then}"
    if after.largest > 0.95 * before.largest:
        return f"{now}, hardly less, and {lost} become 0, {was}."
    return f"{now}, so one scale leaves finer steps: {lost} become 0, {was}."


def _product(moment: Moment) -> str:
    trial: Trial = moment.result
    before, after = trial.before, trial.after
    off = f"is off by {share(before.error)}, and with {trial.cure} by {share(after.error)}"
    if trial.format == "E4M3":
        return f"X·W in {NAMES[trial.format]} {off}. A float’s error is a share of each value: outliers hardly matter."
    lead = f"The product of X and W, both in {NAMES[trial.format]}, {off}"
    return f"{lead}: {after.sqnr:.1f} dB of signal over error instead of {before.sqnr:.1f}."


def _climb(moment: Moment) -> tuple[float, ...]:
    """The scale is stretched from quiet values up to the loud one: half a second from one loudness to the next."""
    passed = len(on_the_way_up(moment.result.format, moment.result.strength))
    return evenly(passed, 0.5 * passed)


def _descent(moment: Moment) -> tuple[float, ...]:
    """It follows the largest value down; where it is, values are rounded."""
    trial: Trial = moment.result
    passed = len(on_the_way_down(trial.format, trial.strength, trial.cure)) + 1
    return evenly(passed, 0.45 * passed)


PHASES = (
    Phase("activations", _activations, beats=lambda moment: evenly(1 + (moment.result.strength > 1), 0.6, lead=0.25)),
    Phase("crushed", _crushed, beats=_climb),
    Phase("cured", _cured, beats=lambda _: evenly(7, 3.5)),
    Phase("again", _again, beats=_descent),
    Phase("product", _product, beats=lambda _: evenly(1, 0.6, lead=0.25)),
)
