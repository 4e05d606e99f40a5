"""The picture of coalescing: 32 threads reach for their bytes, and memory answers in whole sectors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Axis, Box, Mark, Plot, count, headline, memoized, percent
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import PART, dots
from .model import ELEMENT, LANES, LINE, OFFSETS, SECTOR, STRIDES, Case, Load, bytes_asked
from .stage import NARROW, WAVE, WIDE, Stage
from .tally import draw_tally

BROADCAST = 0.5  # where stride 0 stands on the logarithmic axis, left of 1 and off the curve
STRIDE = Axis("stride", span=(BROADCAST, 32), log=True, ticks=(1, 2, 4, 8, 16, 32))
SHARES = (100.0, 25.0, 6.25)  # what fits beside a low plot


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, load = NARROW if width == NARROW.width else WIDE, moment.result.load
    asked = round(moment.past("ask") * LANES)
    come = round(moment.past("fetch") * len(load.sectors))
    yield rows(stage, load)
    yield from sectors(stage, load)[:come]
    yield from threads(stage, load)[:asked]
    yield from waiting(stage)[asked:]
    yield from words(stage, load)[:asked]
    yield edges(stage)
    yield from warp(stage, load)
    yield from answer(stage, load, come) if come else wish(stage, load, asked)
    yield from rulers(stage, load)
    if moment.since("curve"):
        yield from curve(stage, moment.result, moment.past("curve"))
    else:
        yield from draw_tally(stage, load, asked, come)


def lines(load: Load) -> int:
    """How many rows memory has, from address 0 to the last that is asked for."""
    return int(load.asked[-1]) // LINE + 1


@lru_cache(maxsize=2)  # drawn once for all beats
def rows(stage: Stage, load: Load) -> Mark:
    """Every sector that there is, fetched or not: four columns, and a line under each row."""
    box, count = stage.memory, lines(load)
    columns = [stage.part(1, at * SECTOR, SECTOR).corners for at in range(LINE // SECTOR)]
    ends = [box.y + row * box.height / count for row in range(1, count)]
    return stage.strokes("rows", [*columns, *([(box.x, y), (box.right, y)] for y in ends)], "grid")


@lru_cache(maxsize=2)
def sectors(stage: Stage, load: Load) -> list[Mark]:
    """The sectors that are fetched, in the colour of what is not used of them."""
    return [
        stage.rect(f"sector-{sector}", stage.part(lines(load), sector * SECTOR, SECTOR), "dropped soft", round=0,
                   read=f"sector {sector:,}: {int(used.sum())} of {SECTOR} bytes used")
        for sector, used in zip(load.sectors.tolist(), load.used, strict=True)
    ]  # fmt: skip


@lru_cache(maxsize=2)
def words(stage: Stage, load: Load) -> list[Mark]:
    """The bytes that each lane asks for."""
    marks = []
    for lane, address in enumerate(load.addresses.tolist()):
        box = stage.part(lines(load), address, load.element)
        told = f"thread {lane}: bytes {address:,} to {address + load.element - 1:,}"
        marks.append(stage.rect(f"asked-{lane}", box, "work", round=0, read=told))
    return marks


@lru_cache(maxsize=2)
def edges(stage: Stage) -> Mark:
    """Where one word of 4 bytes ends and the next begins, in all rows."""
    top, bottom = stage.memory.y, stage.memory.bottom
    places = [stage.x(byte) for byte in range(0, LINE, LINE // LANES)]
    return stage.strokes("edges", ([(x, top), (x, bottom)] for x in places), "grid thin")


@lru_cache(maxsize=2)
def threads(stage: Stage, load: Load) -> list[Mark]:
    """The lanes' threads, each drawn out to its bytes."""
    ends = [stage.part(lines(load), address, load.element) for address in load.addresses.tolist()]
    return [
        stage.path(f"thread-{lane}", stage.thread(lane, (box.x + box.width / 2, box.y)), "link thin")
        for lane, box in enumerate(ends)
    ]


@lru_cache(maxsize=2)
def waiting(stage: Stage) -> list[Mark]:
    return [stage.path(f"thread-{lane}", stage.waiting(lane), "link thin") for lane in range(LANES)]


@memoized
def warp(stage: Stage, load: Load) -> Iterator[Mark]:
    """The 32 lanes, and what they are."""
    top, end = stage.lanes
    scale, base, right = (end - top) / 16, stage.size * 0.85, stage.memory.right
    stubs = [[(stage.over_lane(lane), top + WAVE[lane % len(WAVE)] * scale), (stage.over_lane(lane), end)]
             for lane in range(LANES)]  # fmt: skip
    yield stage.strokes("warp", stubs, "data")
    yield stage.text("lane-first", stage.memory.x, base, "thread 0", "note")
    yield stage.text("lane-last", right, base, f"thread {LANES - 1}", "note", anchor="end")
    yield stage.text(
        "wish", stage.memory.x + stage.memory.width / 2, base, f"each wants {load.element} bytes", anchor="middle"
    )
    if not stage.narrow:
        words = f"each row is {LINE} bytes: {LINE // SECTOR} sectors of {SECTOR}"
        yield stage.text("row-words", stage.memory.x, stage.memory.bottom + stage.size, words, "note")


