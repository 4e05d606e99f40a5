"""Look a scene's results over: every mark, table cell and value that could not be shown is a problem."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loom.draw.extent import bounds
from loom.draw.marks import MANNERS, MAX_WAIT, ROLES, TAGS, Mark, is_finite
from loom.errors import Problem, suggest
from loom.scene import WIDTHS, Chapter, Scene, Table, Value, spelling
from loom.scenes.discover import Found, shown_path

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
