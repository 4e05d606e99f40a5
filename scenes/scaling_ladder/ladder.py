"""The ladder: for each size of group its decibels as a bar, and what a number then costs."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, fixed, memoized, trimmed
from loom.scene import Moment

from .pace import rungs_grown, rungs_told
from .stored import Rung, Stored

EACH = {
    "tensor": "the whole tensor",
    "token": "each token",
    "channel": "each channel",
    "block 128": "each block of 128",
    "block 32": "each block of 32",
    "block 16": "each block of 16",
}
MOST = 48.0  # [dB] of the longest bar


def bits_of(bits: float) -> str:
    """The price of a number: 8, 8.25, 8.0078."""
    return trimmed(fixed(bits, 4))


@memoized
def draw_prices(pen: Pen, stored: Stored, scale: str) -> Iterator[Mark]:
    """Before anything is rounded: what a number takes for itself and for its scale, for each size of group.

    That of the scale that is shown stands out.
    """
    box, rungs = pen.pick(Box(0, 254, 328, 86), Box(604, 124, 236, 168)), stored.rungs(stored.scheme.element)
    yield pen.text("prices", box.x, box.y - pen.pick(5, 8), "bits a number:", "label")
    x, unit, tall = box.x + pen.text_width("bits a number:") + 6, *pen.pick((19.0, 8), (10.0, 12))  # for a bit
    yield pen.text("prices-own", x, box.y - pen.pick(5, 8), "its own", "work")
    yield pen.text("prices-scale", x + pen.text_width("its own") + 6, box.y - pen.pick(5, 8), "and scale", "memory")
    for row, rung in zip(box.rows(len(rungs)), rungs, strict=True):
        name, now, middle = rung.scheme.scale, rung.scheme.scale == scale, row.y + row.height / 2
        own, choice = rung.scheme.format.bits * unit, {} if pen.narrow else {"scale": name}
        bar = Box(row.x + 76, middle - tall / 2, rung.bits * unit, tall)
        yield pen.rect(f"own-{name}", bar._replace(width=own), "work" if now else "work soft", round=0,
                       set=choice, label=f"a scale for {EACH[name]}" if choice else "")  # fmt: skip
        yield pen.rect(f"scale-{name}", Box(bar.x + own, bar.y, bar.width - own, tall), "memory", round=0)
        yield pen.text(f"price-{name}", row.x, middle, name, "label strong" if now else "label", middle=True)
        yield pen.text(f"price-{name}-bits", row.right, middle, bits_of(rung.bits),
                       "value strong" if now else "value", anchor="end", middle=True)  # fmt: skip


def draw_ladder(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """A row for each rung, from one scale for all to the most scales. When the numbers are rounded, the bars grow one
    after the other, and each is told when it has landed.
    """
    stored: Stored = moment.result
    box = pen.pick(Box(0, 227, 328, 109), Box(604, 40, 236, 252))
    rungs = stored.rungs(stored.scheme.element)
    clean = stored.rungs(stored.scheme.element, "bell")
    title = "signal to noise"
    yield pen.text("ladder", box.x, box.y - pen.pick(7, 8), title, "label strong")
    grown, told, rows = rungs_grown(moment), rungs_told(moment), box.rows(len(rungs))
    for place, (row, rung) in enumerate(zip(rows, rungs, strict=True)):
        yield from _row(pen, row, rung, rung.scheme == stored.scheme, grown=place < grown, told=place < told)
    if stored.data == "outlier" and told == len(rungs):
        tracks = [(_track(pen, row), without.level) for row, without in zip(rows, clean, strict=True)]
        ends = [(track.x + track.width * level / MOST, track) for track, level in tracks]
        yield pen.strokes("clean", [[(x, track.y - 2), (x, track.bottom + 2)] for x, track in ends], "axis thick")
        words, least = "without outliers", box.x + pen.text_width(title, strong=True) + 8
        wide = pen.text_width(words)
        x = min(pen.pick(max(ends[0][0] - wide / 2, least), ends[-1][0] - wide / 2), box.right - wide)
        yield pen.text("ghost-name", round(x), box.y - 7 if pen.narrow else box.bottom + 16, words, "note")


def _track(pen: Pen, row: Box) -> Box:
    """Where a bar has its place in a row."""
    left, tall, width = pen.pick((124.0, 11.0, 146.0), (row.x + 84, 16.0, 92.0))
    return Box(left, row.y + row.height / 2 - tall / 2, width, tall)


@memoized
def _row(pen: Pen, row: Box, rung: Rung, now: bool, *, grown: bool, told: bool) -> Iterator[Mark]:
    """One rung, which is a button where there is room for a finger."""
    name, price = rung.scheme.scale, f"{bits_of(rung.bits)} bits"
    middle, track = row.y + row.height / 2, _track(pen, row)
    if not pen.narrow:
        yield pen.rect(f"track-{name}", track, "cell soft", round=0, set={"scale": name},
                       label=f"a scale for {EACH[name]}")  # fmt: skip
    length = round(track.width * max(rung.level, 0.0) / MOST) if grown else 0
    yield pen.rect(f"bar-{name}", track._replace(width=length), "work" if now else "work soft", round=0)
    if told:
        role = "value strong answer" if now else "value answer"
        yield pen.text(f"db-{name}", pen.pick(pen.width, row.right), middle, f"{fixed(rung.level, 1)} dB", role,
                       anchor="end", middle=True)  # fmt: skip
    role = "label strong" if now else "label"
    if pen.narrow:
        yield pen.text(f"name-{name}", row.x, middle, f"{name}, {price}", role, middle=True)
        return
    lift = 0.55 * pen.size
    yield pen.text(f"name-{name}", row.x, middle - lift, name, role, middle=True)
    yield pen.text(f"bits-{name}", row.x, middle + lift, price, "note", middle=True)
