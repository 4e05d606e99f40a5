"""All pairs of the head at once: a bar for the cosine of each, and their mean, which is the product."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, memoized

from .._rope.rotation import PAIRS
from .model import pose


@memoized
def draw_cosines(pen: Pen, box: Box, distance: int) -> Iterator[Mark]:
    """The fastest pair at the left; bars of cosines below 0 hang from the line."""
    here, zero, unit = pose(distance), box.y + box.height / 2, box.height / 2
    places = [box.x + (pair + 0.5) * box.width / PAIRS for pair in range(PAIRS)]
    # In whole steps: nobody sees a half, and whole ones take half as many bytes.
    tops = [zero - round(unit * cosine) for cosine in here.cosines.tolist()]
    mean = zero - unit * here.score
    yield pen.strokes("cosines", ([(x, zero), (x, top)] for x, top in zip(places, tops, strict=True)), "work")
    yield pen.line("mean", box.x, mean, box.right, mean, "hot")


@memoized
def draw_frame(pen: Pen, box: Box) -> Iterator[Mark]:
    """What stays: the line of 0, and which pairs stand at the ends."""
    zero, foot = box.y + box.height / 2, box.bottom + pen.pick(11, 14)
    yield pen.line("cosines-zero", box.x, zero, box.right, zero, "axis")
    yield pen.text("cosines-first", box.x, foot, "pair 0", "note")
    yield pen.text("cosines-last", box.right, foot, f"{PAIRS - 1}", "note", anchor="end")
