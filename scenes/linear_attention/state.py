"""The small state: its cells, the token that comes, and what it gives when it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loom.draw import Box, Mark, Pen, fixed, memoized, number, paragraph
from loom.scene import Moment

from .model import Shape
from .narration import FILLED, PARTS
from .toy import ALPHA, DELTA, KEYS, SIDE, VALUES, WORDS, Toy

DARKEST = 0.55  # of a cell that holds the largest number


@dataclass(frozen=True)
class Places:
    """Where the words, the key, the value, the state and its answer stand."""

    pen: Pen
    small: bool  # where it makes room for the memory of a model

    @property
    def cell(self) -> tuple[float, float]:
        return (30.0, 16.0) if self.small else self.pen.pick((38.0, 29.0), (50.0, 35.0))

    @property
    def corner(self) -> tuple[float, float]:
        """The state's upper left."""
        return (0.0, 211.0) if self.small else self.pen.pick((70.0, 110.0), (92.0, 106.0))

    @property
    def gap(self) -> float:
        """Between the state and its key."""
        return 4.0 if self.small else 10.0

    @property
    def state(self) -> Box:
        return Box(*self.corner, SIDE * self.cell[0], SIDE * self.cell[1])

    @property
    def key(self) -> Box:
        wide, tall = self.cell
        return Box(self.corner[0], self.corner[1] - tall - self.gap, SIDE * wide, tall)

    def column(self, side: int) -> Box:
        """A vector beside the state: left of it, or right of it."""
        x = self.corner[0] - self.cell[0] - 12 if side < 0 else self.state.right + self.gap + 2
        return Box(x, self.corner[1], self.cell[0], SIDE * self.cell[1])

    def kept(self, row: int, first: int, numbers: int) -> Box:
        """So many numbers in one of the two rows below the state, all of one width."""
        left, wide, pitch = self.pen.pick((96.0, 5.2, 14.0), (122.0, 6.6, 17.0))
        return Box(left + first * wide, self.state.bottom + self.pen.pick(44, 57) + row * pitch, numbers * wide, 9)


