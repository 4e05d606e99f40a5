"""Look a scene's results over: every mark, table cell and value that could not be shown is a problem."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loom.draw.extent import bounds
from loom.draw.marks import MANNERS, MAX_WAIT, ROLES, TAGS, Mark, is_finite
from loom.errors import Problem, suggest
from loom.scene import WIDTHS, Scene, Table, Value, spelling
from loom.scenes.discover import Found, shown_path

SMALLEST = {"narrow": 11.0, "wide": 13.2}  # type sizes that are 11 CSS px where the stage is at its smallest
MARGIN = 2.0  # strokes may stand a little over the edge


def context(params: Mapping[str, Any], step: int = 0) -> str:
    """Which state of a scene is meant."""
    parts = [f"{name}={spelling(value)}" for name, value in params.items()]
    return f" ({', '.join([*parts, f'step {step}'] if step else parts)})" if parts or step else ""


def key_mistakes(keys: Sequence[str]) -> list[tuple[str, str]]:
    """Keys that a frame gives to several marks."""
    twice = [key for at, key in enumerate(keys) if key in keys[:at]] if len(set(keys)) < len(keys) else []
    return [(f"the key '{key}' is used twice", "") for key in twice]


def defined_at(found: Found, what: str) -> tuple[str, int]:
    """Where one of the scene's functions begins: it may lie beside scene.py."""
    code = getattr(getattr(found.scene, what), "__code__", None)
    if code is None:
        return found.path, 0
    return shown_path(Path(code.co_filename), found.folder.parent), code.co_firstlineno


def mark_mistakes(mark: Mark, scene: Scene, width_name: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a mark at a width, and what to do about it."""
    if mark.tag not in TAGS:
        yield f"is a '{mark.tag}'", suggest(mark.tag, TAGS)
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
    if mark.set and not mark.label:
        yield "can be pressed but has no label", "give label='what pressing it does'"
    yield from _room_mistakes(mark, width_name)


def _room_mistakes(mark: Mark, width_name: str) -> Iterator[tuple[str, str]]:
    width = WIDTHS[width_name]
    try:
        left, top, right, _ = bounds(mark)
    except (KeyError, ValueError) as error:
        yield f"lacks {error}", "make marks with a Pen"
        return
    if left < -MARGIN or right > width + MARGIN:
        where = f"({left:.0f} to {right:.0f} of {width})"
        yield f"leaves the {width_name} stage {where}", "give it less room, or fewer words"
    if top < -MARGIN:
        yield f"leaves the {width_name} stage at its top ({top:.0f})", "move it down: a stage grows downwards"
    if mark.tag == "text" and float(mark.shape.get("font-size", 0)) < SMALLEST[width_name]:
        yield f"is set in type under 11 px at the {width_name} width", "use pen.size"


def say_problems(found: Found, say: Sequence[Any], where: str) -> Iterator[Problem]:
    """Steps of which nothing is said."""
    for step, words in enumerate(say, 1):
        if not isinstance(words, str) or not words.strip():
            yield Problem(*defined_at(found, "say"), 0, f"scene '{found.id}': step {step} says nothing{where}")


def table_problems(found: Found, table: Table, where: str) -> Iterator[Problem]:
    """What is wrong with a data table."""
    place = defined_at(found, "table")
    if not isinstance(table, Table):
        yield Problem(*place, 0, f"scene '{found.id}': 'table' gives no Table{where}", "return Table(columns, rows)")
        return
    for number, row in enumerate(table.rows, 1):
        if len(row) != len(table.columns):
            message = f"row {number} of the table has {len(row)} cells for {len(table.columns)} columns{where}"
            yield Problem(*place, 0, f"scene '{found.id}': {message}")
        for column, cell in zip(table.columns, row, strict=False):
            if not isinstance(cell, str) and not math.isfinite(cell):
                message = f"'{column.name}' in row {number} of the table is {cell}{where}"
                yield Problem(*place, 0, f"scene '{found.id}': {message}")


def value_problems(found: Found, values: Mapping[str, Value], where: str) -> Iterator[Problem]:
    """What is wrong with the values that prose may quote."""
    place = defined_at(found, "values")
    for name, value in values.items():
        if not isinstance(value, Value):
            message = f"scene '{found.id}': the value '{name}' is {value!r}{where}"
            yield Problem(*place, 0, message, "write Value(number, 'unit')")
        elif not math.isfinite(value.value):
            yield Problem(*place, 0, f"scene '{found.id}': the value '{name}' is {value.value}{where}")
