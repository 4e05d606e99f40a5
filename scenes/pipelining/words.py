"""Counts and cycles as the reader reads them."""

from __future__ import annotations

from loom.draw import count, plain

from .model import ELEMENT, TILE, Pipeline


def cycles(number: float) -> str:
    """Cycles, to a tenth where they are not whole."""
    return f"{short(number)} cycles"


def short(number: float) -> str:
    return plain(number) if number == round(number) else f"{number:,.1f}"


def percent(share: float) -> str:
    return f"{plain(share)}%"


def tally(pipeline: Pipeline) -> str:
    """How many tiles are done in the time shown, and how many there could be."""
    most = pipeline.window // pipeline.compute
    return f"{count(pipeline.done, 'tile')} computed in {cycles(pipeline.window)}; without waits, {most}"


def tiles_of_a_stage() -> str:
    rows, columns, depth = TILE
    one = f"{rows} × {depth}"
    other = f"{depth} × {columns}"
    return f"a tile of A, {one}, and one of B, {other}, in BF16, {ELEMENT} bytes a number"
