"""The picture: the loud channel and what rounding leaves of the quiet ones, and under it the same after the cure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Mark, headline, memoized
from loom.scene import Moment

from .model import (
    CHANNELS,
    LOUD,
    SHOWN,
    STRENGTHS,
    TOKENS,
    Case,
    level_values,
    mixed_channels,
    moved,
)
from .row import Row, rows_of
from .stems import Field
from .trial import share, size

LETTERS = {"smoothing": "X/s", "rotation": "XH"}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    trial = moment.result
    top, below = rows_of(width, trial)
    yield from _headings(top, below, moment)
    yield from _loudness(top, 0.0, moment.past("activations"))
    yield from top.floor()
    if moment.past("activations") == 1:
        yield from _strength(top)
    yield from _quiet(top, trial.before, round(moment.past("crushed") * SHOWN))
    yield from _answer(top, trial.before, moment.past("crushed"), moment.since("product"))
    yield from below.floor()
    if moment.past("activations") == 1:
        yield from _tower(below)
    if moment.since("cured"):
        yield from _loudness(below, doing(moment))
    if moment.past("activations") == 1 and moment.past("cured") < 1:
        yield from _uncured(below)
    if moment.past("cured") == 1:
        yield from _largest(below)
        yield from _quiet(below, trial.after, round(moment.past("again") * SHOWN))
        yield from _answer(below, trial.after, moment.past("again"), moment.since("product"))


def doing(moment: Moment) -> float:
    """How much of the cure is done: nothing in the first picture of its chapter."""
    return 1.0 if moment.phase != "cured" else moment.beat / (moment.beats - 1)


def _headings(top: Row, below: Row, moment: Moment) -> Iterator[Mark]:
    """What is in each row; of the cure, how far it is."""
    pen, trial, part = top.pen, moment.result, doing(moment)
    words = pen.pick("X: largest |x|", "X: the largest of each channel")
    yield pen.text("a-what", 0, top.heading, words, "label strong")
    if moment.since("crushed"):
        yield top.steps(trial.before)
    near = pen.pick(f"{SHOWN} channels near 0", f"{SHOWN} of {CHANNELS:,} channels, close to 0")
    yield pen.text("a-near", top.field.box.x, top.heading, near, "note")
    if trial.strength > 1:
        yield top.loud()
    if not moment.since("cured"):
        yield pen.text("b-what", 0, below.heading, f"the same X, before its {trial.cure}", "note")
        return
    yield pen.text("b-what", 0, below.heading, f"{LETTERS[trial.cure]}", "label strong")
    if moment.since("again"):
        yield below.steps(trial.after)
        if pen.narrow:
            return
    factor = float(moved(trial.strength)[LOUD]) ** part
    words = f"its loud channel ÷ {size(factor)}" if trial.cure == "smoothing" else _mixed(mixed_channels(part))
    yield pen.text("b-how", pen.text_width(LETTERS[trial.cure], strong=True) + 8, below.heading, words, "label")


def _mixed(channels: int) -> str:
    return f"each value spread over {channels:,} channels" if channels > 1 else "one channel still has all of it"


@memoized
def _loudness(row: Row, part: float, grown: float = 1.0) -> Iterator[Mark]:
    """The drawn channels when a part of the cure is done, each as tall as its largest magnitude; the loud one grows."""
    for channel, value in enumerate(row.trial.loudness(part).tolist()):
        tall = 1 + (value - 1) * grown if channel == LOUD else value
        told = f"channel {channel}: values up to {size(value)}"
        yield row.pen.rect(f"{row.key}-bar{channel}", row.bar(channel, tall), "data", round=0, read=told)


@memoized
def _strength(row: Row) -> Iterator[Mark]:
    """Over the loud channel how loud it is; there it can be taken hold of."""
    pen, trial, box = row.pen, row.trial, row.towers
    one = trial.loudness(0)[LOUD] / trial.strength
    bars = [row.bar(LOUD, one * strength) for strength in STRENGTHS]
    bar = bars[STRENGTHS.index(trial.strength)]
    x = bar.x + bar.width / 2
    y = min(max(bar.y, box.y + 12), box.bottom - pen.pick(1.2, 2.0) * pen.size)
    beside = x + pen.pick(18, 20)  # clear of the halo of the knob
    yield pen.text("loud", beside, y, size(trial.before.largest), "value strong", middle=True)
    if not pen.narrow:
        words = f"{trial.strength} times as loud" if trial.strength > 1 else "as loud as the others"
        yield pen.text("times", beside, y + 1.3 * pen.size, words, "note", middle=True)
    yield pen.knob("strength", x, bar.y, "strength", [(x, bar.y) for bar in bars], label="Loudness of the channel")


def _tower(row: Row) -> Iterator[Mark]:
    """Where the loud channel stood before the cure."""
    yield row.pen.rect("b-was", row.bar(LOUD, float(row.trial.loudness(0)[LOUD])), "ghost soft", round=0)


def _largest(row: Row) -> Iterator[Mark]:
    """What the scale has to reach after the cure; it stands just over the bars, which are low now."""
    pen, bar, number = row.pen, row.bar(LOUD, 0), size(row.trial.after.largest)
    x, y = bar.right + pen.pick(6, 8), row.towers.bottom - pen.pick(26, 22)
    yield pen.text("b-top", x, y, number, "value strong", middle=True)
    words, down = pen.pick((0, 1.15 * pen.size), (pen.text_width(number, strong=True) + 6, 0))
    yield pen.text("b-all", x + words, y + down, pen.pick("at most", "is the largest"), "note", middle=True)


@memoized
def _uncured(row: Row) -> Iterator[Mark]:
    """The values close to zero as they are before the cure, which then moves them."""
    field, one = row.field, row.trial.before
    yield from row.lens()
    yield from field.frame()
    for channel in range(SHOWN):
        values = one.x[:, channel]
        yield field.stems("q", channel, values, np.ones(values.size, bool), "data soft thin")


@memoized
def _quiet(row: Row, one: Case, done: int) -> Iterator[Mark]:
    """The values close to zero; channel by channel they are rounded, and what becomes zero is lost."""
    field = row.field
    yield from row.lens()
    yield from field.frame()
    if done:
        yield from _steps(field, one)
    for channel in range(SHOWN):
        yield from _channel(field, one, channel, channel < done)


@memoized
def _steps(field: Field, one: Case) -> Iterator[Mark]:
    """What a value can be rounded to, and the limits of what becomes zero."""
    yield field.levels(level_values(one, field.span))
    yield field.crush(one.step / 2)


@memoized
def _channel(field: Field, one: Case, channel: int, now: bool) -> Iterator[Mark]:
    """The values of a channel; `now` that it is rounded, and those that become zero."""
    zero = one.x_hat[: field.tokens, channel] == 0
    loud = channel == LOUD and one.strength > 1 and one.cure != "rotation"
    told = f"channel {channel}: {int((one.x_hat[:, channel] == 0).sum())} of {TOKENS} become 0" if now else ""
    values, role = (one.x_hat if now else one.x)[:, channel], "data soft thin" if loud else "data"
    yield field.stems("q", channel, values, ~zero | (not now), role, told)
    if now:
        yield field.stems("z", channel, one.x[:, channel], zero, "dropped", told)


def _answer(row: Row, one: Case, rounded: float, product: bool) -> Iterator[Mark]:
    """What is lost: the share that becomes zero, the distance of the values that are left, the product's error."""
    if rounded < 1:
        return
    pen, key, box = row.pen, row.key, row.field.box
    role = "dropped" if one.zeroed >= 10 else "work"
    what = "values" if one.cure == "rotation" else "quiet values"
    number = share(one.zeroed)
    x, y = pen.pick((0, row.heading - 21), (box.right + 22, row.field.zero + 7))
    if not pen.narrow:
        yield row.field.crushed(one.step / 2, role)
    off = f"error of X·W: {share(one.error)}" if product else ""
    words = pen.pick([f"of the {what} become 0", off], [f"of the {what}", "become 0"])
    rest = pen.pick(f"{role} strong", "")
    yield from headline(pen, x, y, number, words, role, key=f"{key}-zero", under=not pen.narrow, rest=rest)
    if product and not pen.narrow:
        yield pen.text(f"{key}-error", x, y + 24 + 2.75 * pen.size, off, f"{role} strong answer")
