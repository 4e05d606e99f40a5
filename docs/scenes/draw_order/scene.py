"""Marks that move one after another in one step."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Grid, Mark, Pen
from loom.scene import Toggle

from .._pieces import piece


def example(pen: Pen, dealt: bool) -> Iterator[Mark]:
    hands = Box(0, 90, pen.width, 60).columns(4, gap=pen.pick(16, 60))
    for at, (hand, name) in enumerate(zip(hands, ("Ann", "Ben", "Cem", "Dia"), strict=True)):
        yield pen.rect(f"hand-{at}", hand, "ghost outline", round=4)
        yield pen.text(f"name-{at}", hand.x, hand.bottom + 18, name, "note")
    for turn in range(12):
        places = Grid(hands[turn % 4].inset(8, 8, 8, 8), 1, 3, gap=4)
        stack = Box(pen.width / 2 - 60 + 7 * turn, 14, places.cell_width, places.cell_height)
        yield pen.rect(f"card-{turn}", places.nth(turn // 4) if dealt else stack, "cell", wait=turn)


SCENE = piece(
    "How do marks move one after another?",
    "Each waits its turn: the card that is dealt first has wait=0, the last wait=11.",
    example,
    (Toggle("dealt", "Deal", default=False),),
)
