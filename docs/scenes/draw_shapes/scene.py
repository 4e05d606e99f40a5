"""Closed paths, filled paths, and outlines with holes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Mark, Pen

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    x, y, unit = pen.width / 2, 92, pen.pick(1, 1.8)
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    coast = 1 + 0.12 * np.cos(3 * angles) + 0.05 * np.sin(7 * angles)
    island = [
        (x + unit * 120 * far * np.cos(at), y + 68 * far * np.sin(at)) for at, far in zip(angles, coast, strict=True)
    ]
    lake = [(x - unit * (30 + 46 * np.cos(at)), y + 26 * np.sin(at)) for at in angles]  # runs the other way
    trip = [(x + unit * across, y + down) for across, down in [(40, 30), (90, -10), (52, -38), (26, -6)]]
    yield pen.outline("island", [island, lake], "kept soft solid")
    yield pen.path("walk", trip, "data dashed", close=True)
    yield pen.path("hill", [(x + unit * 46, y + 12), (x + unit * 60, y - 18), (x + unit * 74, y + 12)],
                   "data solid", close=True)  # fmt: skip
    yield pen.text("lake", x - unit * 30, y, "lake", "note", anchor="middle", middle=True)


SCENE = piece(
    "How is a shape with a hole drawn?",
    "As an outline of two rings, of which one runs the other way; a closed path leads back to where it began.",
    example,
)
