"""Strokes, outlines and hatches: many lines and boxes as one mark each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Grid, Mark, Pen

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    rows, columns = pen.pick(6, 5), pen.pick(10, 24)
    hall = Grid(Box(30, 34, pen.width - 60, rows * 26), rows, columns, gap=6)
    seats = [hall.nth(at) for at in range(rows * columns)]
    sold = np.random.default_rng(7).random(len(seats)) < 0.6
    mine = len(seats) // 2 + 2
    treads = range(34, 34 + rows * 26, 9)
    yield pen.line("screen", 30, 14, pen.width - 30, 14, "data thick")
    yield pen.strokes("stairs", [[(x, y), (x + 18, y)] for x in (0, pen.width - 18) for y in treads])
    yield pen.outlines("seats", seats)
    yield pen.hatches("sold", [seat for seat, gone in zip(seats, sold, strict=True) if gone])
    yield pen.strokes("mine", [seats[mine].corners, seats[mine + 1].corners], "hot solid")


SCENE = piece(
    "How are a hundred seats few marks?",
    "Outlines, hatches and strokes are one mark each, however many they are: the whole hall is five marks.",
    example,
)
