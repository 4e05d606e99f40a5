"""Latent attention: build keys and values from latents, or absorb the matrices that would build them."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Column, Range, Scene, Table, Value

from .drawing import CONTEXT, SCHEMES, draw
from .model import ABSORBED, BUILT, Step, break_even, pair
from .narration import PHASES
from .pace import QUERIES


def solve(queries: int) -> Step:
    return Step(queries, CONTEXT)


def table(step: Step) -> Table:
    columns = (
        Column("way", "way"),
        Column("read", "read", "MB", digits=1),
        Column("flops", "arithmetic", "GFLOP", digits=2),
        Column("intensity", "for each byte", "FLOP/B", digits=1),
    )
    ways = [("MHA", "MHA", "MHA"), ("GQA, 8 groups", "GQA", "MHA"), ("MLA, built", "MLA", BUILT),
            ("MLA, absorbed", "MLA", ABSORBED)]  # fmt: skip
    rows = [(name, step.read(scheme), step.flops(way)) for name, scheme, way in ways]
    return Table(columns, [(name, read / 1e6, flops / 1e9, flops / read) for name, read, flops in rows])


def values(step: Step) -> dict[str, Value]:
    return {
        "ratio": Value(step.ratio, "×"),
        "built": Value(step.flops(BUILT), "FLOP"),
        "absorbed": Value(step.flops(ABSORBED), "FLOP"),
        "built_token": Value(step.flops(BUILT) / step.queries, "FLOP"),
        "absorbed_token": Value(step.flops(ABSORBED) / step.queries, "FLOP"),
        "even": Value(float(break_even(step.context)), "tokens"),
        "pair_built": Value(pair(BUILT), "FLOPs"),
        "pair_absorbed": Value(pair(ABSORBED), "FLOPs"),
        **{f"read_{scheme.lower()}": Value(step.read(scheme), "B") for scheme in SCHEMES},
        # of the scores and blends alone: the matrices are read besides, once for all conversations of a batch
        "intensity": Value(step.queries * pair(ABSORBED) * step.context / step.read("MLA"), "FLOP/B"),
    }


SCENE = Scene(
    title="Must keys be built from latents?",
    summary="Scores come out the same whether the matrix makes keys of all latents or is absorbed by the query. "
    "Absorbing spares nearly all arithmetic while few new tokens come at once; building pays when many do.",
    params=(Range("queries", "At once", {new: count(new, "token") for new in QUERIES}),),
    sentence="Add {queries} at once.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("deepseek-v2", "deepseek-v3", "flashmla", "deepseek-v32-exp"),
    leaves_out="The small head has no part that tells the position; the counts have it, 64 numbers for each token. "
    "Counted are the two matrices and the products of scores and blends, for all 128 heads of one layer and one "
    "conversation; not the softmax, nor the reading of the matrices, which all conversations of a batch share. "
    "Keys and values that are built never leave the chip here; a kernel that writes them to memory moves 57 times "
    "the bytes. All new tokens see the whole context, and not less for the first of them. "
    "MHA and GQA are counted with 128 heads of 128 numbers, shapes that DeepSeek-V3 does not have.",
)
