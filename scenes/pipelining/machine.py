"""The last step: the same lanes with an H100's own times, and what a tile took on it."""

from __future__ import annotations

from loom.scene import Moment

from .measured import MOST, PART, TRANSFER, compute, latency, result, tiles
from .model import Pipeline


def asked(_: Pipeline) -> tuple[int, ...]:
    """Only where somebody has measured."""
    return (0,) if result() else ()


def given(one: Pipeline) -> Pipeline:
    """What the GPU was given, with as many buffers as the reader has."""
    return Pipeline(one.stages, latency(), TRANSFER, compute())


def say_machine(_: Moment) -> str:
    counted = tiles()[MOST].predicted or 0
    return (
        f"Small tiles on an {PART}: a load takes {latency()} cycles, the arithmetic {compute()}, not the {counted:.0f} "
        f"of its multiply-adds. With these, the formula holds."
    )


def told(stages: int) -> str:
    """How long the GPU took for a tile."""
    return f"an {PART} took {tiles()[stages].median:,.0f} cycles"
