"""What would be kept without a state: a key and a value of every word, for good."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, memoized

from .cells import shown
from .places import Places
from .toy import KEYS, SIDE, VALUES, WORDS


@memoized
def draw_kept(places: Places, token: int, asked: bool) -> Iterator[Mark]:
    """All keys and values up to a token: on a phone as a bar below that of the state, else number by number."""
    if places.pen.narrow:
        yield from draw_bars(places, token)
        return
    pen, numbers = places.pen, (token + 1) * 2 * SIDE
    (key, value), (_, last) = places.cached(0), places.cached(len(WORDS) - 1)
    title, top = "attention would keep keys and values:", key.y - 32
    yield pen.text("keys-words", 440, top, title, "note")
    yield pen.text("keys-numbers", 446 + pen.text_width(title), top, f"{numbers}", "value strong")
    for name, box in (("keys", key), ("values", value)):
        yield pen.text(f"{name}-side", box.x - 8, box.y + box.height / 2, name, "note", anchor="end", middle=True)
    for at, word in enumerate(WORDS[: token + 1]):
        yield from draw_column(places, at, word)
    words = f"{2 * SIDE} numbers more with every word"
    if asked:
        words = f"attention would compare this key with all {token + 1}"
        yield pen.rect("keys-asked", Box(key.x - 3, key.y - 3, last.right - key.x + 6, key.height + 6), "hot outline")
    yield pen.text("keys-note", value.x, value.bottom + pen.size + 4, words, "hot" if asked else "note")


@memoized
def draw_column(places: Places, at: int, word: str) -> Iterator[Mark]:
    """A word's key over its value; as in the state, zeros are left blank."""
    pen, boxes = places.pen, places.cached(at)
    told = f"“{word}”: {SIDE} numbers of its key, {SIDE} of its value"
    yield pen.text(f"keys-{at}-word", boxes[0].x + 30, boxes[0].y - 8, word, "note", anchor="middle")
    for name, box, entries in zip(("keys", "values"), boxes, (KEYS[at], VALUES[at]), strict=True):
        yield pen.rect(f"{name}-{at}", box, "ghost", read=told)
        for row, entry in enumerate(entries.tolist()):
            cell = box.rows(SIDE)[row]
            if entry:
                yield pen.text(f"{name}-{at}-{row}", cell.x + cell.width / 2, cell.y + cell.height / 2, shown(entry),
                               "value", anchor="middle", middle=True)  # fmt: skip


def draw_bars(places: Places, token: int) -> Iterator[Mark]:
    """How many numbers there are in the state, and in keys and values, drawn as the same two are in the plot."""
    pen, keys = places.pen, (token + 1) * 2 * SIDE
    for row, (name, words, numbers) in enumerate((("kept", "state", SIDE * SIDE), ("keys", "keys and values", keys))):
        box = places.kept(row, 0, numbers)
        y = box.y + box.height / 2
        yield pen.text(f"{name}-words", box.x - 8, y, words, "note", anchor="end", middle=True)
        yield pen.text(f"{name}-numbers", box.right + 6, y, str(numbers), "value", middle=True)
    yield pen.rect("kept", places.kept(0, 0, SIDE * SIDE), "series-1", read=f"the state: {SIDE * SIDE} numbers")
    for at, word in enumerate(WORDS[: token + 1]):
        told = f"“{word}”: {SIDE} numbers of its key, {SIDE} of its value"
        yield pen.rect(f"keys-{at}", places.kept(1, at * 2 * SIDE, 2 * SIDE), "ghost", read=told)
