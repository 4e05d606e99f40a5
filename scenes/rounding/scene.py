"""Rounding: where a small update goes when the value that it is added to has few bits."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark
from loom.scene import Choice, Column, Moment, Range, Scene, Table, Value

from .model import MODES, SEED
from .narration import PHASES
from .pace import draw_pace
from .path import draw_answer, draw_chart
from .story import FORMATS, RUNS, UPDATES, Journey, Told, tell
from .update import draw_lens

TASKS = {"weight": "A weight of 1", "sum": "Add up ones"}
LABELS = {"nearest": "to nearest", "stochastic": "at random", "truncation": "by truncation"}
SIZES = {update: f"{update:g}" for update in UPDATES}
COLUMNS = (
    Column("mode", "rounding"),
    Column("final", "final value", digits=4),
    Column("exact", "exact", digits=4),
    Column("error", "error", "%", digits=1),
    Column("lost", "no change", "%", digits=1),
    Column("stuck", "last update that counted"),
)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    """One update under the lens, and what becomes of the value, update after update."""
    yield from draw_pace(moment, width)
    yield from draw_lens(moment, width)
    yield from draw_chart(moment, width)
    yield from draw_answer(moment, width)


def ends(far: Journey, mode: str) -> tuple[float, float, float, float, int]:
    """Final and exact value, error and updates lost [%], and the last update that counted."""
    final, exact = float(far.paths[mode][-1]), float(far.exact[-1])
    return final, exact, 100 * abs(final - exact) / exact, 100 * far.lost(mode) / far.count, far.stuck(mode)


def table(told: Told) -> Table:
    return Table(COLUMNS, [(mode, *ends(told.story.far, mode)) for mode in MODES])


def values(told: Told) -> dict[str, Value]:
    story, mode, far = told.story, told.mode, told.story.far
    final, exact, error, lost, stuck = ends(far, mode)
    random = mode == "stochastic"
    mean, low, high = (float(x[-1]) for x in (story.mean, *story.band)) if random else (final, final, final)
    return {
        "final": Value(final, digits=4),
        "exact": Value(exact, digits=4),
        "error": Value(error, "%"),
        "lost": Value(lost, "%"),
        "ignored": Value(far.lost(mode), "updates"),
        "stuck": Value(stuck, "updates"),
        "updates": Value(far.count, "updates"),
        "mean": Value(mean, digits=4),
        "low": Value(low, digits=4),
        "high": Value(high, digits=4),
        "runs": Value(RUNS if random else 1),
        "seed": Value(SEED),
        "base": Value(story.base, digits=4),
        "spacing": Value(story.step),
        "up": Value(100 * story.chance, "%"),
    }


SCENE = Scene(
    title="Where does a small update go?",
    summary="A running value in a narrow format is rounded after every update. To nearest, updates below half the "
    "spacing vanish; with stochastic rounding they survive on average; truncation always loses.",
    params=(
        Choice("task", "Task", TASKS),
        Range("update", "Update", SIZES, default=0.001, when={"task": ("weight",)}),
        Choice("format", "Format", FORMATS, default="BF16"),
        Choice("mode", "Rounding", LABELS),
    ),
    sentence="{task} in {format}, {mode}.",
    solve=tell,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=5,
    key_steps=(5,),
    sources=("mixed-precision", "nvfp4-pretraining", "stochastic-rounding", "bf16-updates", "fp8-formats"),
    leaves_out="All updates here have one size and one sign; those of training differ, and truncation then errs both "
    "ways. Hardware and kernels draw fewer random bits than the 53 of a draw here; one fixed seed gives all runs.",
)
