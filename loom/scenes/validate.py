"""Check the results of a scene: beats, narration, table cells and values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from loom.draw.finite import CAUSE
from loom.draw.marks import Mark, spelling
from loom.errors import Problem
from loom.expected import described, mistakes, words
from loom.quantity import count
from loom.scene import Chapter, Value
from loom.scene.table import Cell, Column, Table
from loom.scenes.load import LoadedScene, shown_path

LONGEST = 20.0  # seconds that all beats of a story may take
CHARACTERS = 10_000  # in one text
SHORTER = "look for words that are put together in a loop"


def context(params: Mapping[str, Any], step: int = 0) -> str:
    """A state of a scene in words: `(count=2, step 3)`."""
    parts = [f"{name}={spelling(value)}" for name, value in params.items()]
    return f"({', '.join([*parts, f'step {step}'] if step else parts)})" if parts or step else ""


def defined_at(found: LoadedScene, what: str) -> tuple[str, int]:
    """The file and line of one of the scene's functions, or those of the `Scene(…)` call."""
    function = getattr(found.scene, what, None)
    code = getattr(getattr(function, "func", function), "__code__", None)
    location = shown_path(Path(code.co_filename), found.folder.parent) if code else ""
    return (location, code.co_firstlineno) if code and location.startswith("scenes/") else found.location


def beat_problems(found: LoadedScene, chapters: Sequence[Chapter], where: str) -> list[Problem]:
    """Beats without a time, out of order, or too long altogether."""
    wrong: list[tuple[str, str]] = []
    numbers = [step for step, (states, times, _) in enumerate(chapters, 1) if len(states) != len(times) or not states]
    unordered = [
        step
        for step, (_, times, _) in enumerate(chapters, 1)
        if step not in numbers and (not all(map(math.isfinite, times)) or times[0] < 0 or sorted(times) != [*times])
    ]
    if numbers:
        states, times, _ = chapters[numbers[0] - 1]
        counts = f"{count(len(states), 'beat')} and {count(len(times), 'time')}"
        wrong.append((f"step {numbers[0]} has {counts}{_others(numbers)}", "give one for each beat"))
    if unordered:
        message = f"the beats of step {unordered[0]} are not in order{_others(unordered)}"
        wrong.append((message, "times are seconds from the step's beginning"))
    whole = 0.0 if wrong else sum(chapter.times[-1] for chapter in chapters)
    if whole > LONGEST:
        message = f"its beats take {whole:.0f} s of the {LONGEST:.0f} s that a reader may be asked to watch"
        wrong.append((message, "let them follow one another faster"))
    return [_problem(found, "steps", message, where, hint) for message, hint in wrong]


def blank_problems(found: LoadedScene, frames: Mapping[str, Sequence[Sequence[int]]], where: str) -> Iterator[Problem]:
    """A variant of which no picture has a mark at some width: readers would see an empty frame."""
    for width, drawn in frames.items():
        if not any(drawn):
            yield _problem(found, "draw", f"'draw' gives no marks at the {width} width", where, "yield them")


def _others(steps: Sequence[int]) -> str:
    """The end of a message about the first of some steps: how many others are like it."""
    return f", and {count(len(steps) - 1, 'more step')} like it" if len(steps) > 1 else ""


def result_mistakes(what: str, given: Any, annotation: Any) -> list[tuple[str, str]]:
    """What is wrong with the result of one of the scene's functions."""
    if isinstance(given, Mark):
        return [(f"what '{what}' gives must be {words(annotation)}, and is one Mark", "yield each mark")]
    return mistakes(f"what '{what}' gives", given, annotation)


def length_mistakes(name: str, words: Any) -> Iterator[tuple[str, str]]:
    """A text that is too long to be read or laid out."""
    if isinstance(words, str) and len(words) > CHARACTERS:
        yield f"{name} has {len(words):,} characters, and there may be {CHARACTERS:,}", SHORTER


def say_problems(found: LoadedScene, say: Sequence[Any], where: str) -> Iterator[Problem]:
    """Steps without narration, or with a narration that is no text or too long."""
    for step, said in enumerate(say, 1):
        for message, hint in mistakes(f"what 'say' gives for step {step}", said, str):
            yield _problem(found, "say", message, where, hint)
        if isinstance(said, str) and not said.strip():
            yield _problem(found, "say", f"step {step} says nothing", where)
    wrong = (each for step, said in enumerate(say, 1) for each in length_mistakes(f"what step {step} says", said))
    for message, hint in islice(wrong, 1):
        yield _problem(found, "say", message, where, hint)


