"""The picture of one read: a warp's threads run to the banks, and words come up to their lanes pass by pass."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, Pen, count
from loom.scene import Moment

from .model import BANKS, COLUMN, LANES, PADDED, ROW, SIDE, Read, Request
from .narration import span
from .passes import draw_passes


class Stage:
    """The places of one width. Lanes and banks share one pitch, so an untangled thread hangs straight."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.pitch = pen.pick(9.0, 15.6)
        self.row = pen.pick(5.2, 7.4)  # the height of a row of memory
        left, top = pen.pick((39.0, 96.0), (56.0, 134.0))
        self.memory = Box(left, top, BANKS * self.pitch, PADDED * self.row)  # with room for a padded tile
        self.lanes = pen.pick(
            (40.0, 51.0), (51.0, 67.0)
        )  # top and bottom of threads; words that have arrived stand on them
        self.port = top - 4  # where threads enter the banks

    def column(self, bank: float) -> float:
        """The middle of a bank, and of the lane with its number."""
        return self.memory.x + (bank + 0.5) * self.pitch

    def place(self, bank: int, row: int, piece: int = 1) -> Box:
        """Where some words side by side lie in memory."""
        x, y = self.memory.x + bank * self.pitch, self.memory.y + row * self.row
        return Box(x + 0.8, y + 0.5, piece * self.pitch - 1.6, self.row - 1)

    def arrived(self, lane: int, piece: int) -> Box:
        """Where they stand when the lane has them: one on the other."""
        tall = piece * (self.row - (1 if piece == 1 else 1.8))
        return Box(self.column(lane) - self.pitch / 2 + 0.8, self.lanes[0] - 2 - tall, self.pitch - 1.6, tall)

    def unused(self, row: int, padded: bool) -> Box:
        """Where the unused word after a row lies. Without padding it is squeezed to nothing at the row's end."""
        if padded:
            word = PADDED * row + SIDE
            return self.place(word % BANKS, word // BANKS)
        end = self.place(BANKS - 1, row)
        return Box(end.right, end.bottom, 0, 0)


def shown_layout(moment: Moment) -> str:
    """The layout that the picture shows: at the end the best one."""
    result: Read = moment.result
    return result.best if moment.phase == "others" else result.layout


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    at, result = Stage(Pen(width)), moment.result
    shown = shown_layout(moment)
    read = result.rivals[shown]
    boxes = [at.place(bank, row, result.piece) for row, bank in read.places]
    roles = [role_of(moment, read, turn) for turn in result.request.served_in]
    *memory, slots = memory_marks(width, result.piece, shown == "padded")
    yield from memory
    yield at.pen.outlines("places", sorted(set(boxes), key=lambda box: (box.x, box.y)), "axis thin soft")
    yield slots
    for lane, box in enumerate(boxes):
        yield draw_thread(at, moment, lane, box, roles[lane])
    for lane, box in enumerate(boxes):
        served = moment.phase == "pass" and result.request.served_in[lane] <= moment.at
        place = at.arrived(lane, result.piece) if served else box
        wait = lane // 4 if moment.since("pass") else 0
        yield at.pen.rect(f"words-{lane}", place, roles[lane], round=1, wait=wait)
    yield from draw_ends(at, "lane", at.pen.size, "warp", "a warp: 32 lanes")
    for row in (0, SIDE - 1):
        middle = at.memory.y + (row + 0.5) * at.row
        yield at.pen.text(f"row-{row}", at.memory.x - 6, middle, f"row {row}", "note", anchor="end", middle=True)
    yield from draw_asked(at, moment, read)
    foot = at.memory.bottom + 2.45 * at.pen.size + 7
    yield from draw_ends(at, "bank", foot, "all", "shared memory: 32 banks")
    yield from draw_passes(at.pen, at.memory.y, moment, read)


@cache  # a handful for all steps of all variants
def memory_marks(width: float, piece: int, padded: bool) -> tuple[Mark, ...]:
    """The banks, the padding, and where the words of a lane stand when they have arrived."""
    at = Stage(Pen(width))
    pen, box = at.pen, at.memory
    tall = (PADDED if padded else SIDE) * at.row
    xs = [box.x + bank * at.pitch for bank in range(1, BANKS)]
    unused = [at.unused(row, padded) for row in range(SIDE)]
    slants = ([(one.x + one.width * turn, one.bottom), (one.x + one.width * (turn + 0.5), one.y)]
              for one in unused for turn in (0, 0.5))  # fmt: skip
    return (
        pen.rect("tile", Box(box.x, box.y, box.width, tall), "cell soft", round=1),
        pen.strokes("banks", ([(x, box.y), (x, box.y + tall)] for x in xs), "grid"),
        pen.strokes("unused", slants, "pad"),
        pen.outlines("slots", (at.arrived(lane, piece) for lane in range(LANES)), "axis thin soft"),
    )


def role_of(moment: Moment, read: Request, turn: int) -> str:
    """What a lane's words are now: hot when asked for or handed over, dropped while they wait in a conflict."""
    if moment.phase in ("tile", "others"):
        return "data" if moment.phase == "tile" else "kept"
    if moment.phase == "ask" or turn == max(moment.at, 1):
        return "hot"
    return "kept" if turn < moment.at else "dropped" if read.degree > 1 else "data"


def draw_thread(at: Stage, moment: Moment, lane: int, box: Box, role: str) -> Mark:
    """A lane as a thread. It runs to the bank of its word, and into it where it needn't wait."""
    top, foot = at.lanes
    x, tile = at.column(lane), moment.phase == "tile"
    if tile or (moment.phase == "pass" and role == "kept"):
        points, role = [(x, top), (x, foot), (x, foot), (x, foot)], "axis" if tile else "kept"
    else:
        bank, waits = box.x + box.width / 2, role in ("dropped", "data")
        points = [(x, top), (x, foot), (bank, at.port), (bank, at.port if waits else box.y)]
        role = f"{role} thin soft" if waits else f"{role} thin"
    return at.pen.path(f"thread-{lane}", points, role, wait=lane // 4 if moment.phase == "ask" else 0)


def draw_ends(at: Stage, name: str, base: float, key: str, all_of_them: str) -> Iterator[Mark]:
    """The first and the last of 32 lanes or banks, and between them what all of them are."""
    pen, box = at.pen, at.memory
    yield pen.text(f"{name}-first", box.x, base, f"{name} 0", "note")
    yield pen.text(f"{name}-{key}", box.x + box.width / 2, base, all_of_them, "label", anchor="middle")
    yield pen.text(f"{name}-last", box.right, base, f"{name} 31", "note", anchor="end")


def draw_asked(at: Stage, moment: Moment, read: Request) -> Iterator[Mark]:
    """Under the banks that most words are asked from: a tick for each, and what is asked."""
    pen, box = at.pen, at.memory
    words, role = memory_words(moment, read)
    left, ends = box.x, [(box.x, box.x)]
    if moment.phase in ("queue", "pass") and read.degree > 1:
        ends = [(at.column(bank) - at.pitch / 2 + 1, at.column(bank) + at.pitch / 2 - 1) for bank in read.busiest]
        left = ends[0][0]
    yield pen.strokes(
        "asked-most", ([(start, box.bottom + 5), (end, box.bottom + 5)] for start, end in ends), "dropped"
    )
    left = min(left, box.right - pen.room(words, strong=True))
    yield pen.text("asked", left, box.bottom + pen.size + 6, words, role)


def memory_words(moment: Moment, read: Request) -> tuple[str, str]:
    """What stands under the memory, and its role."""
    if moment.phase == "tile":
        return f"{read_words(moment.result)} in {count(read.banks_used, 'bank')}", "label"
    banks, words = read.busiest, "no bank is asked for a second word"
    if read.degree > 1:
        who = f"bank {banks[0]} is asked for {read.degree} words"
        words = who if len(banks) == 1 else f"{len(banks)} banks are asked for {read.degree} words each"
    if moment.phase == "others":
        shown = shown_layout(moment)
        return words if shown == moment.result.layout else f"stored {shown}: {words}", "kept strong"
    if read.groups > 1:
        words += f", {LANES // read.groups} lanes at a time"
    return words, "label" if moment.phase == "ask" else "dropped strong" if read.degree > 1 else "kept strong"


def read_words(result: Read) -> str:
    """What will be read, and its verb."""
    if result.access not in ("row", "column"):
        return "the words to be read lie" if result.access == "stride" else "the word to be read lies"
    first = ROW if result.access == "row" else COLUMN
    if result.piece == 1:
        return f"{result.access} {first}, to be read, lies"
    return f"{result.access}s {span(first, result.piece)}, to be read, lie"
