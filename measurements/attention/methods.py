"""Attention with its scores in memory, and fused into one kernel. `count` runs each once, for hardware counters."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from time import sleep

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from measurements.harness.pytorch import Call, demand_close, emit
from measurements.harness.timing import seconds

HEADS, DIM, LONGEST = 16, 128, 8192
LENGTHS = (512, 1024, 2048, 4096, LONGEST)
IN_GRAPH = 5  # calls: the host launches more slowly than short ones run
REST = 0.01  # [s] before each replay: at full load the power limit would slow down what is measured
BACKENDS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "math": SDPBackend.MATH,
}


def materialised(scaled: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Three kernels, with all scores and all weights in memory between; the queries are scaled already."""
    return torch.softmax(scaled @ k.mT, dim=-1) @ v


def fused(backend: SDPBackend, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """PyTorch's own attention, by one of its backends."""
    with sdpa_kernel(backend):
        return scaled_dot_product_attention(q, k, v)


def drawn(tokens: int) -> Sequence[torch.Tensor]:
    """Queries, keys and values."""
    return [torch.randn(1, HEADS, tokens, DIM, dtype=torch.bfloat16, device="cuda") for _ in range(3)]


def methods(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> dict[str, Call]:
    """Each method, ready to be called."""
    calls: dict[str, Call] = {"materialised": partial(materialised, q * DIM**-0.5, k, v)}
    return calls | {name: partial(fused, backend, q, k, v) for name, backend in BACKENDS.items()}


def check(calls: dict[str, Call], *inputs: torch.Tensor) -> None:
    """Compare the first and the last head with double precision."""
    q, k, v = (tensor[0, [0, -1]].double() for tensor in inputs)
    wanted = torch.softmax(q @ k.mT * DIM**-0.5, dim=-1) @ v
    for name, call in calls.items():
        demand_close(f"{name} of {q.shape[1]} tokens", call()[0, [0, -1]], wanted, 2e-2)


def captured(call: Call) -> Call:
    """Some calls as a graph, to be replayed; whoever calls has to keep the inputs, since a graph holds addresses."""
    call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(IN_GRAPH):
            call()
    replay: Call = graph.replay  # which holds the graph
    return replay


def get_going(replay: Call) -> None:
    """A rest, and a replay that isn't timed: neither the host nor the GPU is at full speed at once."""
    sleep(REST)
    replay()


def extra(call: Call) -> int:
    """The most memory that a call takes beside what was there [B]."""
    torch.cuda.synchronize()
    before = int(torch.cuda.memory_allocated())
    torch.cuda.reset_peak_memory_stats()
    call()
    torch.cuda.synchronize()
    return int(torch.cuda.max_memory_allocated()) - before


def count() -> None:
    """Each method once at the greatest length, each behind a kernel that waits: so the list of kernels is parted."""
    calls = methods(*drawn(LONGEST))
    for call in calls.values():
        torch.cuda._sleep(1000)
        call()
    torch.cuda.synchronize()


def main() -> None:
    """Time and memory at every length."""
    for tokens in LENGTHS:
        inputs = drawn(tokens)
        calls = methods(*inputs)
        check(calls, *inputs)
        for name, call in calls.items():
            emit("extra_memory", [extra(call)], method=name, tokens=tokens)
        for name, call in calls.items():
            replay = captured(call)
            times = seconds(replay, before=partial(get_going, replay))
            emit("time", [time / IN_GRAPH for time in times], method=name, tokens=tokens)


if __name__ == "__main__":
    count() if sys.argv[1:] == ["count"] else main()
