"""The picture: X as stems with one loud channel, its quiet channels close up, W during the cure, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .model import CHANNELS, CURES, FORMATS, LOUD, SHOWN, TOKENS, Array, Case, case, level_values, matrices, migration
from .stems import Field
from .trial import CURE_NAMES, NAMES, Trial, share, size

LETTER = {"none": ("X", "W"), "smoothing": ("X/s", "sW"), "rotation": ("XH", "HᵀW")}
MOST = 42.0  # dB at the end of a bar's track


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, trial = Pen(width), moment.result
    if moment.phase == "compared":
        yield from _verdict(pen, Box(0, 0, width, pen.pick(400, 330)), trial)
        return
    left, right = fields(pen, moment)
    yield from _whole(left, moment)
    if moment.phase == "cured":
        yield from _weights(right, trial)
    else:
        yield from _lens(left, right)
        yield from _quiet(right, moment)
    yield from _words(right, moment)


def now(moment: Moment) -> Case:
    """What is on the stage."""
    trial: Trial = moment.result
    return trial.after if moment.since("cured") else trial.before


def drawn(moment: Moment) -> tuple[Array, NDArray[np.bool_]]:
    """X as it is on the stage, and which of it is rounded to zero; both of shape (tokens, drawn channels)."""
    kept = now(moment).x_hat[:, :SHOWN]
    return kept if is_rounded(moment) else now(moment).x[:, :SHOWN], kept == 0


def is_rounded(moment: Moment) -> bool:
    return moment.phase in ("crushed", "again")


def loud_channel(there: bool) -> NDArray[np.bool_]:
    """Where the loud channel is among those drawn, if it is; shape (tokens, drawn channels)."""
    loud = np.zeros((TOKENS, SHOWN), dtype=bool)
    loud[:, LOUD] = there
    return loud


def fields(pen: Pen, moment: Moment) -> tuple[Field, Field]:
    """The whole scale, and the close-up: side by side, or one under the other with the same columns."""
    trial: Trial = moment.result
    # A cure lowers the values first, and then the scale.
    loudness = (trial.after if moment.since("again") else trial.before).largest
    first, second = pen.pick(
        (Box(36, 22, 288, 128), Box(36, 188, 288, 176)), (Box(44, 28, 272, 268), Box(392, 28, 448, 268))
    )
    return Field(pen, "a", first, loudness, 2.0), Field(pen, "b", second, trial.span, pen.pick(2.0, 3.0))


def _whole(field: Field, moment: Moment) -> Iterator[Mark]:
    """The drawn channels on the scale of the largest value."""
    pen, trial, (values, _) = field.pen, moment.result, drawn(moment)
    loud = loud_channel(trial.strength > 1 and not (moment.phase == "again" and trial.cure == "rotation"))
    name = LETTER[trial.cure][0] if moment.since("cured") else "X"
    yield from field.frame(f"{name}: {SHOWN} of {CHANNELS:,} channels, {TOKENS} tokens", size(field.span))
    least = 0 if moment.phase == "cured" else 2  # shorter ones hide behind the band that is shown close up
    yield field.stems("q", values, "data thin", ~loud, least=least)
    yield field.stems("l", values, "hot", loud)
    if trial.strength == 1:
        return
    x, y = field.column(LOUD + 1) - field.pitch, field.box.y + pen.size
    if not moment.since("cured"):
        yield pen.text("who", x, y, "an outlier:", "hot strong")
        yield pen.text("who2", x, y + 1.25 * pen.size, f"{trial.strength} times as loud", "hot strong")
    elif moment.phase == "cured" and trial.cure != "none":  # where the loud channel stood, and what was done to it
        column = trial.before.x[:, LOUD]
        top, bottom = field.height(float(column.max())), field.height(float(column.min()))
        tower = Box(field.column(LOUD) - field.pitch, top, field.pitch * (TOKENS + 1), bottom - top)
        factor = size(migration(*matrices(trial.strength))[LOUD])
        words = f"÷ {factor}" if trial.cure == "smoothing" else f"spread over all {CHANNELS:,}"
        yield pen.rect("was", tower, "ghost")
        yield pen.text("did", x, y, words, "hot strong")


def _lens(left: Field, right: Field) -> Iterator[Mark]:
    """The band around zero in the whole that the close-up shows."""
    pen, top, bottom = left.pen, left.height(right.span), left.height(-right.span)
    band = Box(left.box.x, top, left.box.width, max(bottom - top, 2))
    yield pen.rect("band", band, "hot outline soft", round=0)
    if not pen.narrow:
        x = right.box.x - 34
        ends = [[(band.right, top), (x, right.box.y)], [(band.right, band.bottom), (x, right.box.bottom)]]
        yield pen.strokes("lens", ends, "hot thin soft")


def _quiet(field: Field, moment: Moment) -> Iterator[Mark]:
    """The same columns close to zero: what the format can keep, what survives, and what became zero."""
    one, rounded, (values, zero) = now(moment), is_rounded(moment), drawn(moment)
    loud = loud_channel(one.strength > 1 and one.cure != "rotation")
    yield from field.frame("The band around zero, close up", size(field.span))
    if rounded:
        yield from field.levels(level_values(one, field.span))
    manner = field.pen.pick(" thin", "")
    yield field.stems("l", values, f"hot soft{manner}", loud)
    yield field.stems("q", values, f"data{manner}", ~zero & ~loud)
    yield field.stems("z", values, "dropped" if rounded else f"data{manner}", zero & ~loud, flat=rounded)


def _weights(right: Field, trial: Trial) -> Iterator[Mark]:
    """The rows of W that meet the drawn channels."""
    field = Field(right.pen, "w", right.box, trial.w_span, right.pitch)
    rows, loud = trial.after.w[:, :TOKENS].T, loud_channel(trial.cure == "smoothing")
    yield from field.frame(f"{LETTER[trial.cure][1]}: the rows that meet these channels", str(trial.w_span))
    yield field.stems("q", rows, "series-1" + field.pen.pick(" thin", ""), ~loud)
    yield field.stems("l", rows, "hot", loud)


def _words(field: Field, moment: Moment) -> Iterator[Mark]:
    """Under the right field: what is kept, and the one number of this step."""
    pen, trial, one = field.pen, moment.result, now(moment)
    x, y = pen.pick(0, field.box.x), field.box.bottom + 1.4 * pen.size
    if is_rounded(moment):
        shade = "; shaded: too close to draw" if field.shaded(level_values(one, field.span)) else ""
        yield pen.text("kinds", x, y, f"{trial.format}: {spaced(one)}{shade}", "note")
        words = f"{share(one.zeroed)} of the {'values' if one.cure == 'rotation' else 'quiet values'} are 0"
        role = "dropped strong" if one.zeroed >= 10 else "kept strong"
    elif moment.phase == "cured":
        words, role = "X·W" if trial.cure == "none" else f"{' · '.join(LETTER[trial.cure])} = X·W", "kept strong"
    else:
        words, role = "not rounded yet", "label"
    yield pen.text("say", x, y + 1.5 * pen.size, words, role, size=pen.large)


def spaced(one: Case) -> str:
    """What the format offers around zero."""
    if one.fmt == "INT8":
        return f"255 values, {size(one.step)} apart"
    return "253 values, crowded near 0" if one.fmt == "E4M3" else f"15 values; next to 0 is ±{size(one.step)}"


def _verdict(pen: Pen, box: Box, trial: Trial) -> Iterator[Mark]:
    """The product's signal over its error: nine bars in three groups, each a button that chooses format and cure."""
    groups, errors = box.inset(top=2.4 * pen.size).rows(len(FORMATS), gap=14), pen.pick(40, 60)
    words = pen.pick("X·W: signal over error", "The product X·W: signal over error, longer is better")
    yield pen.text("head", 0, pen.size, words, "note")
    yield pen.text("head-d", box.right - errors, pen.size, "dB", "note", anchor="end")
    yield pen.text("head-e", box.right, pen.size, "error", "note", anchor="end")
    for fmt, group in zip(FORMATS, groups, strict=True):
        if pen.narrow:
            yield pen.text(f"{fmt}-n", 0, group.y + 0.8 * pen.size, NAMES[fmt], "label strong")
            group = group.inset(top=1.4 * pen.size)
        else:
            yield pen.text(f"{fmt}-n", 0, group.y + group.height / 2, NAMES[fmt], "label strong", middle=True)
        for cure, row in zip(CURES, group.rows(len(CURES), gap=4), strict=True):
            track = row.inset(left=pen.pick(68, 196), right=44 + errors)
            chosen = (fmt, cure) == (trial.format, trial.cure)
            yield from _bar(pen, row, track, case(fmt, cure, trial.strength), chosen)


def _bar(pen: Pen, row: Box, track: Box, one: Case, chosen: bool) -> Iterator[Mark]:
    """One bar, with its numbers."""
    key, middle, role = f"{one.fmt}-{one.cure}", row.y + row.height / 2, "hot strong" if chosen else "label"
    press, label = {"format": one.fmt, "cure": one.cure}, f"show {NAMES[one.fmt]} with {CURE_NAMES[one.cure]}"
    yield pen.text(f"{key}-n", track.x - 8, middle, CURE_NAMES[one.cure], role, anchor="end", middle=True)
    yield pen.rect(f"{key}-t", track, "cell soft", set=press, label=label)
    bar = Box(track.x, row.y, track.width * one.sqnr / MOST, row.height)
    yield pen.rect(f"{key}-b", bar, "hot" if chosen else "data soft")
    yield pen.text(f"{key}-d", track.right + 44, middle, f"{one.sqnr:.1f}", role, anchor="end", middle=True)
    yield pen.text(f"{key}-e", row.right, middle, share(one.error), role if chosen else "note", anchor="end",
                   middle=True)  # fmt: skip
