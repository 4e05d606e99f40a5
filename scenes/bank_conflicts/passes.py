"""How far the read has come, and how many passes it takes in every layout. Length is passes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, headline
from loom.scene import Moment

from .asking import queued, wanted_bytes
from .cure import Shown
from .model import BANKS, LAYOUTS, PASS_BYTES, Read


def draw_passes(pen: Pen, moment: Moment, shown: Shown) -> Iterator[Mark]:
    """The number of passes, and under it or beside it a bar for each layout."""
    read = shown.read if shown.turn else moment.result.request  # a number changes when the first words are there
    playing = moment.phase == "pass" or 0 < shown.turn < read.passes
    x, y = pen.pick((0, 226), (640, 58))
    needed = queued(moment, late=1) if moment.phase == "ask" else read.passes
    large, words = str(shown.turn if playing else needed), "pass" if read.passes == 1 else "passes"
    about = f"of {read.passes} {words}" if playing else words
    widest = [str(read.passes)] if playing or moment.phase == "ask" else ()
    yield from headline(pen, x, y, large, [about], size=pen.large, widest=widest)
    wanted = wanted_bytes(moment, late=1) if moment.phase == "ask" else read.handed
    handed = f"{read.handed_by(shown.turn)} of {read.handed} bytes" if playing else f"for {wanted} bytes;"
    for index, line in enumerate((handed, f"one pass could bring {PASS_BYTES}")):
        yield pen.text(f"bytes-{index}", x, y + (index + 1) * 1.35 * pen.size + 3, line, "note")
    box, tall = pen.pick((Box(150, 206, 178, 0), 28.0), (Box(640, 134, 200, 0), 46.0))
    for place, layout in enumerate(LAYOUTS):
        row = Box(box.x, box.y + place * tall, box.width, tall - pen.pick(4, 8))
        yield from draw_layout(pen, row, moment, layout, shown)


def draw_layout(pen: Pen, row: Box, moment: Moment, layout: str, shown: Shown) -> Iterator[Mark]:
    """One layout: its name, its passes, and a bar that fills with those made; at last the best one stands out."""
    result: Read = moment.result
    read, chosen = result.rivals.get(layout), layout == result.layout
    best = moment.phase == "others" and layout == shown.layout and shown.turn == shown.read.passes
    passes = 0 if not read else queued(moment) if chosen and moment.phase == "ask" else read.passes
    told = queued(moment, late=1) if chosen and moment.phase == "ask" else passes  # once the threads are there
    words = count(told, "pass", "passes") if read else "not aligned"
    base = row.y + 0.9 * pen.size
    yield pen.rect(f"{layout}-row", row, "cell soft", set={"layout": layout}, label=f"Store the tile {layout}")
    yield pen.text(
        f"{layout}-name", row.x + 6, base, layout, "label strong" if chosen else "work strong" if best else "label"
    )
    yield pen.text(f"{layout}-words", row.right - 6, base, words, "label", anchor="end")
    track = Box(row.x + 6, base + pen.pick(4, 6), row.width - 12, pen.pick(7, 10))
    unit = track.width / BANKS
    rest = "work" if best else "dropped" if chosen and read and read.degree > 1 else "quiet"
    yield pen.rect(f"{layout}-all", track._replace(width=passes * unit), rest, round=1)
    made = shown.turn if layout == shown.layout else 0
    yield pen.rect(f"{layout}-made", track._replace(width=made * unit), "work", round=1)
