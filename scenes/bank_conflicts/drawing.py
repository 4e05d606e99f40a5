"""The picture of one read: a warp's threads run to the banks, and words come up to their lanes pass by pass."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, Pen, count
from loom.scene import Moment

from .asking import asked
from .clock import draw_clock
from .cure import shown
from .model import BANKS, COLUMNS, LANES, PADDED, SIDE, STRIDES, Read, Request
from .passes import draw_passes


class Stage:
    """The places of one width. Lanes and banks share one pitch, so an untangled thread hangs straight."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.pitch = pen.pick(9.6, 17.6)
        self.row = pen.pick(3.2, 5.0)  # the height of a row of memory
        self.memory = Box(8, pen.pick(58.0, 100.0), BANKS * self.pitch, PADDED * self.row)  # with room for padding
        self.lanes = pen.pick((28.0, 36.0), (40.0, 50.0))  # top and bottom of threads; arrived words stand on them
        self.port = self.memory.y - 4  # where threads enter the banks
        self.hand = self.memory.bottom + pen.pick(11, 13)  # the height of the handles

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

    def unused(self, row: int) -> Box:
        """Where the unused word after a padded row lies."""
        word = PADDED * row + SIDE
        return self.place(word % BANKS, word // BANKS)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    at, result = Stage(Pen(width)), moment.result
    layout, read, turn = shown(moment)
    boxes = [at.place(bank, row, result.piece) for row, bank in read.places]
    roles = [role_of(read, own, turn) for own in read.served_in]
    roles[asked(moment) :] = ["data"] * (LANES - asked(moment))  # nobody waits yet
    done = turn == read.passes
    yield from memory_marks(width, result.piece, layout == "padded")
    if done:
        yield from draw_done(at, read, boxes)
    else:
        middles = sorted({(box.x, box.right, box.y + box.height / 2) for box in boxes})
        yield at.pen.strokes(f"places-{layout}", ([(left, y), (right, y)] for left, right, y in middles),
                             "axis thin soft")  # fmt: skip
    for lane, box in enumerate(boxes):
        yield draw_thread(at, lane, box, roles[lane], lane < asked(moment))
    for lane, box in enumerate(boxes):
        served = read.served_in[lane]
        place = at.arrived(lane, result.piece) if served <= turn else box
        told = f"lane {lane}: pass {served}"
        yield at.pen.rect(f"words-{lane}", place, roles[lane], round=1, read=told)
    yield from draw_ends(at)
    yield from draw_hand(at, result)
    yield from draw_clock(at.pen, moment) if moment.phase == "clock" else draw_passes(at.pen, moment, shown(moment))


@cache  # a handful for all steps of all variants
def memory_marks(width: float, piece: int, padded: bool) -> tuple[Mark, ...]:
    """The banks, the padding, and where the words of a lane stand when they have arrived."""
    at = Stage(Pen(width))
    pen, box = at.pen, at.memory
    tall = (PADDED if padded else SIDE) * at.row
    xs = [box.x + bank * at.pitch for bank in range(1, BANKS)]
    unused = [at.unused(row) for row in range(SIDE)] if padded else []
    slants = [[(one.x + one.width * turn, one.bottom), (one.x + one.width * (turn + 0.5), one.y)]
              for one in unused for turn in (0, 0.5)]  # fmt: skip
    return (
        pen.rect("tile", Box(box.x, box.y, box.width, tall), "cell soft", round=1),
        pen.strokes("banks", ([(x, box.y), (x, box.y + tall)] for x in xs), "grid"),
        *([pen.strokes("unused", slants, "pad")] if padded else []),
        pen.outlines("slots", (at.arrived(lane, piece) for lane in range(LANES)), "axis thin soft"),
    )


def role_of(read: Request, own: int, turn: int) -> str:
    """What a lane's words are now: hot while they are handed over, dropped while they wait in a conflict."""
    if own == turn < read.passes:
        return "hot"
    if own <= turn:
        return "work"
    return "dropped" if own > 1 and read.degree > 1 else "data"


def draw_thread(at: Stage, lane: int, box: Box, role: str, runs: bool) -> Mark:
    """A lane as a thread. Once it asks, it runs to the bank of its word, and into it where it needn't wait."""
    top, foot = at.lanes
    x, bank = at.column(lane), box.x + box.width / 2
    points = [(x, top), (x, foot), (x, foot), (x, foot)]
    if runs and role != "work":
        points[2:] = [(bank, at.port), (bank, at.port if role == "dropped" else box.y)]
    if role != "work":
        role = f"{role} thin" if role == "hot" else f"{role} thin soft"
    return at.pen.path(f"thread-{lane}", points, role)


def draw_done(at: Stage, read: Request, boxes: list[Box]) -> Iterator[Mark]:
    """That nobody waits any more, in the room that the threads have left; and the pattern in which the words lie."""
    pen, middle = at.pen, (at.lanes[1] + at.port) / 2
    made = count(read.passes, "pass", "passes")
    words = f"all {LANES} lanes have their words, after {made}"
    yield pen.text("done", at.column((BANKS - 1) / 2), middle, words, "label", anchor="middle", middle=True)
    late = {box for box, served in zip(boxes, read.served_in, strict=True) if served > 1 and read.degree > 1}
    for key, found, role in (("at-once", {*boxes} - late, "work"), ("waited", late, "dropped")):
        if found:
            yield pen.strokes(key, (box.corners for box in sorted(found)), f"{role} soft solid")


def draw_ends(at: Stage) -> Iterator[Mark]:
    """The first and the last of 32 lanes and banks, and what all of them are."""
    pen, box = at.pen, at.memory
    base = 0.85 * pen.size
    yield pen.text("lane-first", box.x, base, "lane 0", "note")
    yield pen.text("lane-all", box.x + box.width / 2, base, f"a warp: {LANES} lanes", anchor="middle")
    yield pen.text("lane-last", box.right, base, f"lane {LANES - 1}", "note", anchor="end")
    base = at.hand + pen.size + pen.pick(13, 15)
    yield pen.text("bank-first", box.x, base, "bank 0", "note")
    yield pen.text("bank-all", box.x + box.width / 2, base, f"shared memory: {BANKS} banks", anchor="middle")
    yield pen.text("bank-last", box.right, base, f"bank {BANKS - 1}", "note", anchor="end")


def draw_hand(at: Stage, result: Read) -> Iterator[Mark]:
    """The column that is read, or the stride from lane 0 to lane 1, taken hold of under the first row's words."""
    pen, y = at.pen, at.hand
    if result.access == "stride":
        name, value, rail = "stride", result.stride, [(at.column(stride), y) for stride in STRIDES]
        yield pen.strokes("ruler", [[(at.column(0), y - 4), (at.column(0), y + 4)],
                                    [(at.column(0), y), (at.column(value), y)]], "hot thin")  # fmt: skip
        place = rail[value - 1]
    elif result.access == "column" and result.piece == 1:
        name, value, rail = "column", result.column, [(at.column(column), y) for column in COLUMNS]
        place = rail[COLUMNS.index(value)]
    else:
        return
    words, half = f"{name} {value}", 0.7 * pen.size
    room, reach = pen.text_width(words) + 10, pen.pick(18, 24)
    x = place[0] - reach - room if value > BANKS / 2 else place[0] + reach
    yield pen.rect("hand-tag", Box(x, y - half, room, 2 * half), "pad")
    yield pen.text("hand-words", x + 5, y, words, middle=True)
    yield pen.knob(name, *place, name, rail)
