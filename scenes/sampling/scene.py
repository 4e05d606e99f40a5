"""Sampling: one distribution over twelve next tokens, narrowed by four rules, and five draws."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import (
    LLAMA_CPP_ORDER,
    LOGITS,
    TOKENS,
    VLLM_ORDER,
    apply_rules,
    effective_choices,
    entropy,
    steps,
)
from .rules import Settings
from .words import NAMES, say


def table(temperature: float, top_k: int, top_p: float, min_p: float) -> Table:
    state = steps(temperature, top_k, top_p, min_p)[-1]
    columns = (
        Column("token", "token"),
        Column("logit", "logit", digits=1),
        Column("plain", "at T = 1", "%", digits=1),
        Column("tempered", "after temperature", "%", digits=1),
        Column("kept", "kept"),
        Column("final", "drawn from", "%", digits=1),
    )
    rows: list[tuple[float | str, ...]] = []
    for token in state.order.tolist():
        rule = state.cut_by(token)
        shares = [100 * float(one[token]) for one in (state.plain, state.stages[0].after, state.final)]
        verdict = f"cut by {NAMES[rule]}" if rule else "yes"
        rows.append((TOKENS[token], float(LOGITS[token]), *shares[:2], verdict, shares[2]))
    return Table(columns, rows)


def values(temperature: float, top_k: int, top_p: float, min_p: float) -> dict[str, Value]:
    settings = Settings(temperature, top_k, top_p, min_p)
    state = steps(temperature, top_k, top_p, min_p)[-1]
    stages = {stage.rule: stage for stage in state.stages}
    final, kept, summed = state.final, state.stages[-1].alive, stages["top_p"]
    reached = float(summed.before[summed.alive].sum())
    elsewhere = {
        name: apply_rules(LOGITS, settings, order)[-1].alive.sum()
        for name, order in (("vllm", VLLM_ORDER), ("llama_cpp", LLAMA_CPP_ORDER))
    }
    return {
        "kept": Value(int(kept.sum())),
        "kept_mass": percentage(float(stages["temperature"].after[kept].sum())),
        "largest": percentage(float(final.max())),
        "largest_before": percentage(float(state.plain.max())),
        "entropy": Value(entropy(final), "bits"),
        "entropy_before": Value(entropy(state.plain), "bits"),
        "effective": Value(effective_choices(final), digits=2),
        "effective_before": Value(effective_choices(state.plain), digits=2),
        "threshold": percentage(min_p * float(stages["min_p"].before.max())),
        "reached": percentage(reached),
        "short": percentage(reached - float(summed.before[summed.alive].min())),
        **{f"cut_{rule}": Value(int(stage.cut.sum())) for rule, stage in stages.items()},
        **{f"kept_{name}": Value(int(count)) for name, count in elsewhere.items()},
        "tokens": Value(len(TOKENS)),
    }


def percentage(share: float) -> Value:
    """A percentage with one decimal."""
    number = round(100 * share, 9)  # sums of probabilities are 1 but for rounding
    return Value(number, "%", digits=4 if number >= 99.95 else 3 if number >= 9.95 else 2 if number >= 0.95 else 1)


DRAWS = {"temperature": (0.5, 1, 1.5)}  # greedy decoding leaves the other rules nothing to do
SCENE = Scene(
    title="Which of these words may come next?",
    summary="A model's probabilities for twelve next words pass through temperature, top-k, top-p and min-p; "
    "what is left is scaled up to 100% and drawn from.",
    params=(
        Range("temperature", "Temperature", {0: "0 (greedy)", 0.5: "0.5", 1: "1", 1.5: "1.5"}, default=1),
        Choice("top_k", "Top-k", {0: "off", 1: "1", 5: "5", 8: "8"}, default=0, when=DRAWS),
        Choice("top_p", "Top-p", {1: "off", 0.5: "0.5", 0.9: "0.9"}, default=0.9, when=DRAWS),
        Choice("min_p", "Min-p", {0: "off", 0.05: "0.05", 0.1: "0.1", 0.2: "0.2"}, default=0, when=DRAWS),
    ),
    sentence="Then top-k {top_k}, top-p {top_p}, min-p {min_p}.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=4,
    key_steps=(4, 6),
    split=("temperature", "top_k"),
    sources=("nucleus", "top-k-sampling", "min-p", "transformers", "vllm-repo", "llama-cpp"),
    leaves_out="Twelve words with made-up logits; a real model scores a vocabulary of tens or hundreds of thousands of "
    "tokens, many of them pieces of words, and its long tail together can hold much of the probability. "
    "The order is that of Hugging Face's transformers: temperature, top-k, top-p, min-p. vLLM applies min-p before "
    "top-k and top-p; llama.cpp by default applies temperature last, so that it moves no threshold. "
    "With equal logits, Hugging Face's top-k keeps all that tie with the last one; ours keeps exactly k. "
    "Penalties for repetition, grammars and other rules come before or between. "
    "The five random numbers are fixed, so that only the rules change the draw.",
)
