"""When speculative decoding pays: how often guesses stay, how many there are, and how full the server is."""

from __future__ import annotations

from dataclasses import replace

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import ALPHAS, BATCHES, DRAFT, GAMMAS, LOADS, PLANS, Case, best
from .story import ALONE, BATCH, PHASES, Shown

NAMES = {
    "short": "Llama 3 8B, 1,024 tokens",
    "long": "Llama 3 8B, 8,192 tokens",
    "experts": "DeepSeek-V3, 8,192 tokens",
}


LABELS = {
    name: f"{count(gamma, 'guess', 'guesses')}, {100 * alpha:.0f}% stay" for name, (gamma, alpha) in PLANS.items()
}


def solve(view: str, gamma: int, alpha: float, plan: str, batch: int, load: str) -> Shown:
    return Shown(view, Case(gamma, alpha) if view == ALONE else Case(*PLANS[plan], batch, load))


def table(shown: Shown) -> Table:
    """A user alone with any number of guesses, or any number of requests with so many guesses."""
    columns = (
        Column("guesses", "guesses"),
        Column("requests", "requests"),
        Column("tokens", "tokens of a pass", digits=2),
        Column("check", "time of the pass", "steps", digits=2),
        Column("gain", "gain", "×", digits=2),
    )
    case = shown.case
    if shown.view == ALONE:
        cases = [replace(case, gamma=gamma) for gamma in GAMMAS]
    else:
        cases = [replace(case, batch=batch) for batch in BATCHES]
    return Table(columns, [(one.gamma, one.batch, one.tokens, one.check, one.gain) for one in cases])


def values(shown: Shown) -> dict[str, Value]:
    case = shown.case
    guesses, most = best(case.alpha, DRAFT)
    model = LOADS[case.load]
    return {
        "expected": Value(case.tokens, "tokens"),
        "limit": Value(round(1 / (1 - case.alpha), 9), "tokens"),
        "alone": Value(case.alone, "×"),
        "best_guesses": Value(guesses, "guesses"),
        "best": Value(most, "×"),
        "check": Value(case.check, "×"),
        "gain": Value(case.gain, "×"),
        "positions": Value(case.batch * (case.gamma + 1), "tokens"),
        "plain_time": Value(float(case.steps[0].time), "s"),
        "check_time": Value(float(case.steps[1].time), "s"),
        "gpus": Value(float(model.server.gpus(case.batch, model.context)), "GPUs"),
    }


SCENE = Scene(
    title="When do guesses pay?",
    summary="A pass gives more tokens the more guesses stay, but less with each further one. Looking them over is free "
    "only while the step waits for memory: short texts in a full batch leave no time to spare, long ones do, and "
    "experts make few requests pay most.",
    params=(
        Choice("view", "For", {BATCH: "a batch", ALONE: "a user alone"}),
        Range("gamma", "Guesses", GAMMAS, default=4, when={"view": (ALONE,)}),
        Range(
            "alpha", "Stays", {alpha: f"{100 * alpha:.0f}%" for alpha in ALPHAS}, default=0.8, when={"view": (ALONE,)}
        ),
        Choice("plan", "Guesses", LABELS, when={"view": (BATCH,)}),
        Range("batch", "Requests", {n: count(n, "request") for n in BATCHES}, default=128, when={"view": (BATCH,)}),
        Choice("load", "Model", NAMES, when={"view": (BATCH,)}),
    ),
    sentence="For {view}[, guess {gamma} ahead, each stays with {alpha}][: {plan}][, {batch}][ of {load}].",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    sources=("leviathan", "magicdec", "deepseek-v3", "llama-3"),
    leaves_out="Every guess stays with the same chance here, whatever came before; in truth chances fall from place to "
    "place and go by the text, so that long rows of guesses gain less. The small model’s step takes 5% of the large "
    "one’s in any batch, and its own memory nothing. Times are those of an H100 at its peaks, weights and then "
    "attention, with the cache read once for all positions; with more GPUs they are divided evenly, and links, "
    "launches and sampling are left out. Dashed is what does not fit: one H100 has "
    "room for 416 requests of 1,024 tokens beside the 8B model and "
    "for 52 of 8,192; DeepSeek-V3 needs at least ten. Its tokens go to experts at random: those of neighbouring "
    "positions are in truth more alike, so that few requests lose less. Trees of guesses, and servers that guess less "
    "when they are full, are left out.",
)
