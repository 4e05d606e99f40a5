"""Decoding with the keys in parts, and with fewer KV heads; PyTorch's own attention beside it."""

from __future__ import annotations

from functools import partial
from math import ceil

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from measurements.harness.pytorch import Call, demand_close, emit, seconds_in_graph
from measurements.split_kv.kernels import DIM, KEYS, Decoding

KV_HEADS, QUERY_HEADS, MOST = 8, 32, 256  # of a layer of Llama 3 8B; splits
SEQUENCES, SHARED_KEYS, PROGRAMS = 4, 32768, 256  # where the KV heads change
CALLS = 8  # in a graph, at least: its own launch shouldn't count
BF16 = 2
TOLERANCE = 1e-2


def drawn(heads: int, keys: int, queries: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, `queries` for each KV head, keys and values."""
    shapes = ((heads, queries, DIM), (heads, keys, DIM), (heads, keys, DIM))
    q, k, v = (torch.randn(shape, dtype=torch.bfloat16, device="cuda") for shape in shapes)
    return q, k, v


def sets(heads: int, keys: int) -> int:
    """How many sets of keys and values take turns, so that none is still in L2 when it is read again."""
    size = 2 * heads * keys * DIM * BF16
    cache = int(torch.cuda.get_device_properties(0).L2_cache_size)
    return max(1, ceil(4 * cache / size))


def in_double(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The same attention in double precision."""
    return torch.softmax(q.double() @ k.double().mT * DIM**-0.5, dim=-1) @ v.double()


def often(calls: list[Call]) -> list[Call]:
    """These calls in turns, until they are enough for a graph."""
    return calls * ceil(CALLS / len(calls))


def library(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """PyTorch's own: it chooses the number of splits."""
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        asked = q.reshape(1, QUERY_HEADS, 1, DIM)
        return scaled_dot_product_attention(asked, k[None], v[None], enable_gqa=True).reshape_as(q)


def by_splits(keys: int) -> None:
    """One sequence, its keys in 1, 2, 4, … parts."""
    inputs = [drawn(KV_HEADS, keys, QUERY_HEADS // KV_HEADS) for _ in range(sets(KV_HEADS, keys))]
    wanted = in_double(*inputs[0])
    splits = 1
    while splits <= min(MOST, keys // KEYS):
        calls = [Decoding(*each, splits) for each in inputs]
        demand_close(f"{splits} splits of {keys} keys", calls[0](), wanted, TOLERANCE)
        emit("time", seconds_in_graph(often(list(calls))), keys=keys, splits=splits)
        splits *= 2
    theirs = [partial(library, *each) for each in inputs]
    demand_close(f"PyTorch with {keys} keys", theirs[0](), wanted, TOLERANCE)
    emit("library", seconds_in_graph(often(list(theirs))), keys=keys)


def by_heads(kv_heads: int) -> None:
    """Several sequences whose 32 query heads share so many KV heads."""
    heads = SEQUENCES * kv_heads
    inputs = [drawn(heads, SHARED_KEYS, QUERY_HEADS // kv_heads) for _ in range(sets(heads, SHARED_KEYS))]
    calls = [Decoding(*each, PROGRAMS // heads) for each in inputs]
    demand_close(f"{kv_heads} KV heads", calls[0](), in_double(*inputs[0]), TOLERANCE)
    emit("shared", seconds_in_graph(often(list(calls))), kv_heads=kv_heads)


if __name__ == "__main__":
    for keys in (131072, 1024):
        by_splits(keys)
    for kv_heads in (32, 16, 8, 4, 2, 1):
        by_heads(kv_heads)
