"""What the PyTorch programs share: samples as lines on stdout, a check against double precision, turns and graphs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import torch

from measurements.harness.timing import repetitions, seconds

Call = Callable[[], Any]
Name = TypeVar("Name")


def emit(series: str, samples: Sequence[float], **at: float | str) -> None:
    """Print one sample of an output that was checked: all repetitions' numbers at one place, in the series' unit."""
    print(json.dumps({"series": series, "at": at, "samples": list(samples), "checked": True}), flush=True)


def rates(amount: float, times: Sequence[float]) -> list[float]:
    """`amount` over each of these times."""
    return [amount / time for time in times]


def demand_close(name: str, found: Any, wanted: Any, tolerance: float) -> None:
    """Stop a program whose kernel is wrong, by ‖found − wanted‖ / ‖wanted‖: a wrong kernel's time says nothing."""
    error = float(torch.linalg.norm(found.double() - wanted.double()) / torch.linalg.norm(wanted.double()))
    if not error < tolerance:  # a NaN isn't, either
        sys.exit(f"{name} is off by {error:.3g}, and may be by {tolerance:.3g}")


def seconds_in_turns(calls: Mapping[Name, Call], wanted: int = 20, burst: int = 1) -> dict[Name, list[float]]:
    """Seconds of one call of each, in short bursts that take turns: the power limit is then the same for all."""
    for call in calls.values():
        call()
    torch.cuda.synchronize()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    found: dict[Name, list[float]] = {name: [] for name in calls}
    for _ in range(repetitions(wanted)):
        for name, call in calls.items():
            begin.record()
            for _ in range(burst):
                call()
            end.record()
            end.synchronize()
            found[name].append(begin.elapsed_time(end) * 1e-3 / burst)
    return found


def seconds_in_graph(calls: Sequence[Call], wanted: int = 20) -> list[float]:
    """Seconds of one of these calls, for each repetition: all are replayed as a graph, without launches by the host.

    The calls have to write to memory of their own: a graph holds addresses.
    """
    for call in calls:
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    return [time / len(calls) for time in seconds(graph.replay, wanted)]
