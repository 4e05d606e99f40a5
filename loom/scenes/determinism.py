"""Check that a scene is deterministic: its opening variant is run a second time, from freshly imported modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from loom.errors import Problem
from loom.scene import WIDTHS
from loom.scenes.dependencies import changed
from loom.scenes.importer import anew
from loom.scenes.load import LoadedScene, load_scene
from loom.scenes.mark_table import MarkTable
from loom.scenes.run import Outcome, VariantRun
from loom.scenes.validate import context, step_problems, unseen_problems

Frames = Mapping[str, Sequence[tuple[int, ...]]]
SEED = "seed what is random, as with numpy.random.default_rng(0), and read neither the clock nor the order of a set"


def opening_problems(
    found: LoadedScene, outcome: Outcome, frames: Frames, mark_tables: Mapping[str, MarkTable]
) -> Iterator[Problem]:
    """Problems that only the opening variant can have, when it is valid otherwise."""
    where = context(outcome.params)
    yield from step_problems(found, len(outcome.say), where)
    yield from unseen_problems(found, outcome.table, where)
    differing = [name for name, same in _again(found, outcome, frames, mark_tables) if not same]
    if differing and not changed():
        message = f"scene '{found.id}': run twice with the same parameters, it gives other {' and '.join(differing)}"
        yield Problem(*found.location, 0, message, SEED, state=where)


def _again(
    found: LoadedScene, outcome: Outcome, frames: Frames, mark_tables: Mapping[str, MarkTable]
) -> Iterator[tuple[str, bool]]:
    with anew():
        ran = VariantRun(load_scene(found.id, found.folder), outcome.params)
        second = ran.outcome()
        yield "words", second.say == outcome.say
        yield "tables", _rows(second) == _rows(outcome)
        yield "values", second.values == outcome.values
        yield "pictures", frames == {name: _drawn(ran, mark_tables[name], width) for name, width in WIDTHS.items()}


def _rows(outcome: Outcome) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in outcome.table.rows]


def _drawn(ran: VariantRun, mark_table: MarkTable, width: float) -> list[tuple[int, ...]]:
    """The frames as row numbers of the mark table: equal marks have equal numbers."""
    beats = [(step, state) for step, chapter in enumerate(ran.chapters(), 1) for state in chapter.states]
    return [mark_table.frame(ran.frame(state, width, step))[0] for step, state in beats]
