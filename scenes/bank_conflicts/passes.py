"""How far the read has come, and how many passes it takes in every layout. Length is passes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count

from .model import BANKS, LAYOUTS, footprint
from .moments import OTHERS, PASS, QUEUE, State
from .stage import Stage
from .words import foot_lines


def draw_passes(at: Stage, state: State) -> Iterator[Mark]:
    pen, box = at.pen, at.passes
    read = state.rivals[state.shown]
    made = read.passes if state.phase == OTHERS else state.at
    if pen.narrow:
        top = box.y
        yield pen.text("title", box.x, top, "passes that this read takes", "label")
        yield pen.text("pass", box.right, top, f"pass {made} of {read.passes}", "value strong", anchor="end")
        tall, first = 29, top + 9
    else:
        yield from draw_counts(pen, box, state, made)
        top = at.memory.y
        yield pen.text("title", box.x, top + pen.size * 0.3, "passes that this read takes", "label")
        yield pen.text("memory-title", box.right, top + pen.size * 0.3, "memory", "note", anchor="end")
        tall, first = 52, top + 14
    for place, layout in enumerate(LAYOUTS):
        yield from draw_layout(pen, Box(box.x, first + place * tall, box.width, tall), state, layout)
    low = first + len(LAYOUTS) * tall + (pen.size if pen.narrow else 2 * pen.size)
    for index, words in enumerate(foot_lines(state, pen.narrow)):
        yield pen.text(f"foot-{index}", box.x, low + index * 1.35 * pen.size, words, "note")


def draw_counts(pen: Pen, box: Box, state: State, made: int) -> Iterator[Mark]:
    """The pass and the bytes so far, large."""
    read = state.rivals[state.shown]
    second = box.x + box.width / 2
    yield pen.text("pass-name", box.x, pen.size, "pass", "note")
    yield pen.text("pass", box.x, pen.size + 26, f"{made} of {read.passes}", "value strong", size=pen.large)
    yield pen.text("bytes-name", second, pen.size, "bytes handed over", "note")
    yield pen.text("bytes", second, pen.size + 26, f"{state.handed} of {read.handed}", "value strong", size=pen.large)


def draw_layout(pen: Pen, row: Box, state: State, layout: str) -> Iterator[Mark]:
    """One layout: its name, its passes, its memory, and a bar that fills with the passes made."""
    chosen, read = layout == state.layout, state.rivals.get(layout)
    base = row.y + pen.size
    best = state.phase == OTHERS and layout == state.best
    role = "hot strong" if chosen else "kept strong" if best else "label"
    words = f"{layout}: {count(read.passes, 'pass', 'passes')}" if read else f"{layout}: rows are not aligned"
    yield pen.text(f"{layout}-name", row.x, base, words, role)
    if read:
        words = f"{footprint(layout):,} words" + (" of memory" if pen.narrow else "")
        yield pen.text(f"{layout}-words", row.right, base, words, "note", anchor="end")
    track = Box(row.x, base + 5, row.width, 9 if pen.narrow else 14)
    label = f"Store the tile {layout}"
    yield pen.rect(f"{layout}-track", track, "cell soft", set={"layout": layout}, label=label)
    unit = track.width / BANKS
    for key, start, end, role in bar_parts(state, layout):
        inner = Box(track.x + start * unit, track.y, (end - start) * unit, track.height)
        yield pen.rect(f"{layout}-{key}", inner, role, round=1)


def bar_parts(state: State, layout: str) -> list[tuple[str, int, int, str]]:
    """A layout's bar: all its passes, over them those made, and the one now. Every part is always there, if empty."""
    if layout not in state.rivals:
        return [("all", 0, 0, "quiet"), ("made", 0, 0, "kept"), ("now", 0, 0, "hot")]
    passes, fewest = state.rivals[layout].passes, state.rivals[state.best].passes
    made, now, rest = 0, 0, "quiet"
    if layout != state.layout:
        made = passes if state.phase == OTHERS and layout == state.best else 0
    elif state.phase == OTHERS:
        made, rest = fewest, "dropped"
    elif state.phase in (QUEUE, PASS):
        now = max(state.at, 1)
        made, rest = now - 1, "dropped" if state.request.degree > 1 else "quiet"
    return [("all", 0, passes, rest), ("made", 0, made, "kept"), ("now", made, max(made, now), "hot")]