def draw_state(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """The token that is read, and the state when it has been."""
    places, toy = Places(pen, pen.narrow and moment.phase == "count"), moment.result.toy
    asked = moment.since("ask")
    token = moment.beat if moment.phase == "fill" else FILLED
    part = part_of(toy, moment)
    if not places.small:
        yield from draw_words(places, token, "hot strong" if not asked else "label strong")
    key, value, state = places.key, places.column(-1), places.state
    yield from draw_vector(pen, "key", [key.columns(SIDE)[at] for at in range(SIDE)], KEYS[token].tolist(), "cell")
    yield pen.text("key-name", key.right + places.gap + 2, key.y + key.height / 2, "key", "note", middle=True)
    if not asked:
        yield from draw_vector(pen, "value", value.rows(SIDE), VALUES[token].tolist(), "cell")
        yield pen.text(
            "value-name", value.x + value.width / 2, value.bottom + pen.size + 4, "value", "note", anchor="middle"
        )
    yield from draw_cells(places, toy, token, part)
    yield pen.text(
        "state-name", state.x + state.width / 2, state.bottom + pen.size + 4, "state", "note", anchor="middle"
    )
    if not places.small:
        yield from draw_kept(places, token)
    if moment.phase == "again" and toy.rule == DELTA:
        yield from draw_parts(places, part)
    if moment.phase == "count":
        yield from draw_real(places, moment.result.memory.shape)
    if asked:
        yield from draw_answer_column(places, toy, "hot outline" if moment.phase == "ask" else "pad")
    elif part != "fade":
        column = state.columns(SIDE)[int(KEYS[token].argmax())]
        yield pen.rect("now", Box(column.x, key.y, column.width, state.bottom - key.y), "hot outline")


@memoized
def draw_kept(places: Places, token: int) -> Iterator[Mark]:
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


def draw_real(places: Places, shape: Shape) -> Iterator[Mark]:
    """How the state of a real layer compares with the small one."""
    pen, state = places.pen, places.state
    words = f"a real layer keeps {shape.heads} such states, of {shape.side} × {shape.side} numbers"
    x, y = (180.0, state.y + 4.2 * pen.size) if places.small else (state.x, state.bottom + 2.4 * pen.size + 5)
    yield from paragraph(pen, "real", x, y, words, (pen.width if places.small else 440) - x)


def part_of(toy: Toy, moment: Moment) -> str:
    """Which part of the token's work is done: one a beat when the key comes again, else all."""
    return PARTS[moment.beat] if moment.phase == "again" and toy.rule == DELTA else "write"


def draw_words(places: Places, token: int, role: str) -> Iterator[Mark]:
    """The words read so far; the last of them is at work."""
    pen, x = places.pen, places.pen.pick(22.0, 30.0)
    for at, word in enumerate(WORDS):
        y = places.key.y - pen.pick(14, 24)
        yield pen.text(f"word-{word}", x, y, word, role if at == token else "note" if at > token else "label")
        x += pen.text_width(word, strong=True) + pen.pick(11, 13)


@memoized
def draw_cells(places: Places, toy: Toy, token: int, part: str) -> Iterator[Mark]:
    """The state, the darker the larger a number is."""
    pen, state = places.pen, places.state
    entries = toy.parts[token][part].tolist()
    yield pen.rect("state", state, "pad")
    most = float(VALUES.max())
    for row, (line, cells) in enumerate(zip(entries, state.rows(SIDE), strict=True)):
        for column, (entry, box) in enumerate(zip(line, cells.columns(SIDE), strict=True)):
            dark = round(DARKEST * min(abs(entry) / most, 1), 2)
            if entry:
                told = whence(toy, token, part, row, column)
                mark = pen.rect(f"cell-{row}-{column}", box.inset(1, 1, 1, 1), "data", read=told)
                yield mark._replace(shape={**mark.shape, "opacity": dark})
            yield pen.text(f"cell-{row}-{column}-text", box.x + box.width / 2, box.y + box.height / 2, shown(entry),
                           "value", anchor="middle", middle=True)  # fmt: skip


def whence(toy: Toy, token: int, part: str, row: int, column: int) -> str:
    """Which word has written a number of the state, and what is left of it: no two write into the same place."""
    last = token if part == "write" else token - 1
    at = max(at for at in range(last + 1) if KEYS[at][column] and VALUES[at][row])
    wrote, entry = float(VALUES[at][row]), float(toy.parts[token][part][row][column])
    words = f"{WORDS[at]} wrote {number(wrote)}"
    return words if entry == wrote else f"{words}; {shown(entry)} of it is left"


def draw_parts(places: Places, part: str) -> Iterator[Mark]:
    """What is done with one token, in order."""
    pen, state = places.pen, places.state
    words = {"fade": f"fade × {number(ALPHA)}", "erase": "erase", "write": "write"}
    for name, box in zip(PARTS, state.inset(-20, 0, -20).columns(3), strict=True):
        role = "hot strong" if name == part else "note"
        yield pen.text(f"part-{name}", box.x + box.width / 2, state.bottom + 2.4 * pen.size + 5, words[name], role,
                       anchor="middle")  # fmt: skip


def draw_answer_column(places: Places, toy: Toy, role: str) -> Iterator[Mark]:
    """What comes back for the key."""
    pen, box = places.pen, places.column(1)
    yield from draw_vector(pen, "found", box.rows(SIDE), toy.answer.tolist(), role)
    yield pen.text("found-name", box.x + box.width / 2, box.bottom + pen.size + 4, "answer", "note", anchor="middle")


def draw_vector(pen: Pen, key: str, boxes: Sequence[Box], entries: Sequence[float], role: str) -> Iterator[Mark]:
    """Numbers side by side, or one under the other, in one frame."""
    first, last = boxes[0], boxes[-1]
    yield pen.rect(key, Box(first.x, first.y, last.right - first.x, last.bottom - first.y), role)
    for at, (box, entry) in enumerate(zip(boxes, entries, strict=True)):
        yield pen.text(f"{key}-{at}", box.x + box.width / 2, box.y + box.height / 2, shown(entry), "value",
                       anchor="middle", middle=True)  # fmt: skip


def shown(entry: float) -> str:
    """Whole numbers as they are, others with two decimals."""
    return number(entry) if entry == round(entry) else fixed(entry)
