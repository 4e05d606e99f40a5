"""Look a scene's results over: every mark, table cell and value that could not be shown is a problem."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loom.draw.extent import bounds
from loom.draw.marks import MANNERS, MAX_WAIT, ROLES, SHAPES, SPARED, TAGS, Mark, is_finite
from loom.errors import Problem, suggest
from loom.expected import described, field_mistakes, is_text, mistakes, words
from loom.scene import WIDTHS, Chapter, Scene, Value, spelling
from loom.scenes.discover import Found, shown_path
from loom.table import Cell, Column, Table

SMALLEST = {"narrow": 11.0, "wide": 13.2}  # type sizes that are 11 CSS px where the stage is at its smallest
MARGIN = 2.0  # strokes may stand a little over the edge
NEAR = 1.0  # how far a handle may stand from its rail
TOUCH = 24  # CSS px: the least that a finger hits
HALO = 8.0  # how far the ring round a grip reaches; see scenes.css
LONGEST = 20.0  # seconds that the beats of a story may take


def context(params: Mapping[str, Any], step: int = 0) -> str:
    """Which state of a scene is meant."""
    parts = [f"{name}={spelling(value)}" for name, value in params.items()]
    return f" ({', '.join([*parts, f'step {step}'] if step else parts)})" if parts or step else ""


def key_mistakes(keys: Sequence[str]) -> list[tuple[str, str]]:
    """Keys that a frame gives to several marks."""
    twice = [key for at, key in enumerate(keys) if key in keys[:at]] if len(set(keys)) < len(keys) else []
    return [(f"the key '{key}' is used twice", "") for key in twice]


def defined_at(found: Found, what: str) -> tuple[str, int]:
    """Where one of the scene's functions begins: it may lie beside scene.py. Otherwise where the scene is made."""
    function = getattr(found.scene, what, None)
    code = getattr(getattr(function, "func", function), "__code__", None)
    place = shown_path(Path(code.co_filename), found.folder.parent) if code else ""
    return (place, code.co_firstlineno) if code and place.startswith("scenes/") else found.place


def type_mistakes(mark: Mark) -> Iterator[tuple[str, str]]:
    """What of a mark is not what it must be."""
    wrong = [*field_mistakes(mark, f"mark {described(mark.key)}")]
    if not wrong and mark.tag not in TAGS:
        wrong = [(f"mark '{mark.key}' is a '{mark.tag}'", suggest(mark.tag, TAGS))]
    if not wrong:
        wrong = [*_shape_mistakes(mark.key, mark.shape, SHAPES[mark.tag])]
    yield from wrong


