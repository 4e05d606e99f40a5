"""A head small enough to read: the words of the page, latents of three numbers, keys and values of two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .model import Head

WORDS = ("a", "rusty", "old", "lantern")
TOY = Head(
    query=np.array([[1.0, 2.0]]),
    key=np.array([[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]]),
    value=np.array([[[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]]),
    latents=np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]]),
)


def filled(lines: Sequence[Sequence[float]], known: int) -> list[list[float | str]]:
    """Numbers of the columns that are known so far."""
    return [[entry if at < known else "" for at, entry in enumerate(line)] for line in lines]