def table_problems(found: LoadedScene, table: Any, where: str) -> Iterator[Problem]:
    """What is wrong with a data table."""
    if not isinstance(table, Table):
        message = f"what 'table' gives must be a Table, and is {described(table)}"
        yield _problem(found, "table", message, where, "return Table(columns, rows)")
        return
    wrong = [*mistakes("the table's 'columns'", table.columns, tuple[Column, ...])]
    wrong = wrong or mistakes("the table's 'rows'", table.rows, Sequence[Sequence[Any]])
    names = [] if wrong else [column.name for column in table.columns]
    wrong += [
        (f"the table has two columns called '{name}'", "data files could not tell them apart")
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    for message, hint in wrong:
        yield _problem(found, "table", message, where, hint)
    if not wrong:
        for (message, hint), rows in _rows_mistakes(table):
            yield replace(_problem(found, "table", message, where, hint), rows=rows)


def _rows_mistakes(table: Table) -> Iterator[tuple[tuple[str, str], int]]:
    """Mistakes in rows: each kind at the first row that has it, with the number of further rows."""
    firsts: dict[Hashable, tuple[str, str]] = {}
    rows: Counter[Hashable] = Counter()
    for number, row in enumerate(table.rows, 1):
        for kind, *wrong in _row_mistakes(table.columns, number, row):
            firsts.setdefault(kind, (wrong[0], wrong[1]))
            rows[kind] += 1
    return ((wrong, rows[kind] - 1) for kind, wrong in firsts.items())


def _row_mistakes(columns: Sequence[Column], number: int, row: Sequence[Any]) -> Iterator[tuple[Hashable, str, str]]:
    if len(row) != len(columns):
        cells = f"{len(row)} cell{'s' * (len(row) != 1)}"
        yield "cells", f"row {number} of the table has {cells} for {len(columns)} columns", "give each column one"
    for at, (column, cell) in enumerate(zip(columns, row, strict=False)):
        if type(cell) is float and math.isfinite(cell):
            continue
        name = f"'{column.name}' in row {number} of the table"
        if wrong := mistakes(name, cell, Cell):
            yield (at, type(cell)), *wrong[0]
        elif isinstance(cell, str):
            yield from [((at, "long"), *each) for each in length_mistakes(name, cell)]
        elif not math.isfinite(cell):
            yield (at, str(cell)), f"{name} is {cell}", CAUSE


def value_problems(found: LoadedScene, values: Any, where: str) -> Iterator[Problem]:
    """What is wrong with the values that prose may quote."""
    for message, hint in result_mistakes("values", values, Mapping[str, Any]):
        yield _problem(found, "values", message, where, hint)
    for name, value in values.items() if isinstance(values, Mapping) else ():
        if not isinstance(value, Value):
            message = f"the value '{name}' must be a Value, and is {described(value)}"
            yield _problem(found, "values", message, where, "write Value(number, 'unit')")
        elif not math.isfinite(value.value):
            yield _problem(found, "values", f"the value '{name}' is {value.value}", where, CAUSE)


def unseen_problems(found: LoadedScene, table: Table, where: str) -> Iterator[Problem]:
    """Columns of a table in which every number is shown as 0, though not all are 0."""
    for at, column in enumerate(table.columns):
        numbers = [cell for row in table.rows if not isinstance(cell := row[at], str)]
        if any(numbers) and not any(round(number, column.digits) for number in numbers):
            message = f"the table's column '{column.name}' shows 0 for numbers that are not 0"
            hint = f"give it more 'digits' than {column.digits}, or a smaller unit"
            yield _problem(found, "table", message, where, hint)


def step_problems(found: LoadedScene, count: int, where: str) -> Iterator[Problem]:
    """Steps in `opening` and `key_steps` that the opening variant does not have."""
    for field, steps in (("opening", [found.scene.opening]), ("key_steps", found.scene.key_steps)):
        for step in steps:
            if not 1 <= abs(step) <= count:
                message = f"'{field}' names step {step}, and there are {count}"
                hint = f"write 1 to {count}, or -1 to -{count} from the end"
                yield Problem(*found.location, 0, f"scene '{found.id}': {message}", hint, state=where)


def _problem(found: LoadedScene, what: str, message: str, where: str, hint: str = "") -> Problem:
    return Problem(*defined_at(found, what), 0, f"scene '{found.id}': {message}", hint, state=where)
