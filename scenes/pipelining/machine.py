"""The last step: the same lanes with an H100's own times, and what a tile took on it."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Moment, evenly

from .measured import PART, TRANSFER, compute, expected, latency, result, tiles
from .model import Pipeline

SWEEPS = 8  # beats in which the playhead goes over the lanes


def sweeping(_: Moment) -> tuple[float, ...]:
    """The playhead stands, and runs evenly; when it has come, what a tile took is told."""
    return evenly(SWEEPS, 3.6, lead=0.25, landed=True)


def asked(_: Pipeline) -> tuple[int, ...]:
    """Only where somebody has measured."""
    return (0,) if result() else ()


def given(one: Pipeline) -> Pipeline:
    """What the GPU was given, with as many buffers as the reader has."""
    return Pipeline(one.stages, latency(), TRANSFER, compute())


def say_machine(moment: Moment) -> str:
    stages = moment.result.stages
    return (
        f"An {PART}’s own times, not those chosen: a small tile’s load takes {latency()} cycles, its arithmetic "
        f"{compute()}. That makes a tile every {expected(stages):,.0f} with {count(stages, 'buffer')}; measured, it is "
        f"{tiles()[stages].median:,.0f}."
    )


def times(chosen: Pipeline) -> str:
    """Which times the lanes have here, and which they do not."""
    return f"an {PART}: load {latency()}, arithmetic {compute()}, not {chosen.latency} and {chosen.compute}"


def told(stages: int) -> str:
    """How long the GPU took for a tile."""
    return f"an {PART} took {tiles()[stages].median:,.0f} cycles"
