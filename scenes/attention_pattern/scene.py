"""Attention's pattern: one query meets the keys of a short sentence, and mixes their values."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import Asked, ask, effective_tokens, softmax
from .weights import TOKENS
from .words import STORY

ENTRIES = range(4)
COLUMNS = (
    Column("token", "token"),
    Column("raw", "raw score", digits=2),
    Column("scaled", "scaled score", digits=2),
    Column("weight", "weight", "%", digits=1),
    *(Column(f"part_{entry + 1}", f"weight × v, entry {entry + 1}", digits=3) for entry in ENTRIES),
)


def table(asked: Asked) -> Table:
    run, row, seen = asked.of, asked.row, asked.row + 1
    numbers = zip(TOKENS[:seen], run.raw[row].tolist(), run.scaled[row].tolist(), run.weights[row].tolist(),
                  run.V.tolist(), strict=False)  # fmt: skip
    rows = [(token, raw, scaled, 100 * weight, *(weight * entry for entry in value))
            for token, raw, scaled, weight, value in numbers]  # fmt: skip
    return Table(COLUMNS, rows)


def values(asked: Asked) -> dict[str, Value]:
    run, row = asked.of, asked.row
    weights = run.weights[row]
    largest = 100 * float(weights.max())
    return {
        "largest": percentage(largest),
        "rest": percentage(100 - largest),
        "seen": Value(row + 1),
        "hidden": Value(len(TOKENS) - row - 1),
        "effective": Value(effective_tokens(weights)),
        **{f"weight_{word}": percentage(100 * float(weight)) for word, weight in zip(TOKENS, weights, strict=True)},
        **{f"scaled_{word}": Value(float(score)) for word, score in zip(TOKENS, run.scaled[row], strict=True)},
        "undivided": percentage(100 * float(softmax(run.raw[row, : row + 1]).max())),
        "ahead": percentage(100 * float(softmax(run.scaled[row])[row + 1 :].sum())),
        **{f"output_{entry + 1}": Value(float(run.output[row, entry])) for entry in ENTRIES},
    }


def percentage(share: float) -> Value:
    """A percentage with one decimal, but for the whole."""
    return Value(share, "%", digits=4 if 99.95 <= share < 100 else 3 if share >= 9.95 else 2)


SCENE = Scene(
    title="What does a token take from others?",
    summary="A token’s query meets the keys of the tokens up to itself; the scores become weights that add up to 100%, "
    "and by these the token mixes the values.",
    params=(
        Choice("query", "Token that asks", TOKENS, default="lantern"),
        Choice("head", "Head", {"describes": "describing words", "previous": "the token before"}),
    ),
    sentence="Let {query} look for {head}.",
    solve=ask,
    steps=STORY,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    limits={"bytes": 28_000},  # a file holds all variants, and is within the usual limit
    sources=("vaswani2017",),
    leaves_out="Six tokens, embeddings of 8 numbers, vectors of 4, and matrices chosen by hand for two clear patterns. "
    "A real model runs dozens of heads side by side in every layer, with keys of 64 to 512 numbers, "
    "joins their outputs and multiplies them by one more matrix, W_O. Its matrices are trained, and few of its heads "
    "have a pattern that deserves a name. Its tokens are often pieces of words; its queries and keys are mostly "
    "rotated by their place (RoPE); its values have either sign, while ours are positive so that they stack. "
    "A fused kernel computes the map in tiles and never stores it whole.",
)