def _shape_mistakes(key: str, shape: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in shape.items():
        if name not in known:
            yield f"mark '{key}' has the unknown attribute '{name}'", suggest(name, known)
        else:
            yield from mistakes(f"mark '{key}': '{name}'", value, known[name])
    for name in known:
        if name not in shape and name not in SPARED:
            yield f"mark '{key}' lacks '{name}'", "make marks with a Pen"


def signature(mark: Mark) -> tuple[object, ...]:
    """What tells marks of right types from others: the types of their fields, and their shape's names and types."""
    return (mark.tag, *mark.shape, *map(type, mark), *map(type, mark.shape.values()))


def mark_mistakes(mark: Mark, scene: Scene, width_name: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a mark of right types at a width, and what to do about it."""
    if not is_text(mark.key + mark.text + mark.label):
        yield "has a character that can't be shown", ""
        return
    role, *manners = mark.role.split() or [""]
    if role not in ROLES:
        yield f"has the unknown role '{role}'", suggest(role, ROLES)
    for manner in manners:
        if manner not in MANNERS and manner not in ROLES:
            yield f"has the unknown manner '{manner}'", suggest(manner, MANNERS)
    if not is_finite(mark):
        yield "has a coordinate that is not finite", "look for a division by zero or a logarithm of zero"
        return
    if not 0 <= mark.wait <= MAX_WAIT:
        yield f"waits {mark.wait} turns", f"wait is 0 to {MAX_WAIT}"
    for name, value in (mark.set or {}).items():
        known = {param.name: param for param in scene.params}
        if name not in known:
            yield f"sets the unknown parameter '{name}'", suggest(name, known)
        elif value not in map(spelling, known[name].values):
            yield (
                f"sets '{name}' to '{value}', which is not on its grid",
                suggest(value, map(spelling, known[name].values)),
            )
    if mark.handle:
        yield from _handle_mistakes(mark, scene, width_name)
    if mark.set and not mark.label:
        yield "can be pressed but has no label", "give label='what pressing it does'"
    yield from _room_mistakes(mark, width_name)


def _handle_mistakes(mark: Mark, scene: Scene, width_name: str) -> Iterator[tuple[str, str]]:
    """What would keep a reader from taking hold of a mark, or from moving it."""
    names, rail = mark.handle or ((), ())
    known = {param.name: param for param in scene.params}
    if wrong := [name for name in names if name not in known]:
        yield f"is a handle of the unknown parameter '{wrong[0]}'", suggest(wrong[0], known)
        return
    if mark.set or not 1 <= len(names) <= 2:
        yield "is a handle that can't be moved", "a handle has one or two parameters, and can't be a button as well"
    places = math.prod(len(known[name].values) for name in names)
    if len(rail) != places:
        yield f"runs along {len(rail)} places for {places} values", "give its rail a place for each, in their order"
        return
    if not all(math.isfinite(number) for place in rail for number in place):
        yield "runs along a place that is not finite", ""
        return
    left, top, right, bottom = bounds(mark)
    x, y = (left + right) / 2, (top + bottom) / 2
    if min(math.hypot(x - one, y - other) for one, other in rail) > NEAR:
        yield "stands beside its rail", "its middle is where the rail has the present value"
    halo = HALO if mark.role.startswith("grip") else 0.0
    scale = SMALLEST["narrow"] / SMALLEST[width_name]
    if min(right - left, bottom - top) * scale + 2 * halo * scale < TOUCH:
        yield f"is a handle smaller than {TOUCH} px", "use pen.knob"


def _room_mistakes(mark: Mark, width_name: str) -> Iterator[tuple[str, str]]:
    width = WIDTHS[width_name]
    try:
        left, top, right, _ = bounds(mark)
    except ValueError:
        yield "has a path that is not of M, L, Z and numbers", "make paths with Pen.path"
        return
    if any(mark.shape.get(name, 0) < 0 for name in ("width", "height", "r", "rx")):  # type: ignore[operator]
        yield "has a negative size", "make marks with a Pen"
    if left < -MARGIN or right > width + MARGIN:
        where = f"({left:.0f} to {right:.0f} of {width})"
        yield f"leaves the {width_name} stage {where}", "give it less room, or fewer words"
    if top < -MARGIN:
        yield f"leaves the {width_name} stage at its top ({top:.0f})", "move it down: a stage grows downwards"
    if mark.tag == "text" and float(mark.shape.get("font-size", 0)) < SMALLEST[width_name]:
        yield f"is set in type under 11 px at the {width_name} width", "use pen.size"


def beat_problems(found: Found, chapters: Sequence[Chapter], where: str) -> list[Problem]:
    """Beats without a time, out of order, or too long for anybody to watch."""
    wrong = []
    for step, (states, times, _) in enumerate(chapters, 1):
        if len(states) != len(times) or not states:
            wrong.append((f"step {step} has {len(states)} beats and {len(times)} times", "give one for each beat"))
        elif not all(map(math.isfinite, times)) or times[0] < 0 or sorted(times) != [*times]:
            wrong.append((f"the beats of step {step} are not in order", "times are seconds from the step's beginning"))
    whole = 0.0 if wrong else sum(chapter.times[-1] for chapter in chapters)
    if whole > LONGEST:
        message = f"its beats take {whole:.0f} s of the {LONGEST:.0f} s that a reader may be asked to watch"
        wrong.append((message, "let them follow one another faster"))
    return [Problem(found.path, 0, 0, f"scene '{found.id}': {message}{where}", hint) for message, hint in wrong]


def result_mistakes(what: str, given: Any, annotation: Any) -> list[tuple[str, str]]:
    """What is wrong with what one of the scene's functions gives."""
    if isinstance(given, Mark):
        return [(f"what '{what}' gives must be {words(annotation)}, and is one Mark", "yield each mark")]
    return mistakes(f"what '{what}' gives", given, annotation)


def say_problems(found: Found, say: Sequence[Any], where: str) -> Iterator[Problem]:
    """Steps of which nothing is said."""
    for step, said in enumerate(say, 1):
        for message, hint in mistakes(f"what 'say' gives for step {step}", said, str):
            yield _problem(found, "say", message, where, hint)
        if isinstance(said, str) and not said.strip():
            yield _problem(found, "say", f"step {step} says nothing", where)


def table_problems(found: Found, table: Any, where: str) -> Iterator[Problem]:
    """What is wrong with a data table."""
    if not isinstance(table, Table):
        message = f"what 'table' gives must be a Table, and is {described(table)}"
        yield _problem(found, "table", message, where, "return Table(columns, rows)")
        return
    wrong = [*mistakes("the table's 'columns'", table.columns, tuple[Column, ...])]
    wrong = wrong or mistakes("the table's 'rows'", table.rows, Sequence[Sequence[Any]])
    wrong = wrong or [each for at, row in enumerate(table.rows, 1) for each in _row_mistakes(table.columns, at, row)]
    for message, hint in wrong:
        yield _problem(found, "table", message, where, hint)


def _row_mistakes(columns: Sequence[Column], number: int, row: Sequence[Any]) -> Iterator[tuple[str, str]]:
    if len(row) != len(columns):
        yield f"row {number} of the table has {len(row)} cells for {len(columns)} columns", ""
    for column, cell in zip(columns, row, strict=False):
        if type(cell) is float and math.isfinite(cell):
            continue
        if wrong := mistakes(f"'{column.name}' in row {number} of the table", cell, Cell):
            yield from wrong
        elif not isinstance(cell, str) and not math.isfinite(cell):
            yield f"'{column.name}' in row {number} of the table is {cell}", ""


def value_problems(found: Found, values: Any, where: str) -> Iterator[Problem]:
    """What is wrong with the values that prose may quote."""
    for message, hint in result_mistakes("values", values, Mapping[str, Any]):
        yield _problem(found, "values", message, where, hint)
    for name, value in values.items() if isinstance(values, Mapping) else ():
        if not isinstance(value, Value):
            message = f"the value '{name}' must be a Value, and is {described(value)}"
            yield _problem(found, "values", message, where, "write Value(number, 'unit')")
        elif not math.isfinite(value.value):
            yield _problem(found, "values", f"the value '{name}' is {value.value}", where)


def step_problems(found: Found, count: int, where: str) -> Iterator[Problem]:
    """Steps that the scene opens with or prints, and that its opening variant does not have."""
    for field, steps in (("opening", [found.scene.opening]), ("key_steps", found.scene.key_steps)):
        for step in steps:
            if not 1 <= abs(step) <= count:
                message = f"'{field}' names step {step}, and there are {count}"
                yield Problem(*found.place, 0, f"scene '{found.id}': {message}{where}", state=where)


def _problem(found: Found, what: str, message: str, where: str, hint: str = "") -> Problem:
    return Problem(*defined_at(found, what), 0, f"scene '{found.id}': {message}{where}", hint, state=where)
