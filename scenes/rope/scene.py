"""Rotary position embedding: four dials tell a distance, and what becomes of the slow ones beyond training."""

from __future__ import annotations

import math

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .extension import METHODS
from .model import PAIRS, TRAINED, score
from .narration import NAMES, say
from .story import FAR, NEAR, Rotary, rotary, steps

BASES = (10_000, 150_000, 500_000, 1_000_000)
FACTORS = (2, 4, 8, 16, 32)
ROWS = (*range(0, PAIRS, 8), PAIRS - 1)
GAP = rotary(BASES[0], "yarn", 32).code_gap
COLUMNS = (
    Column("pair", "pair"),
    Column("theta", "angle per token θ", "rad", digits=8),
    Column("wavelength", "wavelength", "tokens", digits=2),
    Column("turns", "turns in the trained length", digits=4),
    Column("new_wavelength", "new wavelength", "tokens", digits=2),
    Column("stretch", "stretched by", "times", digits=3),
)


def table(model: Rotary) -> Table:
    numbers = (model.theta, model.waves, model.turns, model.new_waves, model.stretch)
    return Table(COLUMNS, [(pair, *(float(each[pair]) for each in numbers)) for pair in ROWS])


def values(model: Rotary) -> dict[str, Value]:
    beyond = model.new_waves > model.target  # not once round within the target length, after the method
    return {
        "shortest": Value(float(model.new_waves[0]), "tokens"),
        "longest": Value(float(model.new_waves[-1]), "tokens"),
        "unextended_longest": Value(float(model.waves[-1]), "tokens"),
        "trained": Value(TRAINED, "tokens"),
        "target": Value(model.target, "tokens"),
        "never_turn": Value(int(model.never.sum()), "pairs"),
        "unseen": Value(int(model.unseen.sum()), "pairs"),
        "beyond": Value(int(beyond.sum()), "pairs"),
        "untouched": Value(model.untouched, "pairs"),
        "stretched_fully": Value(model.fully, "pairs"),
        "new_base": Value(model.new_base, digits=5),
        "neighbours": Value(math.degrees(model.new_theta[0]), "°"),
        "temperature": Value(model.temperature, digits=4),
        "logit_factor": Value(model.temperature**2, digits=4),
        "code_gap": Value(model.code_gap, "×"),
        "score_together": Value(score(NEAR, 0, model.theta)),
        "score_apart": Value(score(FAR, 0, model.theta)),
    }


SCENE = Scene(
    title="How do rotations tell two tokens how far apart they are, and what breaks beyond the trained length?",
    summary="Query and key are turned by their positions, so their score depends on the distance alone. "
    "Slow pairs never come round in training, and longer texts turn them to angles that the model has not seen.",
    params=(
        Choice("base", "Base", {base: f"{base:,}" for base in BASES}),
        Choice("method", "Method", NAMES),
        Choice(
            "factor",
            "Factor",
            {factor: f"{factor} times" for factor in FACTORS},
            default=8,
            when={"method": METHODS[1:]},
        ),
    ),
    sentence="Turn with base {base}, and reach {factor} the trained length with {method}.",
    solve=rotary,
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=8,
    key_steps=(1, 4, 8, 10),
    sources=("roformer", "yarn", "ntk-aware", "llama-models", "gpt-oss-repo", "deepseek-v3"),
    leaves_out="Here all numbers of query and key are equal, so the score is a plain mean of cosines; a model learns "
    "which pairs to use. Dials turn clockwise, the formula the other way. That an angle is new does not say how much "
    "is lost there; a short training on long texts usually follows interpolation and YaRN. YaRN's factor on scores is "
    "not in the curve. Its blend is drawn by the paper's formula, straight over turns; the code of its authors, of "
    "gpt-oss and of DeepSeek-V3 blends straight over pair numbers between the same ends, which leaves some wavelengths "
    f"up to {GAP:.1f} times shorter. gpt-oss has heads of 64 numbers, and Llama 3.1 has a blend of its own. Llama's "
    "code turns neighbouring numbers and gpt-oss the two halves of a head: the same, in another order.",
)
