"""Beyond the trained length: slow pairs meet new angles, and three methods stretch their wavelengths."""

from __future__ import annotations

import math

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._rope.rotation import PAIRS, TRAINED
from .drawing import FACTORS, draw
from .narration import PHASES, SHORT
from .rotary import Rotary, rotary

BASES = (10_000, 150_000, 500_000, 1_000_000)
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
        "trained_shortest": Value(float(model.waves[0]), "tokens"),
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
    }


SCENE = Scene(
    title="What breaks in a longer text?",
    summary="Slow pairs never come round in training, and longer texts turn them to angles that the model has not "
    "seen. Three methods stretch wavelengths to mend it, each at a price of its own.",
    params=(
        Choice("base", "Base", {base: f"{base:,}" for base in BASES}),
        Range("factor", "Factor", FACTORS, default=8, unit="times"),
        Choice("method", "Method", SHORT, default="yarn"),
    ),
    sentence="Base {base}, cure {method}, reach {factor}.",
    solve=rotary,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=1,
    key_steps=(4,),
    sources=("yarn", "ntk-aware", "roformer", "gpt-oss-repo", "deepseek-v3"),
    leaves_out="The text stands on a logarithmic scale. That an angle is new does not say how much is lost there; a "
    "short training on long texts usually follows interpolation and YaRN. YaRN’s blend is drawn by the paper’s "
    "formula, straight over turns; the code of its authors, of gpt-oss and of DeepSeek-V3 blends straight over pair "
    "numbers between the same ends, which leaves "
    f"some wavelengths up to {GAP:.1f} times shorter. Heads here have {2 * PAIRS} numbers; gpt-oss has 64, and "
    "Llama 3.1 has a blend of its own.",
)
