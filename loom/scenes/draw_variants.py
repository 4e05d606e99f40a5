"""Draw variants of a scene: run the author's code for some choices of parameters, and collect the results."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from numbers import Integral
from typing import Any

from msgspec import Struct

from loom.errors import AbortedError, LoomError, Problem, grouped, raise_any
from loom.scene import WIDTHS, Chapter, Column, Value
from loom.scenes.determinism import opening_problems
from loom.scenes.info import SceneInfo, describe, key_text
from loom.scenes.load import LoadedScene
from loom.scenes.mark_problems import MarkProblems
from loom.scenes.mark_table import Marks, MarkTable, MistypedError
from loom.scenes.parameters import absolute_step
from loom.scenes.results import Variant
from loom.scenes.run import Outcome, VariantRun, errors_at_author_line
from loom.scenes.validate import blank_problems, context, defined_at

MOST_PROBLEMS = 5  # of one scene
Cell = int | float | str
Frames = dict[str, list[tuple[int, ...]]]
Report = Callable[[str], object]


class DrawnVariant(Struct, frozen=True, gc=False):
    """The results for one choice of parameters as plain data; `shown` are the values as text.

    `frames` are row numbers of the batch's marks for each beat, by width; empty if nothing was to be drawn.
    `beats` are for each step the milliseconds from beat to beat.
    """

    number: int  # of the variant
    key: str
    say: tuple[str, ...]
    names: tuple[str, ...]  # of the steps
    beats: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Column, ...]
    values: dict[str, Value]
    shown: dict[str, str]
    frames: dict[str, list[tuple[int, ...]]]


class DrawnBatch(Struct):
    """Some consecutive variants, drawn: plain data, which a worker sends back."""

    info: SceneInfo
    places: dict[str, tuple[str, int]]  # the file and the line of each of the scene's functions
    variants: list[DrawnVariant]
    marks: list[Marks]  # at each width


def draw(
    found: LoadedScene, variants: Iterable[Mapping[str, Any]], report: Report = lambda _: None, *, twice: bool = True
) -> DrawnBatch:
    """Run and draw some variants; `report` is called before each. Each mistake is reported once.

    With `twice`, the opening variant is run again from the scene's files, which a scene in a notebook does not have.
    """
    mark_tables = {name: MarkTable(found.scene, name) for name in WIDTHS}
    drawn, mark_problems = _drawn(found, mark_tables), MarkProblems(found)
    problems: list[Problem] = []
    for params in variants:
        report(context(params))
        try:
            with errors_at_author_line(found, params):
                ran = VariantRun(found, params)
                chapters = ran.chapters()
                frames = _frames(ran, chapters, mark_tables, mark_problems)
                raise_any(blank_problems(found, frames, context(params)))
                outcome = ran.outcome()
                if twice and params == found.scene.defaults:
                    report(context(params))  # it is run once more
                    raise_any(opening_problems(found, outcome, frames, mark_tables))
                one = _variant(drawn.info, found.scene.key(params), outcome, chapters, frames)
        except AbortedError:
            raise
        except LoomError as error:
            problems = grouped([*problems, *error.problems])
        else:
            drawn.variants.append(one)
    raise_any(problems)
    return drawn


def sketch(found: LoadedScene, params: Mapping[str, Any], shown: Sequence[int]) -> DrawnBatch:
    """A variant of which only the steps `shown` are drawn, negative ones from the end: enough for a page's pictures.

    Only the last beat of each of them is drawn. All other steps repeat the frame before them.
    """
    mark_tables = {name: MarkTable(found.scene, name) for name in WIDTHS}
    drawn, ran = _drawn(found, mark_tables), VariantRun(found, params)
    with errors_at_author_line(found, params):
        stills = [Chapter(chapter.states[-1:], name=chapter.name) for chapter in ran.chapters()]
        wanted = {absolute_step(step, len(stills)) for step in shown}
        frames = _frames(ran, stills, mark_tables, MarkProblems(found), wanted)
        drawn.variants.append(_variant(drawn.info, found.scene.key(params), ran.outcome(), stills, frames))
    return drawn


def variant_results(found: LoadedScene, params: Mapping[str, Any]) -> Variant:
    """A variant's table and values without its drawing. Its sentences are only counted."""
    info = describe(found.id, found.path, found.scene)
    with errors_at_author_line(found, params):
        one = _variant(info, found.scene.key(params), VariantRun(found, params).outcome(), (), {})
    return Variant(tuple(range(len(one.say))), one.rows, one.values)


def first_few(problems: Iterable[Problem]) -> list[Problem]:
    """The first of a scene's problems, equal ones merged: the same mistake often shows in every variant."""
    return grouped(problems)[:MOST_PROBLEMS]


def _drawn(found: LoadedScene, mark_tables: Mapping[str, MarkTable]) -> DrawnBatch:
    info = describe(found.id, found.path, found.scene)
    places = {what: defined_at(found, what) for what in ("draw", "table", "values")}
    return DrawnBatch(info, places, [], [mark_table.marks for mark_table in mark_tables.values()])


def _frames(
    ran: VariantRun,
    chapters: Sequence[Chapter],
    mark_tables: Mapping[str, MarkTable],
    mark_problems: MarkProblems,
    wanted: Container[int] | None = None,
) -> Frames:
    """The frames of all beats at each width; a step that is not wanted repeats the frame before it."""
    frames: Frames = {name: [] for name in mark_tables}
    problems: list[Problem] = []
    for name, mark_table in mark_tables.items():
        for step, chapter in enumerate(chapters, 1):
            if wanted is not None and step not in wanted:
                frames[name].append(frames[name][-1] if frames[name] else ())
                continue
            where = context(ran.params, step)
            for state in chapter.states:
                again = partial(ran.again, state, WIDTHS[name])
                try:
                    marks = ran.frame(state, WIDTHS[name], step)
                    frame, wrong = mark_table.frame(marks)
                    problems += mark_problems.located(wrong or mark_table.rails(marks, ran.params), again, where)
                except MistypedError as error:
                    frame = ()
                    problems += mark_problems.mistyped(error.mistakes, again, where)
                frames[name].append(frame)
    raise_any(problems)
    return frames


def _variant(
    info: SceneInfo, places: Sequence[int], outcome: Outcome, chapters: Sequence[Chapter], frames: Frames
) -> DrawnVariant:
    """A variant in plain Python strings and numbers: numpy's can't be encoded."""
    columns = outcome.table.columns
    values = outcome.values.items()
    return DrawnVariant(
        number=info.number(places),
        key=key_text(places),
        say=outcome.say,
        names=tuple([str(chapter.name) for chapter in chapters]),
        beats=tuple(map(_intervals, chapters)),
        rows=tuple([tuple(map(_cell, row)) for row in outcome.table.rows]),
        columns=tuple([Column(str(one.name), str(one.label), str(one.unit), int(one.digits)) for one in columns]),
        values={str(name): Value(float(one.value), str(one.unit), int(one.digits)) for name, one in values},
        shown={str(name): str(value) for name, value in values},
        frames=frames,
    )


def _intervals(chapter: Chapter) -> tuple[int, ...]:
    """The milliseconds from beat to beat."""
    times = [0, *[round(1000 * time) for time in chapter.times]]
    return tuple([there - here for here, there in pairwise(times)])


def _cell(cell: Any) -> Cell:
    """A cell as a plain Python value; an integer beyond 64 bits becomes a float."""
    if isinstance(cell, str):
        return str(cell)
    return int(cell) if isinstance(cell, Integral) and abs(int(cell)) < 2**63 else float(cell)
