"""Sampling: one distribution over twelve next tokens, narrowed by four rules, and five draws."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import TEMPERATURES, draw
from .line import SUMS
from .model import ELSEWHERE, LOGITS, ORDER, PLAIN, TOKENS, Way, apply_rules, effective_choices, entropy, solve
from .story import steps
from .words import NAMES, say


def table(way: Way) -> Table:
    columns = (
        Column("token", "word"),
        Column("logit", "logit", digits=1),
        Column("plain", "at T = 1", "%", digits=1),
        Column("tempered", "after temperature", "%", digits=1),
        Column("kept", "kept"),
        Column("final", "drawn from", "%", digits=1),
    )
    rows: list[tuple[float | str, ...]] = []
    for token in ORDER:
        cut = next((f"cut by {NAMES[stage.rule]}" for stage in way.stages if stage.cut[token]), "yes")
        plain, tempered, final = (100 * float(one[token]) for one in (PLAIN, way.stages[0].after, way.final))
        rows.append((TOKENS[token], float(LOGITS[token]), plain, tempered, cut, final))
    return Table(columns, rows)


def values(way: Way) -> dict[str, Value]:
    stages = {stage.rule: stage for stage in way.stages}
    final, kept, summed = way.final, way.stages[-1].alive, stages["top_p"]
    reached = float(summed.before[summed.alive].sum())
    elsewhere = {name: apply_rules(LOGITS, way.settings, order)[-1] for name, order in ELSEWHERE.items()}
    return {
        "kept": Value(int(kept.sum())),
        "kept_mass": percentage(float(stages["temperature"].after[kept].sum())),
        "largest": percentage(float(final.max())),
        "largest_before": percentage(float(PLAIN.max())),
        "entropy": Value(entropy(final), "bits"),
        "entropy_before": Value(entropy(PLAIN), "bits"),
        "effective": Value(effective_choices(final), digits=2),
        "effective_before": Value(effective_choices(PLAIN), digits=2),
        "threshold": percentage(way.settings.min_p * float(stages["min_p"].before.max())),
        "reached": percentage(reached),
        "short": percentage(reached - float(summed.before[summed.alive].min())),
        **{f"cut_{rule}": Value(int(stage.cut.sum())) for rule, stage in stages.items()},
        **{f"kept_{name}": Value(stage.left) for name, stage in elsewhere.items()},
        "tokens": Value(len(TOKENS)),
    }


def percentage(share: float) -> Value:
    """A percentage with one decimal."""
    number = round(100 * share, 9)  # sums of probabilities are 1 but for rounding
    return Value(number, "%", digits=4 if number >= 99.95 else 3 if number >= 9.95 else 2 if number >= 0.95 else 1)


HEATS = {heat: f"{heat:g}" if heat else "0 (greedy)" for heat in TEMPERATURES}
DRAWS = {"temperature": TEMPERATURES[1:]}  # greedy decoding leaves the other rules nothing to do
SCENE = Scene(
    title="Which of these words may come next?",
    summary="A model’s probabilities for twelve next words pass through temperature, top-k, top-p and min-p; "
    "what is left is scaled up to 100% and drawn from.",
    params=(
        Choice("top_k", "Top-k", {0: "off", 5: "5"}, default=0, when=DRAWS),
        Choice("min_p", "Min-p", {0: "off", 0.1: "0.1"}, default=0, when={**DRAWS, "top_k": (0,)}),
        Range("temperature", "Temperature", HEATS, default=1),
        Range(
            "top_p", "Top-p", {share: f"{share:g}" if share < 1 else "off" for share in SUMS}, default=0.9, when=DRAWS
        ),
    ),
    # A joiner behind each hyphen: no line ends there.
    sentence="Temp. {temperature}[, top-\u2060k\u00a0{top_k}][, top-\u2060p\u00a0{top_p}][, min-\u2060p\u00a0{min_p}].",
    solve=solve,
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=2,
    key_steps=(2, -1),
    sources=("nucleus", "top-k-sampling", "min-p", "transformers", "vllm-repo", "llama-cpp"),
    leaves_out="Twelve words with made-up logits; a real model scores a vocabulary of tens or hundreds of thousands of "
    "tokens, many of them pieces of words, and its long tail together can hold much of the probability. "
    "The order is that of Hugging Face’s transformers: temperature, top-k, top-p, min-p. vLLM applies min-p before "
    "top-k and top-p; llama.cpp by default applies temperature last, so that it moves no threshold. "
    "With equal logits, Hugging Face’s top-k keeps all that tie with the last one; ours keeps exactly k. "
    "Penalties for repetition, grammars and other rules come before or between. "
    "The five random numbers are fixed, so that only the rules change the draw.",
)
