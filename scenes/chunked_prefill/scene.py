"""Chunked prefill: what a long prompt costs everybody else, by the number of tokens that a step may have."""

from __future__ import annotations

import numpy as np

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .engine import served
from .model import ALONE, BUDGETS, CHUNKS, DECODE, PROMPTS, SERVER, Stall, stall
from .narration import PHASES

HOW = {ALONE: "by itself", CHUNKS: "in chunks"}
TOKENS = {tokens: f"{tokens:,}" for tokens in PROMPTS}
STEPS = {budget: f"{budget:,}" for budget in BUDGETS}


def table(case: Stall) -> Table:
    columns = (
        Column("budget", "tokens in a step"),
        Column("steps", "steps"),
        Column("gap", "longest gap", "ms", digits=2),
        Column("first", "first token", "ms", digits=1),
        Column("decoded", "decoded meanwhile", "tokens"),
        Column("reread", "read again", "GB", digits=2),
    )
    cases = [stall(ALONE, case.prompt, BUDGETS[0]), *(stall(CHUNKS, case.prompt, budget) for budget in BUDGETS)]
    return Table(columns, [("by itself" if one.how == ALONE else one.budget, len(one.turns), 1e3 * one.gap,
                            1e3 * one.first, one.decoded, one.reread / 1e9) for one in cases])  # fmt: skip


def values(case: Stall) -> dict[str, Value]:
    visits = served(case.how, case.prompt, case.budget)
    return {
        "gap": Value(case.gap, "s"),
        "first": Value(case.first, "s"),
        "usual": Value(DECODE, "s"),
        "slower": Value(case.slower, "×"),
        "steps": Value(len(case.turns)),
        "chunk": Value(case.turns[0].chunk, "tokens"),
        "decoded": Value(case.decoded, "tokens"),
        "reread": Value(case.reread, "B"),
        "balance": Value(SERVER.balance, "tokens"),
        "stream_gap": Value(max(max(one.gaps) for one in visits), "s"),
        "stream_tpot": Value(float(np.mean([one.mean for one in visits])), "s"),
        "stream_ttft": Value(float(np.mean([one.first for one in visits])), "s"),
    }


SCENE = Scene(
    title="Who pays for a long prompt?",
    summary="A step that computes a long prompt takes as long as the prompt, and whoever decodes gets no token "
    "meanwhile. Cut into chunks that fill each step up to a budget, the prompt takes a little longer and the others "
    "hardly notice.",
    params=(
        Choice("prompt", "Prompt", TOKENS, default=4096),
        Choice("how", "Computed", HOW, default=CHUNKS),
        Range("budget", "Tokens in a step", STEPS, default=512, when={"how": (CHUNKS,)}),
    ),
    sentence="Compute {prompt} tokens {how}[, {budget} in a step].",
    solve=lambda prompt, how, budget: stall(how, prompt, budget),
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(2, 3),
    still=200,  # the lanes, without the plot
    sources=("sarathi", "vllm-opt", "llama-3", "h100-whitepaper"),
    leaves_out="Llama 3 8B in BF16 on an H100 at all of its data sheet’s rates; real kernels reach less, and launches, "
    "sampling and scheduling take time too. Linear layers, attention of those who decode and attention of the prompt "
    "follow one another. In the first three steps the others’ conversations stay at 1,024 tokens. The stream’s "
    "requests come at seeded random times, 12 in a second; prompts are served first come, first served, and a step "
    "may hold several. By itself a prompt goes before everybody’s decoding, as some servers did before chunks; vLLM "
    "now cuts unless told not to, decodes first, and calls the budget max_num_batched_tokens. No cache is shared, "
    "memory never runs out, and nobody is preempted. Gaps are what the server makes; a client also sees the network.",
)
