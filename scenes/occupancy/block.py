"""The panel of one block: its threads in warps, its registers and its shared memory, with what rounding adds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, Pen, count

from .launch import SHARED, Launch
from .model import KIB, LANES, REGISTER_UNIT, RESERVE
from .rows import Stage, colour, tenths

PORTION = REGISTER_UNIT // LANES  # registers that a thread gets at a time


def draw_block(stage: Stage, launch: Launch) -> Iterator[Mark]:
    """Three parts: beside each other where there is room, one under the other on a phone."""
    pen, panel = stage.pen, stage.panel
    title = f"One block of {launch.threads:,} threads, rounded up"
    yield pen.text("block-title", 0, panel.y + pen.size, title, "label strong")
    body = panel.inset(top=1.9 * pen.size)
    across = ((0, 210), (270, 250), (580, 258))
    beside = [Box(x, body.y, width, body.height) for x, width in across]
    warp, thread, share = pen.pick(body.inset(left=2, right=2).rows(3, 10), beside)
    yield from draw_warp(pen, warp, launch.warps, launch.threads)
    yield from draw_thread(pen, thread, launch.threads, launch.registers, launch.granted)
    yield from draw_share(pen, share, launch.shared, launch.takes[SHARED])


def bar(pen: Pen, box: Box) -> Box:
    """Where the picture of a part stands, under its words."""
    return Box(box.x, box.y + 1.5 * pen.size, box.width, pen.pick(22, 62))


def _words(pen: Pen, key: str, box: Box, head: str, total: str) -> list[Mark]:
    y, x, anchor = box.y + 0.8 * pen.size, pen.pick(box.right, box.x), pen.pick("end", "start")
    below = bar(pen, box).bottom + 1.6 * pen.size
    return [
        pen.text(f"{key}-head", box.x, y, head, "note"),
        pen.text(f"{key}-total", x, pen.pick(y, below), total, "value strong", anchor=anchor),
    ]


# Each part is the same for many launches, so its marks are kept.


@cache
def draw_warp(pen: Pen, box: Box, warps: int, threads: int) -> list[Mark]:
    """The 32 threads of one warp."""
    place = bar(pen, box)
    pitch, unit = place.width / LANES, place.height / 24
    rises = (7, 5, 3, 2, 2, 3, 5, 7, 9, 10, 10, 9)  # the wave of the site's mark, of 24
    starts = [(place.x + (lane + 0.5) * pitch, place.y + rises[lane % len(rises)] * unit) for lane in range(LANES)]
    lines = tenths([(x, y), (x, y + 13 * unit)] for x, y in starts)
    words = _words(pen, "warp", box, f"a warp: {LANES} threads", f"× {warps} = {threads:,} threads")
    return [Mark("warp-threads", "path", colour(0).split()[0], {"d": lines}), *words]


@cache
def draw_thread(pen: Pen, box: Box, threads: int, registers: int, granted: int) -> list[Mark]:
    """The registers of one thread, in portions of 8."""
    place, portions, more = bar(pen, box), granted // PORTION, granted - registers
    unit = min(place.width / 8, place.width / portions) / PORTION
    asked, added = Box(place.x, place.y, 0, place.height).beside(registers * unit, more * unit)
    edges = [place.x + at * PORTION * unit for at in range(portions + 1)]
    lines = [[(x, place.y), (x, place.bottom)] for x in edges]
    lines += [[(edges[0], y), (edges[-1], y)] for y in (place.y, place.bottom)]
    head = f"a thread: {count(registers, 'register')}" + (f" + {more} added" if more else "")
    return [
        pen.rect("thread-asked", asked, colour(0), round=0),
        *([pen.hatch("thread-added", added, "dropped thin", gap=4)] if more else []),
        Mark("thread-portions", "path", "axis thin", {"d": tenths(lines)}),
        *_words(pen, "thread", box, head, f"{granted} × {threads:,} = {granted * threads:,}"),
    ]


@cache
def draw_share(pen: Pen, box: Box, shared: int, takes: int) -> list[Mark]:
    """Shared memory: what is asked for [KiB], and the reserve."""
    place = bar(pen, box)
    unit = place.width / max(takes / KIB, 16)
    asked, added = place.beside(shared * unit, (takes / KIB - shared) * unit)
    frame = Box(place.x, place.y, added.right - place.x, place.height)
    head = f"shared memory: {shared} KiB + {RESERVE // KIB} reserved"
    return [
        *([pen.rect("share-asked", asked, colour(0), round=0)] if shared else []),
        pen.hatch("share-added", added, "dropped thin", gap=4),
        pen.path("share-frame", frame.corners[:4], "axis thin", close=True),
        *_words(pen, "share", box, head, f"= {takes:,} bytes"),
    ]
