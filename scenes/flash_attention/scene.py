"""FlashAttention: bytes moved with the matrix of scores stored, and in tiles that stay on the chip."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import KIB, Case, bound_bytes, first_paper_bytes
from .narration import PHASES
from .stage import MEMORIES

TOKENS = (1024, 8192)
DIMS = (64, 128)


def solve(tokens: int, dim: int, causal: bool, memory: int) -> Case:
    return Case(tokens, dim, memory * KIB, causal)


def table(case: Case) -> Table:
    columns = (
        Column("memory", "on-chip memory", "KB"),
        Column("block", "rows of a tile"),
        Column("tiles", "tiles computed"),
        Column("moved", "moved in tiles", "B"),
        Column("times", "times fewer than stored", digits=2),
    )
    cases = [Case(case.tokens, case.dim, memory * KIB, case.causal) for memory in (16, 32, 64, 100, 128, 224)]
    return Table(columns, [(one.memory // KIB, one.block, one.computed, one.tiled, one.times) for one in cases])


def values(case: Case) -> dict[str, Value]:
    first = first_paper_bytes(case.tokens, case.dim, case.memory)
    return {
        "plain": Value(case.plain, "B"),
        "tiled": Value(case.tiled, "B"),
        "times": Value(case.times, "×"),
        "once": Value(case.once, "B"),
        "times_once": Value(case.plain / case.once, "×"),
        "matrix": Value(case.matrix, "B"),
        "block": Value(case.block),
        "tiles": Value(case.computed),
        "skipped": Value(case.skipped),
        "first_paper": Value(first, "B"),
        "first_paper_times": Value(case.plain / first, "×"),
        **measured.values(),
        "over_bound": Value(case.tiled / bound_bytes(case.tokens, case.dim, case.memory), "×"),
    }


SCENE = Scene(
    title="Why never store the matrix?",
    summary="Attention computes a matrix of scores, one for each query and key. A plain program writes and reads it "
    "whole; in tiles that fit on the chip it is computed, used and forgotten, and only queries, keys, values and "
    "outputs move.",
    params=(
        Choice("tokens", "Tokens", {tokens: count(tokens, "token") for tokens in TOKENS}),
        Choice("dim", "Numbers of a head", DIMS),
        Choice("causal", "Keys that a query sees", {False: "all keys", True: "earlier keys"}),
        Range("memory", "On-chip memory", {memory: f"{memory} KB" for memory in MEMORIES}, default=64),
    ),
    sentence="{tokens}, d = {dim}, {causal}; on\u00a0the\u00a0chip: {memory}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(3,),
    sources=("fa1", "fa2", "fa-repo"),
    leaves_out="Bytes are counted between the chip and everything outside it. On a GPU the L2 cache lies between: what "
    "blocks read again soon mostly comes from there, so that HBM sees something between the two shades of the lower "
    "bar, while a stored matrix of many megabytes has to go to HBM. The rings are what the counters of an "
    "H100 found for a head of 16, both ways being PyTorch’s: the stored matrix to the percent, and in tiles little "
    "more than each number once. One head, forward, in BF16. The tiles of Q, K, V "
    "and O have a quarter of the memory each, as in the first paper, which also cuts the queries of a tile to d; its "
    "loop keeps the keys and lets the queries pass, this one keeps the queries, as later versions do. Those hold O "
    "and the scores of a tile in registers, or on Blackwell in tensor memory, load the next tile while they compute "
    "on one, and use fixed tiles, such as 128 × 128, up to what an H100’s 227 KB for a block allow. Each block of "
    "queries runs on its own SM, many at a time. A plain program might fuse its softmax or its mask, and move less.",
)
