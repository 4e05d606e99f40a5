"""Who does what, when."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Lanes, Mark, Pen, Span

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    lanes = Lanes(pen, Box(0, 14, pen.width, 100), ("oven", "cook", "guest"), 12)
    yield from lanes.draw()
    yield from lanes.spans(0, [Span("heat", 0, 3, "memory soft", "heats"), Span("bake", 4, 9, "work soft", "bakes")])
    yield from lanes.spans(1, [Span("mix", 0, 4, "work soft", "mixes"), Span("idle", 4, 9, "pad")])
    yield from lanes.spans(2, [Span("eat", 9, 12, "data soft", "eats")])
    yield lanes.now("now", 6)


SCENE = piece(
    "How is time drawn?", "In lanes that share an axis: spans of work, hatched waiting, and a line for now.", example
)
