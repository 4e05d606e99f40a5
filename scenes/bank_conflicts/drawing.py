"""The picture of one read: a warp's threads run to the banks, and words come up to their lanes pass by pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loom.draw import Box, Mark, Pen

from .model import BANKS, LANES, PADDED, SIDE, Request, footprint
from .moments import ASK, OTHERS, PASS, QUEUE, TILE, State
from .passes import draw_passes
from .stage import Stage
from .words import busiest, memory_words


def draw(state: State, width: float) -> Iterator[Mark]:
    at = Stage(Pen(width))
    read = state.rivals[state.shown]
    yield from draw_memory(at, state, read)
    for lane in range(LANES):
        yield draw_thread(at, state, read, lane)
    for lane in range(LANES):
        yield draw_words(at, state, read, lane)
    yield from draw_names(at, state, read)
    yield from draw_passes(at, state)


def draw_memory(at: Stage, state: State, read: Request) -> Iterator[Mark]:
    """The banks, the padding, and where the words that are asked for lie."""
    pen, box = at.pen, at.memory
    tall = footprint(state.shown) // BANKS * at.row
    xs = [box.x + bank * at.pitch for bank in range(1, BANKS)]
    yield pen.rect("tile", Box(box.x, box.y, box.width, tall), "cell soft", round=1)
    yield pen.strokes("banks", ([(x, box.y), (x, box.y + tall)] for x in xs), "grid")
    yield slants(pen, "unused", [unused_place(at, row, state.shown == "padded") for row in range(SIDE)])
    used = {(int(bank), int(row)) for bank, row in zip(read.banks[:, 0], read.rows[:, 0], strict=True)}
    places = [at.place(bank, row, state.piece) for bank, row in sorted(used)]
    yield outlines(pen, "places", places)
    yield outlines(pen, "slots", [at.arrived(lane, state.piece) for lane in range(LANES)])


def outlines(pen: Pen, key: str, boxes: Iterable[Box]) -> Mark:
    """The edges of many cells as one mark."""
    corners = [(box.x, box.y, box.right, box.bottom) for box in boxes]
    edges = ([(a, b), (c, b), (c, d), (a, d), (a, b)] for a, b, c, d in corners)
    return pen.strokes(key, edges, "axis thin soft")


def unused_place(at: Stage, row: int, padded: bool) -> Box:
    """Where the unused word after a row lies. Without padding it is squeezed to nothing at the row's end."""
    if padded:
        word = PADDED * row + SIDE
        return at.place(word % BANKS, word // BANKS)
    end = at.place(BANKS - 1, row)
    return Box(end.right, end.bottom, 0, 0)


def slants(pen: Pen, key: str, boxes: list[Box]) -> Mark:
    """A few slanted lines across each of many cells."""
    lines = [
        [(box.x + box.width * (turn - 1) / 2, box.bottom), (box.x + box.width * turn / 2, box.y)]
        for box in boxes
        for turn in (1, 2)
    ]
    return pen.strokes(key, lines, "pad")


def role_of(state: State, read: Request, lane: int) -> str:
    """What a lane's words are now: hot when asked for or handed over, dropped while they wait in a conflict."""
    turn = int(state.arrivals[lane])
    waits = "dropped" if read.degree > 1 else "data"
    if state.phase == OTHERS:
        return "kept"
    if state.phase == TILE:
        return "data"
    if state.phase == ASK or turn == state.at:
        return "hot"
    if state.phase == QUEUE:
        return "hot" if turn == 1 else waits
    return "kept" if turn < state.at else waits


def has_arrived(state: State, lane: int) -> bool:
    """Whether a lane has its words."""
    return state.phase == PASS and int(state.arrivals[lane]) <= state.at


def draw_thread(at: Stage, state: State, read: Request, lane: int) -> Mark:
    """A lane as a thread. It runs to the bank of its word, and into it where it needn't wait."""
    top, foot = at.lanes
    x, role = at.column(lane), role_of(state, read, lane)
    turn = int(state.arrivals[lane])
    if state.phase == TILE or (state.phase == PASS and turn < state.at):
        points = [(x, top), (x, foot), (x, foot), (x, foot)]
        role = "axis" if state.phase == TILE else "kept"
    else:
        box = at.place(int(read.banks[lane, 0]), int(read.rows[lane, 0]), state.piece)
        bank = box.x + box.width / 2
        waits = role in ("dropped", "data")
        points = [(x, top), (x, foot), (bank, at.port), (bank, at.port if waits else box.y)]
        role = f"{role} thin soft" if waits else f"{role} thin"
    return at.pen.path(f"thread-{lane}", points, role, wait=lane // 4 if state.phase == ASK else 0)


def draw_words(at: Stage, state: State, read: Request, lane: int) -> Mark:
    """The words of one lane: in memory, or come up to the lane."""
    role = role_of(state, read, lane)
    if has_arrived(state, lane):
        box = at.arrived(lane, state.piece)
    else:
        box = at.place(int(read.banks[lane, 0]), int(read.rows[lane, 0]), state.piece)
    return at.pen.rect(f"words-{lane}", box, role, round=1, wait=lane // 4 if state.phase in (PASS, OTHERS) else 0)


def draw_names(at: Stage, state: State, read: Request) -> Iterator[Mark]:
    """Names of lanes, rows and banks, and what the picture shows."""
    pen, box = at.pen, at.memory
    head = pen.size
    yield pen.text("lane-first", box.x, head, "lane 0", "note")
    yield pen.text("lane-warp", box.x + box.width / 2, head, "a warp: 32 lanes", "label", anchor="middle")
    yield pen.text("lane-last", box.right, head, f"lane {LANES - 1}", "note", anchor="end")
    for row in (0, SIDE - 1):
        middle = box.y + (row + 0.5) * at.row
        yield pen.text(f"row-{row}", box.x - 6, middle, f"row {row}", "note", anchor="end", middle=True)
    yield from draw_asked(at, state, read)
    foot = box.bottom + 2.45 * pen.size + 7
    yield pen.text("bank-first", box.x, foot, "bank 0", "note")
    yield pen.text("bank-all", box.x + box.width / 2, foot, "shared memory: 32 banks", "label", anchor="middle")
    yield pen.text("bank-last", box.right, foot, f"bank {BANKS - 1}", "note", anchor="end")


def draw_asked(at: Stage, state: State, read: Request) -> Iterator[Mark]:
    """Under the banks that most words are asked from: a tick for each, and what is asked."""
    pen, box = at.pen, at.memory
    banks, degree = busiest(read)
    words, role = memory_words(state, read)
    left, ends = box.x, [(box.x, box.x)]
    if state.phase in (QUEUE, PASS) and degree > 1:
        ends = [(at.column(bank) - at.pitch / 2 + 1, at.column(bank) + at.pitch / 2 - 1) for bank in banks]
        left = ends[0][0]
    under = ([(start, box.bottom + 5), (end, box.bottom + 5)] for start, end in ends)
    yield pen.strokes("asked-most", under, "dropped")
    left = min(left, box.right - pen.room(words, strong=True))
    yield pen.text("asked", left, box.bottom + pen.size + 6, words, role)
