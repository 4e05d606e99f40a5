"""Speculative decoding: guesses that may be refused, and an answer that does not depend on them."""

from __future__ import annotations

import numpy as np

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import LARGE, LIKENESS, SEEDS, START, WORDS, Pass, spoken
from .stage import LEADER
from .story import PHASES


def solve(likeness: float, guesses: int, draw: int) -> Pass:
    return Pass(likeness, guesses, draw)


def table(one: Pass) -> Table:
    columns = (
        Column("word", "first word"),
        Column("large", "large model", "%", digits=2),
        Column("small", "small model", "%", digits=2),
        Column("stays", "guessed and kept", "%", digits=2),
        Column("redrawn", "drawn instead", "%", digits=2),
        Column("out", "comes out", "%", digits=2),
    )
    p, q = LARGE[START], one.small[START]
    stays, out = np.minimum(p, q), spoken(p, q)
    return Table(columns, [(word, *(float(100 * part[at]) for part in (p, q, stays, out - stays, out)))
                           for at, word in enumerate(WORDS)])  # fmt: skip


def values(one: Pass) -> dict[str, Value]:
    p, q = float(LARGE[START][LEADER]), float(one.small[START][LEADER])
    shares = {
        "alike": one.alike,
        "refused": 1 - one.alike,
        "p_and": p,
        "q_and": q,
        "kept_and": min(p, q),
        "refilled_and": max(0.0, p - q),
        "difference": one.change,
    }
    return {
        **{name: Value(round(100 * share, 9), "%") for name, share in shares.items()},
        "stay": Value(one.stay, "guesses"),
        "tokens": Value(len(one.words), "tokens"),
        "expected": Value(one.expected, "tokens"),
    }


SCENE = Scene(
    title="What becomes of a wrong guess?",
    summary="A small model guesses some words, and the large model looks them all over in one pass. A guess stays with "
    "the chance min(1, p/q); in place of the first that does not, a word is drawn from what the guesses lack.",
    params=(
        Range("likeness", "Likeness", {at: f"{100 * at:.0f}%" for at in LIKENESS}, default=0.6),
        Range("guesses", "Guesses", {n: count(n, "guess", "guesses") for n in (1, 2, 4)}, default=4),
        Choice("draw", "Draw", {n: f"draw {n}" for n in SEEDS}),
    ),
    sentence="Ask a model {likeness} alike for {guesses}, {draw}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=5,
    key_steps=(5,),
    limits={"bytes": 28_000},  # a file holds all variants, and is within the usual limit
    sources=("leviathan", "chen-spec"),
    leaves_out="The language has four words, and what comes next depends on the word before alone; both models are "
    "tables made up for this picture. The small one is a mixture of the large one and of the same with its preferences "
    "upside down, so that it can be as wrong as one likes. All is exact: probabilities are added up over all guesses "
    "and verdicts, and only the pass of the first four steps is one draw of random numbers. In software p and q are "
    "what temperature and truncation leave of both models, so both have to be treated alike; with temperature 0 a "
    "guess stays if it is the large model’s favourite. Equal is meant of probabilities: the large model’s numbers "
    "themselves change in their last bits with the number of positions that it computes at once, so that the very same "
    "text is not promised. Trees of guesses, which keep several words for one place, are left out.",
)
