"""Time of what PyTorch launches: events around many calls, after warming up."""

from __future__ import annotations

import os
from collections.abc import Callable

from measurements.harness.machine import QUICK


def repetitions(wanted: int = 20) -> int:
    """How often to measure: as often as wanted, or three times in a quick run."""
    return 3 if QUICK in os.environ else wanted


def flush() -> Callable[[], None]:
    """A function that puts other data into L2, by reading them: lines to be written back would burden what follows."""
    import torch

    size = torch.cuda.get_device_properties(0).L2_cache_size
    other = torch.ones(size, dtype=torch.float32, device="cuda")  # four times the cache
    return lambda: torch.sum(other) and None


def seconds(
    call: Callable[[], object], wanted: int = 20, calls: int = 1, before: Callable[[], object] = lambda: None
) -> list[float]:
    """Seconds of one call, for each repetition: events around `calls` of them, after `before`, which is not timed."""
    import torch

    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for _ in range(2):
        call()
    torch.cuda.synchronize()
    found = []
    for _ in range(repetitions(wanted)):
        before()
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        found.append(begin.elapsed_time(end) * 1e-3 / calls)
    return found
