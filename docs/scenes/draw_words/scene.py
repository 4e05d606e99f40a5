"""Brackets, labels that keep apart, hatching, rotated words, and a little math."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, around, bracket, maths, paragraph, side_labels

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    yield from bracket(pen, "span", 2, 120, 20, "twelve bytes")
    yield pen.rect("padded", Box(150, 8, 90, 34), "pad")
    yield pen.hatch("padding", Box(150, 8, 90, 34))
    yield from side_labels(pen, "side", 264, [20, 22, 24], ["one", "two", "three"], 10, 70)
    label = pen.text("formula", 8, 100, maths(r"\omega_0^2 = k/m"), "label")
    yield pen.rect("plate", around([label], 5), "cell")
    yield label
    yield pen.text("turned", 160, 130, "turned", "note", turn=-90)
    yield from paragraph(pen, "prose", 190, 96, "Words are broken where the line ends.", 120)


SCENE = piece("How are words placed?", "Beside what they name, kept apart, and never wider than their room.", example)
