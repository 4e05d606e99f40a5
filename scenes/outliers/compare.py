"""The verdict: the product's signal over its error, for every format and cure at one loudness."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .model import CURES, FORMATS, Case, case
from .moments import State
from .words import CURE_NAMES, NAMES, share

MOST = 42.0  # dB at the end of the track


def draw_comparison(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """Nine bars in three groups; each is a button that chooses its format and cure."""
    groups = box.inset(top=2.4 * pen.size).rows(len(FORMATS), gap=14)
    words = "X·W: signal over error" if pen.narrow else "The product X·W: signal over error, longer is better"
    yield pen.text("head", 0, pen.size, words, "note")
    yield pen.text("head-d", box.right - (40 if pen.narrow else 60), pen.size, "dB", "note", anchor="end")
    yield pen.text("head-e", box.right, pen.size, "error", "note", anchor="end")
    for fmt, group in zip(FORMATS, groups, strict=True):
        names = Box(group.x, group.y, group.width, group.height)
        if pen.narrow:
            yield pen.text(f"{fmt}-n", 0, names.y + 0.8 * pen.size, NAMES[fmt], "label strong")
            names = names.inset(top=1.4 * pen.size)
        else:
            yield pen.text(f"{fmt}-n", 0, names.y + names.height / 2, NAMES[fmt], "label strong", middle=True)
        for cure, row in zip(CURES, names.rows(len(CURES), gap=4), strict=True):
            chosen = (fmt, cure) == (state.fmt, state.cure)
            yield from draw_row(pen, row, case(fmt, cure, state.strength), chosen)


def draw_row(pen: Pen, row: Box, one: Case, chosen: bool) -> Iterator[Mark]:
    """One bar, with its numbers."""
    key = f"{one.fmt}-{one.cure}"
    start = row.x + (68 if pen.narrow else 196)
    track = Box(start, row.y, row.right - 44 - (40 if pen.narrow else 60) - start, row.height)
    middle = row.y + row.height / 2
    role = "hot strong" if chosen else "label"
    press, label = {"format": one.fmt, "cure": one.cure}, f"show {NAMES[one.fmt]} with {CURE_NAMES[one.cure]}"
    yield pen.text(f"{key}-n", start - 8, middle, CURE_NAMES[one.cure], role, anchor="end", middle=True)
    yield pen.rect(f"{key}-t", track, "cell soft", set=press, label=label)
    length = track.width * one.sqnr / MOST
    yield pen.rect(f"{key}-b", Box(start, row.y, length, row.height), "hot" if chosen else "data soft")
    yield pen.text(f"{key}-d", track.right + 44, middle, f"{one.sqnr:.1f}", role, anchor="end", middle=True)
    yield pen.text(f"{key}-e", row.right, middle, share(one.error), role if chosen else "note", anchor="end",
                   middle=True)  # fmt: skip
