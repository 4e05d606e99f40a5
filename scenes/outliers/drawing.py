"""The picture: the loud channel, the scale that is stretched to it, and the quiet values that its steps lose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Mark, memoized
from loom.scene import Moment

from .answer import answer
from .ladder import COUNTS, LINES, Ladder, ladder, on_the_way_down, on_the_way_up
from .model import CHANNELS, LOUD, SHOWN, STRENGTHS, TOKENS, Case, mixed_channels, moved
from .stage import Stage, stage_of
from .trial import Trial, size

LETTERS = {"smoothing": "X/s", "rotation": "XH"}
NONE = Ladder(np.zeros(LINES), 0.0)  # before there is a scale


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, trial = stage_of(width), moment.result
    yield from _headings(stage, moment)
    yield stage.floor()
    if moment.since("cured"):
        yield stage.pen.rect("was", stage.bar(LOUD, float(trial.loudness(0)[LOUD])), "ghost soft", round=0)
    yield from _loudness(stage, trial, doing(moment), moment.past("activations"))
    scale = scale_of(moment)
    yield from stage.scale(scale.largest if scale else 0.0, COUNTS[trial.format])
    yield from stage.lens()
    yield from _near(stage, moment, scale)
    if trial.strength > 1 and not (moment.since("again") or moment.past("cured") == 1):
        yield stage.loud()
    if moment.past("activations") == 1:
        yield from _strength(stage, trial, moment.since("cured"))
    if moment.past("cured") == 1:
        yield from _largest(stage, trial)
    yield from answer(stage, moment, scale)


def doing(moment: Moment) -> float:
    """How much of the cure is done: nothing in the first picture of its chapter."""
    return moment.past("cured") and (1.0 if moment.phase != "cured" else moment.beat / (moment.beats - 1))


def scale_of(moment: Moment) -> Case | None:
    """The case whose scale stands in the picture: it climbs to the loud channel, and follows the cured values down."""
    trial: Trial = moment.result
    if not moment.since("crushed"):
        return None
    if not moment.since("again"):
        passed = on_the_way_up(trial.format, trial.strength)
    else:
        passed = on_the_way_down(trial.format, trial.strength, trial.cure)
    return passed[min(moment.beat, len(passed) - 1) if moment.phase in ("crushed", "again") else -1]


def _headings(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the bars are, of the cure how far it is, and what the field shows."""
    pen, trial, part = stage.pen, moment.result, doing(moment)
    if not moment.since("cured"):
        words = pen.pick("X: largest |x|", "X: the largest of each channel")
        yield pen.text("what", 0, stage.heading, words, "label strong")
    else:
        letters = LETTERS[trial.cure]
        yield pen.text("cured", 0, stage.heading, letters, "label strong")
        factor = float(moved(trial.strength)[LOUD]) ** part
        words = f"loud channel ÷ {size(factor)}" if trial.cure == "smoothing" else _mixed(mixed_channels(part))
        yield pen.text("how", pen.text_width(letters, strong=True) + 8, stage.heading, words, "label")
    scale = scale_of(moment)
    box = stage.field.box
    if not pen.narrow:
        yield pen.text("near", box.x, stage.heading, f"{SHOWN} of {CHANNELS:,} channels, close to 0", "note")
    elif not moment.since("cured") and not scale:
        yield pen.text("near", box.right, stage.heading, f"{SHOWN} channels near 0", "note", anchor="end")
    if scale:
        yield pen.text("step", box.right, stage.heading, _steps(scale, pen.narrow), "memory", anchor="end")


def _steps(one: Case, narrow: bool) -> str:
    """How far apart the values that can be kept lie; those of a float are closer near 0."""
    if one.fmt == "E4M3":
        return "finer near 0" if narrow else "steps shrink towards 0"
    return f"steps of {size(one.step)}" if one.fmt == "INT8" else f"first step {size(one.step)}"


def _mixed(channels: int) -> str:
    return f"spread over {channels:,} channels" if channels > 1 else "one channel has it all"


