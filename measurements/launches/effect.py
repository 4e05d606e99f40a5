"""What a launch costs, in a stream, in a graph, and with a wait after each."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """The textbook counts the work alone: a kernel of so many microseconds takes as many, launched however."""
    return float(at["work"]) if series.startswith("busy") else None


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("launches.cu")


EFFECT = Effect(
    title="Launches",
    question="What does it cost to launch a kernel?",
    series=(
        Series("stream", "each of dependent launches in a stream", "s", ("launches",), ("launches",)),
        Series("graph", "each of dependent launches in a graph", "s", ("launches",), ("launches",)),
        Series("busy_stream", "each of 200 launches with work, in a stream", "s", ("work",), ("s",)),
        Series("busy_graph", "each of 200 launches with work, in a graph", "s", ("work",), ("s",)),
        Series(
            "synchronised", "a launch and the wait for its end, by the host's clock", "s", ("launches",), ("launches",)
        ),
        Series("events", "between two events with nothing between", "s", ("launches",), ("launches",)),
    ),
    predicted_from="A kernel takes the time of its work at the highest clock; of a launch itself nothing is promised.",
    predict=predict,
    measure=measure,
)
