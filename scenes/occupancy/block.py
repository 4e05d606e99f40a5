"""The panel of one block: its threads in warps, its registers and its shared memory, with what rounding adds."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count

from .launch import FILE, SHARED, Launch
from .model import KIB, LANES, REGISTER_UNIT, RESERVE
from .rows import Stage, colour, tenths

PORTION = REGISTER_UNIT // LANES  # registers that a thread gets at a time


def draw_block(stage: Stage, launch: Launch) -> Iterator[Mark]:
    """Three parts: beside each other where there is room, one under the other on a phone."""
    pen, panel = stage.pen, stage.panel
    yield pen.text(
        "block-title", 0, panel.y + pen.size, f"One block of {launch.threads:,} threads, rounded up", "label strong"
    )
    body = panel.inset(top=1.9 * pen.size)
    across = ((0, 210), (270, 250), (580, 258))
    beside = [Box(x, body.y, width, body.height) for x, width in across]
    boxes = pen.pick(body.inset(left=2, right=2).rows(3, 10), beside)
    for box, draw_part in zip(boxes, (draw_warp, draw_thread, draw_share), strict=True):
        yield from draw_part(pen, box, launch)


def bar(pen: Pen, box: Box) -> Box:
    """Where the picture of a part stands, under its words."""
    return Box(box.x, box.y + 1.5 * pen.size, box.width, pen.pick(22, 62))


def _words(pen: Pen, key: str, box: Box, head: str, total: str) -> Iterator[Mark]:
    yield pen.text(f"{key}-head", box.x, box.y + 0.8 * pen.size, head, "note")
    if pen.narrow:
        yield pen.text(f"{key}-total", box.right, box.y + 0.8 * pen.size, total, "value strong", anchor="end")
    else:
        y = bar(pen, box).bottom + 1.6 * pen.size
        yield pen.text(f"{key}-total", box.x, y, total, "value strong")


def draw_warp(pen: Pen, box: Box, launch: Launch) -> Iterator[Mark]:
    """The 32 threads of one warp."""
    place = bar(pen, box)
    pitch, unit = place.width / LANES, place.height / 24
    rises = (7, 5, 3, 2, 2, 3, 5, 7, 9, 10, 10, 9)  # the wave of the site's mark, of 24
    starts = [(place.x + (lane + 0.5) * pitch, place.y + rises[lane % len(rises)] * unit) for lane in range(LANES)]
    threads = tenths([(x, y), (x, y + 13 * unit)] for x, y in starts)
    yield Mark("warp-threads", "path", colour(0).split()[0], {"d": threads})
    yield from _words(pen, "warp", box, f"a warp: {LANES} threads", f"× {launch.warps} = {launch.threads:,} threads")


def draw_thread(pen: Pen, box: Box, launch: Launch) -> Iterator[Mark]:
    """The registers of one thread, in portions of 8."""
    place, portions = bar(pen, box), launch.granted // PORTION
    unit = min(place.width / 8, place.width / portions) / PORTION
    asked = Box(place.x, place.y, launch.registers * unit, place.height)
    added = Box(asked.right, place.y, (launch.granted - launch.registers) * unit, place.height)
    yield pen.rect("thread-asked", asked, colour(0), round=0)
    if added.width > 0:
        yield pen.hatch("thread-added", added, "dropped thin", gap=4)
    edges = [place.x + at * PORTION * unit for at in range(portions + 1)]
    lines = [[(x, place.y), (x, place.bottom)] for x in edges]
    lines += [[(edges[0], y), (edges[-1], y)] for y in (place.y, place.bottom)]
    yield Mark("thread-portions", "path", "axis thin", {"d": tenths(lines)})
    more = launch.granted - launch.registers
    head = f"a thread: {count(launch.registers, 'register')}" + (f" + {more} added" if more else "")
    total = f"{launch.granted} × {launch.threads:,} = {launch.takes[FILE]:,}"
    yield from _words(pen, "thread", box, head, total)


def draw_share(pen: Pen, box: Box, launch: Launch) -> Iterator[Mark]:
    """Shared memory: what is asked for, and the reserve."""
    place, takes = bar(pen, box), launch.takes[SHARED] / KIB
    unit = place.width / max(takes, 16)
    asked = Box(place.x, place.y, launch.shared * unit, place.height)
    added = Box(asked.right, place.y, (takes - launch.shared) * unit, place.height)
    if launch.shared:
        yield pen.rect("share-asked", asked, colour(0), round=0)
    yield pen.hatch("share-added", added, "dropped thin", gap=4)
    frame = Box(place.x, place.y, added.right - place.x, place.height)
    yield pen.path("share-frame", frame.corners[:4], "axis thin", close=True)
    head = f"shared memory: {launch.shared} KiB + {RESERVE // KIB} reserved"
    yield from _words(pen, "share", box, head, f"= {launch.takes[SHARED]:,} bytes")
