"""Numbers as bars: those of the state, of a value that waits to be written, and of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from loom.draw import Box, Mark, Pen, fixed, memoized, number

from .places import Places
from .toy import KEYS, SIDE, VALUES, WORDS, Toy

LIGHTEST, DARKEST = 0.35, 0.95  # of bars, for 0 and for the largest number


@memoized
def draw_cells(places: Places, toy: Toy, token: int, part: str) -> Iterator[Mark]:
    """The state, with a bar for each number; the token's own stand beside it until they are written."""
    pen, state = places.pen, places.state
    yield pen.rect("state", state, "pad")
    inner = [[(x, state.y), (x, state.bottom)] for x in (box.x for box in state.columns(SIDE)[1:])]
    inner += [[(state.x, y), (state.right, y)] for y in (box.y for box in state.rows(SIDE)[1:])]
    yield pen.strokes("state-grid", inner, "grid")
    written = {
        (row, column): (state.rows(SIDE)[row].columns(SIDE)[column], entry, whence(toy, token, part, row, column))
        for (row, column), entry in np.ndenumerate(toy.held(token, part))
        if entry
    }
    waiting, column = {}, int(KEYS[token].argmax())
    if part != "write":
        told = f"the value of {WORDS[token]}"
        boxes = places.column(-1).rows(SIDE)
        waiting = {(row, column): (boxes[row], entry, told) for row, entry in enumerate(VALUES[token]) if entry}
    for (row, at), (box, entry, told) in sorted((written | waiting).items()):
        yield bar(pen, f"cell-{row}-{at}", box, float(entry), told)
    for (row, at), (box, entry, _) in written.items():
        yield over_bar(pen, f"cell-{row}-{at}-text", box, float(entry))


def foot(box: Box) -> float:
    """The height of a bar, at the foot of its box."""
    return max(4.0, 0.26 * box.height)


def bar(pen: Pen, key: str, box: Box, entry: float, read: str) -> Mark:
    """A number at the foot of its box: the larger, the longer and the darker."""
    share, tall = min(entry / float(VALUES.max()), 1), foot(box)
    room = box.inset(2, box.height - tall, 2, 1)
    mark = pen.rect(key, room._replace(width=share * room.width), "data", round=1, read=read)
    return mark._replace(shape={**mark.shape, "opacity": round(LIGHTEST + (DARKEST - LIGHTEST) * share, 2)})


def over_bar(pen: Pen, key: str, box: Box, entry: float) -> Mark:
    """A number in figures, over the place of its bar; zeros stay behind."""
    y = box.y + (box.height - foot(box)) / 2 + 0.5
    role = "value" if entry else "note"
    return pen.text(key, box.x + box.width / 2, y, shown(entry), role, anchor="middle", middle=True)


def whence(toy: Toy, token: int, part: str, row: int, column: int) -> str:
    """Which word has written a number of the state, and what is left of it: no two write into the same place."""
    last = token if part == "write" else token - 1
    at = max(at for at in range(last + 1) if KEYS[at][column] and VALUES[at][row])
    wrote, entry = float(VALUES[at][row]), float(toy.held(token, part)[row][column])
    words = f"{WORDS[at]} wrote {number(wrote)}"
    return words if entry == wrote else f"{words}; {shown(entry)} of it is left"


def draw_answer_column(places: Places, toy: Toy, there: bool) -> Iterator[Mark]:
    """What comes back for the key: a copy of the column that it picks, over it and then beside the state."""
    pen, box = places.pen, places.column(1)
    start = places.state.columns(SIDE)[int(KEYS[-1].argmax())]
    if there:
        yield frame(pen, "found", box.rows(SIDE), "pad")
        yield name_under(pen, "answer", box)
    for row, (entry, place) in enumerate(zip(toy.answer.tolist(), (box if there else start).rows(SIDE), strict=True)):
        if entry:
            yield bar(pen, f"found-bar-{row}", place, entry, f"the state gives {shown(entry)}")
        if there:
            yield over_bar(pen, f"found-{row}", place, entry)


def name_under(pen: Pen, name: str, box: Box) -> Mark:
    """What a box of numbers is."""
    return pen.text(f"{name}-name", box.x + box.width / 2, box.bottom + pen.size + 4, name, "note", anchor="middle")


def frame(pen: Pen, key: str, boxes: Sequence[Box], role: str) -> Mark:
    """Around numbers side by side, or one under the other."""
    first, last = boxes[0], boxes[-1]
    return pen.rect(key, Box(first.x, first.y, last.right - first.x, last.bottom - first.y), role)


def shown(entry: float) -> str:
    """Whole numbers as they are, others with two decimals."""
    return number(entry) if entry == round(entry) else fixed(entry)
