"""Context parallelism: a causal sequence cut over GPUs, the ring's steps, and what hides behind what."""

from __future__ import annotations

from functools import cache

import numpy as np

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .attention import ring_attention
from .chart import LENGTHS
from .cost import Case
from .drawing import draw
from .model import LAYOUTS, TOKENS, owners
from .narration import PHASES, gpus

COLUMNS = (
    Column("gpu", "GPU"),
    Column("pairs", "pairs"),
    Column("share", "of the mean", "×", digits=2),
    Column("waits", "waits", "pairs"),
)


def table(case: Case) -> Table:
    ring = case.ring
    return Table(COLUMNS, [(rank, total, total / ring.ideal, ring.time - total)
                           for rank, total in enumerate(ring.totals.tolist())])  # fmt: skip


@cache
def merging_error(layout: str, ranks: int) -> float:
    """How far attention merged round the ring is from attention over the whole sequence, for a seeded example."""
    rng = np.random.default_rng(0)
    queries, keys, values = rng.normal(size=(3, TOKENS, 8))
    alone = ring_attention(queries, keys, values, np.zeros(TOKENS, dtype=np.int64), 1)
    merged = ring_attention(queries, keys, values, owners(layout, TOKENS, ranks), ranks)
    return float(np.abs(merged - alone).max())


def values(case: Case) -> dict[str, Value]:
    ring = case.ring
    return {
        "slowest": Value(int(ring.totals.max()), "pairs"),
        "fewest": Value(int(ring.totals.min()), "pairs"),
        "mean": Value(ring.ideal, "pairs"),
        "imbalance": Value(ring.imbalance, "×"),
        "time": Value(ring.time, "pairs"),
        "ideal": Value(ring.ideal, "pairs"),
        "waiting": Value(100 * ring.waiting, "%"),
        "sent": Value(case.sent, "B"),
        "block": Value(case.block, "B"),
        "ulysses": Value(case.ulysses, "B"),
        "transfer": Value(case.transfer, "s"),
        "work": Value(case.work, "s"),
        "step_transfer": Value(case.step_transfer, "s"),
        "step_work": Value(case.step_work, "s"),
        "hides_from": Value(case.hides_from, "tokens"),
        "ring": Value(case.ring_time, "s"),
        "gather": Value(case.gather_time, "s"),
        "long_imbalance": Value(case.work / case.ideal, "×"),
        "error": Value(merging_error(case.layout, case.ranks)),
    }


SCENE = Scene(
    title="Do all GPUs get the same work?",
    summary="A causal sequence is cut over GPUs whose keys and values travel round a ring. Cut in order, the last GPU "
    "has most of the work and the others wait in every step; a zigzag gives all the same.",
    params=(
        Choice("layout", "Cut", {name: name for name in LAYOUTS}),
        Choice("ranks", "GPUs", {ranks: gpus(ranks) for ranks in (2, 4, 8)}, default=4),
        Range("tokens", "Long sequence", {length: f"{length:,} tokens" for length in LENGTHS}, default=131_072),
    ),
    sentence="Cut {layout} over {ranks}, then {tokens}.",
    solve=Case,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2, -1),
    sources=("ring-attention", "striped-attention", "llama-3", "ring-flash-attention", "ulysses"),
    leaves_out=f"The drawn example has {TOKENS} tokens, and a pair of a query and a key takes one unit of time. "
    "The long sequence is one layer of Llama 3 405B, forward, on H100s at their peak, each with a network card of "
    "50 GB/s. Training of Llama 3 reached about 400 TFLOP/s: at that rate arithmetic takes longer, and transfers hide "
    "from shorter sequences on. With tensor parallelism over 8 GPUs each has an eighth of the heads: all bytes and "
    "times are an eighth, and the ratios stay. Llama 3 itself gathers all keys and values before it computes, with the "
    "zigzag cut: few KV heads make that cheap, and any mask is easy. Several documents in one sequence upset both the "
    "striped and the zigzag cut. Ulysses gives each GPU whole heads, so it needs as many KV heads as GPUs, or copies.",
)
