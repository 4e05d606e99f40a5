"""Rounding: where a small update goes when the value that it is added to has few bits."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import MODES, RUNS, SEED
from .moments import FORMATS, UPDATES, steps, story
from .narration import say

TASKS = {"weight": "Update a weight of 1", "sum": "Add up a sum from 0"}
LABELS = {"nearest": "to nearest", "stochastic": "at random (stochastic)", "truncation": "by truncation"}
SIZES = {update: f"{update:g}" for update in UPDATES}


def table(task: str, mode: str, format: str, update: float) -> Table:
    columns = (
        Column("mode", "rounding"),
        Column("final", "final value", digits=4),
        Column("exact", "exact", digits=4),
        Column("error", "error", "%", digits=1),
        Column("lost", "updates lost", "%", digits=1),
        Column("stuck", "last update that counted"),
    )
    far = story(task, format, update).far
    exact = float(far.exact[-1])
    rows = []
    for name in MODES:
        final = float(far.paths[name][-1])
        error, lost = 100 * abs(final - exact) / exact, 100 * far.lost(name) / far.count
        rows.append((name, final, exact, error, lost, far.stuck(name)))
    return Table(columns, rows)


def values(task: str, mode: str, format: str, update: float) -> dict[str, Value]:
    told = story(task, format, update)
    far, exact = told.far, float(told.far.exact[-1])
    final, random = float(far.paths[mode][-1]), mode == "stochastic"
    mean, low, high = (float(x[-1]) for x in (told.mean, *told.band)) if random else (final, final, final)
    return {
        "final": Value(final, digits=4),
        "exact": Value(exact, digits=4),
        "error": Value(100 * abs(final - exact) / exact, "%"),
        "lost": Value(100 * far.lost(mode) / far.count, "%"),
        "ignored": Value(far.lost(mode), "updates"),
        "stuck": Value(far.stuck(mode), "updates"),
        "updates": Value(far.count, "updates"),
        "mean": Value(mean, digits=4),
        "low": Value(low, digits=4),
        "high": Value(high, digits=4),
        "runs": Value(RUNS if random else 1),
        "seed": Value(SEED),
        "base": Value(told.base, digits=4),
        "spacing": Value(told.step),
        "up": Value(100 * told.chance, "%"),
    }


SCENE = Scene(
    title="Where does a small update go?",
    summary="A running value in a narrow format is rounded after every update. To nearest, updates below half the "
    "spacing vanish; with stochastic rounding they survive on average; truncation always loses.",
    params=(
        Choice("task", "Task", TASKS),
        Choice("update", "Size of an update", SIZES, default=0.001),
        Choice("format", "Format", FORMATS, default="BF16"),
        Choice("mode", "Rounding", LABELS),
    ),
    sentence="{task} in steps of {update}, stored in {format}, rounded {mode}.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=5,
    key_steps=(3, -1),
    split=("task", "format"),
    sources=("mixed-precision", "nvfp4-pretraining", "stochastic-rounding", "bf16-updates", "fp8-formats"),
    leaves_out="All updates here have one size and one sign; those of training differ, and truncation then errs both "
    "ways. Training in mixed precision avoids the loss: it keeps the weights in FP32 (a master copy) and narrows only "
    "what goes into the products. The recipe for pre-training in NVFP4 rounds at random as well, but its gradients. "
    "Hardware and kernels draw fewer random bits than the 53 of a draw here, and one fixed seed of numpy’s generator "
    "makes every build show the same runs.",
)
