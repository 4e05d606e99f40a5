"""Outliers: one loud channel, a shared scale, the quiet channels lost, and two cures that keep the product."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import CURES, FORMATS, STRENGTHS, case
from .narration import PHASES
from .trial import CURE_NAMES, NAMES, Trial

COLUMNS = (
    Column("format", "format"),
    Column("cure", "cure"),
    Column("peak", "peak of X (largest / RMS)", digits=1),
    Column("zeroed", "quiet values zeroed", "%", digits=2),
    Column("weights", "weights zeroed", "%", digits=2),
    Column("sqnr", "SQNR of X·W", "dB", digits=1),
    Column("error", "error of X·W", "%", digits=1),
)


def table(trial: Trial) -> Table:
    cases = [case(fmt, cure, trial.strength) for fmt in FORMATS for cure in CURES]
    rows = [(one.fmt, one.cure, one.peak, one.zeroed, one.weights, one.sqnr, one.error) for one in cases]
    return Table(COLUMNS, rows)


def values(trial: Trial) -> dict[str, Value]:
    before, after = trial.before, trial.after
    return {
        "sqnr": Value(after.sqnr, "dB"),
        "before": Value(before.sqnr, "dB"),
        "error": Value(after.error, "%"),
        "error_before": Value(before.error, "%"),
        "zeroed": Value(after.zeroed, "%"),
        "zeroed_before": Value(before.zeroed, "%"),
        "weights": Value(after.weights, "%"),
        "peak": Value(after.peak),
        "peak_before": Value(before.peak),
        "largest": Value(after.largest),
        "step": Value(after.step),
        "levels": Value(after.levels),
        "quiet": Value(after.quiet, "dB"),
        "quiet_before": Value(before.quiet, "dB"),
    }


SCENE = Scene(
    title="What does one loud channel cost?",
    summary="One scale for all activations follows the loudest channel, and the quiet ones round to few values or to "
    "zero. Smoothing and rotation quieten it and keep the product.",
    params=(
        Choice("format", "Format", NAMES),
        Range("strength", "Loudness", STRENGTHS, default=100, unit="times"),
        Choice("cure", "Cure", CURE_NAMES),
    ),
    sentence="Store in {format}, cured by {cure}.",
    solve=Trial,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2, -1),
    sources=("smoothquant", "quarot", "llm-int8"),
    leaves_out="Random numbers, one loud channel and exact sums; real models have a handful of them. "
    "X has one scale and W one for each output. A scale for each token would help INT8 and E2M1 less than either "
    "cure. SmoothQuant fixes s from sample data and folds 1/s into the layer before. "
    "QuaRot turns the whole model by randomised Hadamard matrices, and usually rounds weights with GPTQ.",
)