@memoized
def rulers(stage: Stage, load: Load) -> Iterator[Mark]:
    """Offset and stride, measured on the threads of lanes 0 and 1, which can be taken hold of there."""
    if load.pattern == "random" or load.element != 4:
        return
    high, low = stage.rulers
    start, end = stage.ruler(load.offset), stage.ruler(load.offset + load.stride)
    yield from _ruler(stage, "offset", stage.memory.x, start, high, load.offset, [stage.ruler(at) for at in OFFSETS])
    if load.pattern == "strided":
        rail = [stage.ruler(load.offset + stride) for stride in STRIDES]
        yield from _ruler(stage, "stride", start, end, low, load.stride, rail)


def _ruler(stage: Stage, name: str, start: float, end: float, y: float, value: int,
           places: list[float]) -> Iterator[Mark]:  # fmt: skip
    """A measured length with a bead at its end, and a tag that says how long it is."""
    words = f"{name} {value}"
    room, reach, half = stage.text_width(words) + 12, stage.pick(18, 24), 0.75 * stage.size
    left = end + reach + room > stage.memory.right
    tag = Box(end - reach - room if left else end + reach, y - half, room, 2 * half)
    yield stage.strokes(f"{name}-ruler", [[(start, y - 4), (start, y + 4)], [(start, y), (end, y)]], "hot thin")
    yield stage.rect(f"{name}-tag", tag, "pad")
    yield stage.text(f"{name}-words", tag.x + 6, y, words, middle=True)
    yield stage.knob(name, end, y, name, [(place, y) for place in places])


def wish(stage: Stage, load: Load, asked: int) -> Iterator[Mark]:
    """Before anything has come there is no share: only the bytes asked for, in the colour that they have in memory."""
    wanted = len(bytes_asked(load.addresses[:asked], load.element))
    words = ("asked for", f"by {count(asked, 'thread')}")
    lines = (" ".join(words),) if stage.narrow else words
    yield from headline(stage, *stage.answer, f"{wanted:,} B", lines, "work", key="wanted", under=True, shown=True)


def answer(stage: Stage, load: Load, come: int) -> Iterator[Mark]:
    """The share of the fetched bytes that is used, so far, and the bytes themselves."""
    (x, y), line = stage.answer, 1.4 * stage.size
    used, moved = int(load.used[:come].sum()), come * SECTOR
    words = ("of the bytes fetched", "are used") if not stage.narrow else ("of the bytes fetched are used",)
    yield from headline(stage, x, y, percent(100 * used / moved), words, under=True)
    y += 24 + len(words) * 1.3 * stage.size
    yield stage.text("fetched", x, y, f"{count(come, 'sector')} = {moved:,} B", "note")
    used_words = f"{used:,} B used,"
    yield stage.text("used", x, y + line, used_words, "work strong answer")
    x += stage.text_width(used_words, strong=True) + 0.45 * stage.size
    yield stage.text("wasted", x, y + line, f"{moved - used:,} B not", "dropped strong answer")


def curve(stage: Stage, case: Case, drawn: float) -> Iterator[Mark]:
    """The share used over all strides from 1 on, what was measured, and a dot where the reader is."""
    ticks = stage.pick(SHARES, (*SHARES, 12.5, 50.0))
    used = Axis("used", "%", (5, 100), log=True, ticks=ticks, clip=True)  # a spread may pass 100
    load, plot = case.load, Plot(stage, stage.plot, STRIDE, used, "eff")
    yield from plot.axes()
    yield plot.curve("curve", STRIDES[1:], [one.efficiency for one in case.curve[1:]], "data modelled", drawn)
    if drawn == 1:
        yield from measured(stage, plot, load)
    told = f"{percent(load.efficiency)} of the bytes fetched are used"
    if load.pattern == "random":
        y = plot.at(1, load.efficiency)[1]
        yield stage.line("level", plot.box.x, y, plot.box.right, y, "hot dashed", read=told)
    else:
        stride = 1 if load.pattern == "shuffled" else load.stride or BROADCAST
        yield stage.circle("here", *plot.at(stride, load.efficiency), stage.pick(4, 5), "hot", read=told)


def measured(stage: Stage, plot: Plot, load: Load) -> Iterator[Mark]:
    """How much of the rate at stride 1 was left, where loads like these were measured."""
    seen, box, size = dots(load), plot.box, stage.size
    yield from rings(stage, plot, "measured", seen, stage.pick(2, 3))
    if not seen:
        return
    on = stage.pick("", "on an ") + PART
    if load.element == ELEMENT:  # the curve falls below
        for at, words in enumerate(("○ measured", on)):
            y = box.y + (0.8 + 1.1 * at) * size
            yield stage.text(f"measured-words-{at}", box.right, y, words, "note measured", anchor="end")
    else:
        words = f"○ measured{stage.pick(',', '')} {on}"
        yield stage.text("measured-words", box.x + 4, box.bottom - 5, words, "note measured")
