"""The picture: X as stems with one loud channel, its quiet channels close up, W during the cure, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, Pen

from .compare import draw_comparison
from .model import CHANNELS, LOUD, SHOWN, TOKENS, level_values, matrices, migration
from .moments import ACTIVATIONS, AGAIN, COMPARED, CURED, State
from .stems import Field
from .words import share, size, spaced

LETTER = {"none": ("X", "W"), "smoothing": ("X/s", "sW"), "rotation": ("XH", "HᵀW")}


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    if state.step == COMPARED:
        yield from draw_comparison(pen, Box(0, 0, width, 400 if pen.narrow else 330), state)
        return
    left, right = fields(pen, state)
    yield from draw_whole(pen, left, state)
    if state.step == CURED:
        yield from draw_weights(pen, right, state)
    else:
        yield from draw_lens(pen, left, right)
        yield from draw_quiet(pen, right, state)
    yield from draw_words(pen, right, state)


def fields(pen: Pen, state: State) -> tuple[Field, Field]:
    """The whole scale, and the close-up: side by side, or one under the other with the same columns."""
    if pen.narrow:
        first, second, pitch = Box(36, 22, 288, 128), Box(36, 188, 288, 176), 2.0
        return (Field(pen, "a", first, state.loudness, pitch), Field(pen, "b", second, state.span, pitch))
    first, second = Box(44, 28, 272, 268), Box(392, 28, 448, 268)
    return (Field(pen, "a", first, state.loudness, 2.0), Field(pen, "b", second, state.span, 3.0))


def draw_whole(pen: Pen, field: Field, state: State) -> Iterator[Mark]:
    """The drawn channels on the scale of the largest value."""
    exact, kept = state.drawn
    values = kept if state.is_rounded else exact
    loud = np.zeros(values.shape, dtype=bool)
    loud[:, LOUD] = state.strength > 1 and not (state.step == AGAIN and state.cure == "rotation")
    name = LETTER[state.cure][0] if state.step >= CURED else "X"
    yield from field.frame(f"{name}: {SHOWN} of {CHANNELS:,} channels, {TOKENS} tokens", size(state.loudness))
    least = 0 if state.step == CURED else 2  # shorter ones hide behind the band that is shown close up
    yield field.stems("q", values, "data thin", ~loud, least=least)
    yield field.stems("l", values, "hot", loud)
    if state.step == CURED and state.cure != "none" and state.strength > 1:
        yield from draw_tower(pen, field, state)
    if state.strength > 1 and state.step < CURED:
        x, y = field.column(LOUD + 1) - field.pitch, field.box.y + pen.size
        yield pen.text("who", x, y, "an outlier:", "hot strong")
        yield pen.text("who2", x, y + 1.25 * pen.size, f"{state.strength} times as loud", "hot strong")


def draw_tower(pen: Pen, field: Field, state: State) -> Iterator[Mark]:
    """Where the loud channel stood before the cure, and what was done to it."""
    column = state.before.x[:, LOUD]
    top, bottom = field.height(float(column.max())), field.height(float(column.min()))
    x = field.column(LOUD) - field.pitch
    yield pen.rect("was", Box(x, top, field.pitch * (TOKENS + 1), bottom - top), "ghost")
    factor = migration(*matrices(state.strength))[LOUD]
    words = f"÷ {size(factor)}" if state.cure == "smoothing" else f"spread over all {CHANNELS:,}"
    yield pen.text("did", field.column(LOUD + 1) - field.pitch, field.box.y + pen.size, words, "hot strong")


def draw_lens(pen: Pen, left: Field, right: Field) -> Iterator[Mark]:
    """The band around zero in the whole that the close-up shows."""
    top, bottom = left.height(right.span), left.height(-right.span)
    yield pen.rect("band", Box(left.box.x, top, left.box.width, max(bottom - top, 2)), "hot outline soft", round=0)
    if pen.narrow:
        return
    ends = [[(left.box.right, top), (right.box.x - 34, right.box.y)],
            [(left.box.right, max(bottom, top + 2)), (right.box.x - 34, right.box.bottom)]]  # fmt: skip
    yield pen.strokes("lens", ends, "hot thin soft")


def draw_quiet(pen: Pen, field: Field, state: State) -> Iterator[Mark]:
    """The same columns close to zero: what the format can keep, what survives, and what became zero."""
    exact, kept = state.drawn
    zero = kept == 0
    loud = np.zeros(exact.shape, dtype=bool)
    loud[:, LOUD] = state.strength > 1 and state.now.cure != "rotation"
    yield from field.frame("The band around zero, close up", size(state.span))
    if state.is_rounded:
        yield from field.levels(level_values(state.now, state.span))
    values = kept if state.is_rounded else exact
    manner = " thin" if pen.narrow else ""
    yield field.stems("l", values, f"hot soft{manner}", loud)
    yield field.stems("q", values, f"data{manner}", ~zero & ~loud)
    role = "dropped" if state.is_rounded else f"data{manner}"
    yield field.stems("z", values, role, zero & ~loud, flat=state.is_rounded)


def draw_weights(pen: Pen, field: Field, state: State) -> Iterator[Mark]:
    """The rows of W that meet the drawn channels."""
    field = Field(pen, "w", field.box, state.w_span, field.pitch)
    rows = state.after.w[:, :TOKENS].T
    loud = np.zeros(rows.shape, dtype=bool)
    loud[:, LOUD] = state.cure == "smoothing"
    manner = " thin" if pen.narrow else ""
    yield from field.frame(f"{LETTER[state.cure][1]}: the rows that meet these channels", str(state.w_span))
    yield field.stems("q", rows, f"series-1{manner}", ~loud)
    yield field.stems("l", rows, "hot", loud)


def draw_words(pen: Pen, field: Field, state: State) -> Iterator[Mark]:
    """Under the right field: what is kept, and the one number of this step."""
    y = field.box.bottom + 1.4 * pen.size
    x = field.box.x if not pen.narrow else 0
    if state.step == ACTIVATIONS:
        yield pen.text("say", x, y + 1.5 * pen.size, "not rounded yet", "label", size=pen.large)
    elif state.step == CURED:
        left, right = LETTER[state.cure]
        equation = "X·W" if state.cure == "none" else f"{left} · {right} = X·W"
        yield pen.text("say", x, y + 1.5 * pen.size, equation, "kept strong", size=pen.large)
    else:
        what = "values" if state.now.cure == "rotation" else "quiet values"
        shade = "; shaded: too close to draw" if field.shaded(level_values(state.now, state.span)) else ""
        yield pen.text("kinds", x, y, f"{state.fmt}: {spaced(state.now)}{shade}", "note")
        words = f"{share(state.now.zeroed)} of the {what} are 0"
        role = "dropped strong" if state.now.zeroed >= 10 else "kept strong"
        yield pen.text("say", x, y + 1.5 * pen.size, words, role, size=pen.large)