@memoized
def _loudness(stage: Stage, trial: Trial, part: float, grown: float) -> Iterator[Mark]:
    """The drawn channels when a part of the cure is done, each as tall as its largest magnitude; the loud one grows."""
    for channel, value in enumerate(trial.loudness(part).tolist()):
        tall = 1 + (value - 1) * grown if channel == LOUD else value
        told = f"channel {channel}: values up to {size(value)}"
        yield stage.pen.rect(f"bar{channel}", stage.bar(channel, tall), "data", round=0, read=told)


@memoized
def _strength(stage: Stage, trial: Trial, cured: bool) -> Iterator[Mark]:
    """Over the loud channel how loud it is; there it can be taken hold of."""
    pen, box = stage.pen, stage.towers
    one = trial.loudness(0)[LOUD] / trial.strength
    bars = [stage.bar(LOUD, one * strength) for strength in STRENGTHS]
    bar = bars[STRENGTHS.index(trial.strength)]
    x = bar.x + bar.width / 2
    y = min(bar.y, box.bottom - 62)
    beside = x + pen.pick(16, 22)  # clear of the halo of the knob
    yield pen.text("loud", beside, y, size(trial.before.largest), "value strong", middle=True)
    if not (pen.narrow or cured):
        words = f"{trial.strength} times as loud" if trial.strength > 1 else "as loud as the others"
        yield pen.text("times", beside, y + 1.3 * pen.size, words, "note", middle=True)
    yield pen.knob("strength", x, bar.y, "strength", [(x, bar.y) for bar in bars], label="Loudness of the channel")


def _largest(stage: Stage, trial: Trial) -> Iterator[Mark]:
    """What the scale has to reach after the cure; it stands just over the bars, which are low now."""
    pen, bar, number = stage.pen, stage.bar(LOUD, 0), size(trial.after.largest)
    x, y = bar.right + pen.pick(9, 12), stage.towers.bottom - pen.pick(36, 34)
    yield pen.text("top", x, y, number, "value strong", middle=True)
    words, down = pen.pick((0, 1.15 * pen.size), (pen.text_width(number, strong=True) + 6, 0))
    yield pen.text("all", x + words, y + down, "at most", "note", middle=True)


def _near(stage: Stage, moment: Moment, scale: Case | None) -> Iterator[Mark]:
    """The values close to zero, on the lines that can be kept; those that come to lie nowhere near one are lost."""
    field, trial = stage.field, moment.result
    yield field.crush(scale.step / 2 if scale else 0.0)
    yield from _lines(stage, scale)
    yield from field.frame()
    rounds = moment.phase in ("crushed", "product") or (moment.phase == "again" and moment.progress == 1)
    one = trial.after if moment.past("cured") == 1 else trial.before
    if rounds and scale:
        yield from _rounded(stage, one, scale)
    else:
        for channel in range(SHOWN):
            values = one.x[:, channel]
            yield field.stems("q", channel, values, np.ones(values.size, bool), "data soft thin" if
                              _is_loud(one, channel) else "data")  # fmt: skip


@memoized
def _lines(stage: Stage, scale: Case | None) -> Iterator[Mark]:
    field = stage.field
    yield from field.levels(ladder(scale, stage.pen.pick(6, 9) / field.unit) if scale else NONE)


def _is_loud(one: Case, channel: int) -> bool:
    return channel == LOUD and one.strength > 1 and one.cure != "rotation"


@memoized
def _rounded(stage: Stage, one: Case, scale: Case) -> Iterator[Mark]:
    """All channels as a scale rounds them; the loud one, which it may not reach yet, as it is until it does."""
    for channel in range(SHOWN):
        known = one if channel == LOUD else scale
        keeps = scale.largest >= one.largest or channel != LOUD
        hat = known.x_hat if keeps else known.x
        zero, role = hat[: stage.field.tokens, channel] == 0, "data soft thin" if _is_loud(one, channel) else "data"
        told = f"channel {channel}: {int((hat[:, channel] == 0).sum())} of {TOKENS} become 0"
        yield stage.field.stems("q", channel, hat[:, channel], ~zero, role, told)
        if not _is_loud(one, channel):
            yield stage.field.stems("z", channel, known.x[:, channel], zero, "dropped", told)
