"""The list of rules in their order: how many tokens each has left, and how open the choice is after it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .layout import COUNT, Layout
from .model import State, effective_choices
from .words import setting


def draw_chain(at: Layout, state: State) -> Iterator[Mark]:
    """A row for the model's own distribution and for each rule; those still to come have only their name."""
    pen, box = at.pen, at.chain
    entries = [("plain", "softmax", state.plain, COUNT)]
    for stage in state.stages:
        entries.append((stage.rule, setting(state, stage.rule), stage.after, int(stage.alive.sum())))
    yield pen.text(
        "chain-title", box.x, box.y - (8 if pen.narrow else 22), "tokens left, and effective choices", "note"
    )
    for place, ((key, name, probabilities, left), row) in enumerate(zip(entries, box.rows(len(entries)), strict=True)):
        now = place == state.step
        on = key == "plain" or state.settings.is_on(key)
        role = "hot strong" if now else "label" if place < state.step else "note"
        y, bar = places(at, row)
        yield pen.text(f"rule-{key}", row.x, y, name, role, middle=True)
        if place > state.step:
            continue
        choices, unit = effective_choices(probabilities), bar.width / COUNT
        soft = "" if on else " soft"
        yield pen.rect(f"left-{key}", Box(bar.x, bar.y, unit * left, bar.height), "cell")
        yield pen.rect(f"open-{key}", Box(bar.x, bar.y, unit * choices, bar.height), ("hot" if now else "data") + soft)
        words = f"{left}, worth {choices:.1f}"
        yield pen.text(f"left-{key}-words", box.right, y, words, "value" if on else "note", anchor="end", middle=True)


def places(at: Layout, row: Box) -> tuple[float, Box]:
    """The height of a row's words, and the room of its bar: beside them on a phone, else under them."""
    if at.pen.narrow:
        return row.y + row.height / 2, Box(100, row.y + 3, 150, row.height - 5)
    return row.y + 8, Box(row.x, row.y + 20, row.width, 14)
