"""The rules for single marks: types, known names, bounds inside the stage, handles large enough for a finger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from loom.draw.extent import bounds
from loom.draw.finite import CAUSE
from loom.draw.marks import MAX_WAIT, MODIFIERS, OPTIONAL, ROLES, SHAPES, TAGS, Mark, not_finite, spelling
from loom.draw.pen import HALO, Pen
from loom.expected import described, field_mistakes, is_text, mistakes
from loom.hints import offered, suggest
from loom.scene import WIDTHS, Scene
from loom.scenes.validate import CHARACTERS, SHORTER

SMALLEST = {name: Pen(width).smallest for name, width in WIDTHS.items()}
MARGIN = 2.0  # strokes may reach over the edge by this much
NEAR = 1.0  # the largest distance of a handle from its rail
TOUCH = 24  # CSS px: the smallest target for a finger


def key_mistakes(keys: Sequence[str]) -> list[tuple[str, str, str]]:
    """Keys that several marks of a frame have, each with what is wrong."""
    twice = [key for at, key in enumerate(keys) if key in keys[:at]] if len(set(keys)) < len(keys) else []
    return [(key, f"the key '{key}' is used twice", "give each mark of a picture its own") for key in twice]


def type_mistakes(mark: Mark) -> Iterator[tuple[str, str]]:
    """The fields of a mark that have wrong types."""
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
        if name not in shape and name not in OPTIONAL:
            yield f"mark '{key}' lacks '{name}'", "make marks with a Pen"


def signature(mark: Mark) -> tuple[object, ...]:
    """The types of a mark's fields and of its shape. Marks with the same signature need only one type check."""
    return (mark.tag, *mark.shape, *map(type, mark), *map(type, mark.shape.values()))


def mark_mistakes(mark: Mark, scene: Scene, width_name: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a mark whose types are right, at one width."""
    if (length := max(len(mark.text), len(mark.label), len(mark.read))) > CHARACTERS:
        yield f"has a text of {length:,} characters, and there may be {CHARACTERS:,}", SHORTER
        return
    if not is_text(mark.key + mark.text + mark.label):
        yield "has a character that can't be shown", ""
        return
    if "\n" in mark.text:
        yield "has a text of several lines, which would stand in one", "yield a text for each, or 'paragraph'"
    yield from _role_mistakes(str(mark.role))
    if name := not_finite(mark):
        yield f"has a coordinate that is not finite: its {name} is {mark.shape[name]}", CAUSE
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
                offered(str(value), [spelling(one) for one in known[name].values]),
            )
    if mark.handle:
        yield from _handle_mistakes(mark, scene, width_name)
    if mark.set and not mark.label:
        yield "can be pressed but has no label", "give label='what pressing it does'"
    yield from _room_mistakes(mark, width_name)


@lru_cache(1 << 12)  # few distinct roles, and every mark has one
def _role_mistakes(roles: str) -> tuple[tuple[str, str], ...]:
    role, *modifiers = roles.split() or [""]
    wrong = [] if role in ROLES else [(f"has the unknown role '{role}'", suggest(role, ROLES))]
    for modifier in modifiers:
        if modifier not in MODIFIERS and modifier not in ROLES:
            wrong.append((f"has the unknown modifier '{modifier}'", suggest(modifier, MODIFIERS)))
    return tuple(wrong)


def _handle_mistakes(mark: Mark, scene: Scene, width_name: str) -> Iterator[tuple[str, str]]:
    """What would keep a reader from dragging a mark."""
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
    halo = HALO if mark.role.startswith("grip") else 0.0
    scale = SMALLEST["narrow"] / SMALLEST[width_name]
    if min(right - left, bottom - top) * scale + 2 * halo * scale < TOUCH:
        yield f"is a handle smaller than {TOUCH} px", "use pen.knob"


def rail_mistakes(marks: Iterable[Mark], scene: Scene, params: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The keys of handles, right in themselves, that stand elsewhere than their rails have the present values."""
    for mark in marks:
        if mark.handle:
            place = 0
            for name in mark.handle.params:
                values = scene.param(name).values
                place = place * len(values) + values.index(params[name])
            left, top, right, bottom = bounds(mark)
            x, y = mark.handle.rail[place]
            if math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y) > NEAR:
                message = f"mark '{mark.key}' stands beside its rail"
                yield mark.key, message, "its middle is where the rail has the present value"


def _room_mistakes(mark: Mark, width_name: str) -> Iterator[tuple[str, str]]:
    width = WIDTHS[width_name]
    try:
        left, top, right, _ = bounds(mark)
    except ValueError:
        yield "has a path that is not of M, L, Z and numbers", "make paths with Pen.path"
        return
    get: Any = mark.shape.get
    if min(get("width", 0), get("height", 0), get("r", 0), get("rx", 0)) < 0:
        yield "has a negative size", "a box begins at its left and its top: draw it from its smaller end"
    if left < -MARGIN or right > width + MARGIN:
        where = f"({round(left)} to {round(right)} of {width})"  # a Fraction has no format of its own
        yield f"leaves the {width_name} stage {where}", "give it less room, or fewer words"
    if top < -MARGIN:
        yield f"leaves the {width_name} stage at its top ({round(top)})", "move it down: a stage grows downwards"
    if mark.tag == "text" and float(mark.shape.get("font-size", 0)) < SMALLEST[width_name]:
        yield f"is set in type under 11 px at the {width_name} width", "use pen.size"
