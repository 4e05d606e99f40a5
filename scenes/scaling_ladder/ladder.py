"""The ladder: for each size of group its decibels as a bar, and what a number then costs."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, fixed, memoized, trimmed
from loom.scene import Moment

from .stored import Rung, Stored

MOST = 48.0  # [dB] of the longest bar


def bits_of(bits: float) -> str:
    """The price of a number: 8, 8.25, 8.0078."""
    return trimmed(fixed(bits, 4))


def draw_ladder(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """A row for each rung, from one scale for all to the most scales; their bars come one after another."""
    stored: Stored = moment.result
    box = pen.pick(Box(0, 222, 328, 114), Box(604, 40, 236, 252))
    rungs = stored.rungs(stored.scheme.element)
    clean = stored.rungs(stored.scheme.element, "bell")
    yield pen.text(
        "ladder", box.x, box.y - pen.pick(7, 8), f"signal to noise of {stored.scheme.element}", "label strong"
    )
    if stored.data == "outlier":
        words = "without outliers"
        x, y = box.right - pen.text_width(words), box.y - 7
        if not pen.narrow:
            x, y = box.x + 12, box.bottom + 16
        yield pen.line("ghost-key", x - 7, y - 9, x - 7, y + 2, "axis thick")
        yield pen.text("ghost-name", x, y, words, "note")
    come = round(moment.past("ladder") * len(rungs))
    for place, (row, rung, without) in enumerate(zip(box.rows(len(rungs)), rungs, clean, strict=True)):
        shown = place < come or (moment.since("rounded") and rung.scheme == stored.scheme)
        yield from _row(pen, row, rung, stored, without.level if stored.data == "outlier" else 0.0, shown)


@memoized
def _row(pen: Pen, row: Box, rung: Rung, stored: Stored, without: float, come: bool) -> Iterator[Mark]:
    """One rung, which is a button where there is room for a finger."""
    name, now, price = rung.scheme.scale, rung.scheme == stored.scheme, f"{bits_of(rung.bits)} bits"
    middle, tall = row.y + row.height / 2, pen.pick(11.0, 16.0)
    track = Box(*pen.pick((124.0, middle - tall / 2, 146.0, tall), (row.x + 84, middle - tall / 2, 92.0, tall)))
    told = f"a scale for each {name}: {fixed(rung.level, 1)} dB for {price}"
    yield pen.rect(f"track-{name}", track, "cell soft", round=1, read=told if pen.narrow else "",
                   **({} if pen.narrow else {"set": {"scale": name}, "label": f"choose {told}"}))  # fmt: skip
    if come:
        length = track.width * max(rung.level, 0.0) / MOST
        yield pen.rect(f"bar-{name}", Box(track.x, track.y, length, tall), "work" if now else "work soft", round=1)
        role = "value strong answer" if now else "value answer"
        yield pen.text(f"db-{name}", pen.pick(pen.width, row.right), middle, f"{fixed(rung.level, 1)} dB", role,
                       anchor="end", middle=True)  # fmt: skip
    if without and come:
        x = track.x + track.width * without / MOST
        yield pen.line(f"clean-{name}", x, track.y - 2, x, track.bottom + 2, "axis thick")
    lift = pen.pick(0.0, 0.55 * pen.size)
    yield pen.text(f"name-{name}", row.x, middle - lift, name, "label strong" if now else "label", middle=True)
    yield pen.text(f"bits-{name}", pen.pick(118.0, row.x), middle + lift, price, "note",
                   anchor=pen.pick("end", "start"), middle=True)  # fmt: skip
