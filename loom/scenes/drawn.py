"""Draw variants of a scene: run the author's code for some choices of parameters, and keep what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from loom.errors import GivenUpError, LoomError, Problem, raise_any
from loom.scene import WIDTHS, Column, Value
from loom.scenes.discover import Found
from loom.scenes.info import SceneInfo, describe, key_text
from loom.scenes.parameters import from_end
from loom.scenes.results import Variant
from loom.scenes.run import Outcome, VariantRun
from loom.scenes.sheet import Marks, Sheet
from loom.scenes.validate import context

MOST_PROBLEMS = 5  # of one scene
Cell = int | float | str
Tell = Callable[[str], object]


class Told(Struct, frozen=True, gc=False):
    """One choice of parameters as its data has it; `shown` are its values as they are read.

    `frames` are rows of the run's marks, step by step, for each width; there are none where nothing was to be drawn.
    """

    number: int  # of the variant
    key: str
    say: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Column, ...]
    values: dict[str, Value]
    shown: dict[str, str]
    frames: dict[str, list[tuple[int, ...]]]


class Drawn(Struct):
    """Some variants that follow one another, drawn: plain data, which travels."""

    info: SceneInfo
    told: list[Told]
    marks: list[Marks]  # at each width


def draw(found: Found, variants: Iterable[Mapping[str, Any]], tell: Tell = lambda _: None) -> Drawn:
    """Run and draw some variants; `tell` hears of each before it is begun. Each kind of mistake is told once."""
    drawn = Drawn(describe(found.id, found.path, found.scene), [], [])
    sheets = {name: Sheet(found, name) for name in WIDTHS}
    problems: list[Problem] = []
    for params in variants:
        tell(context(params))
        try:
            drawn.told.append(_told(found, drawn.info, params, sheets))
        except GivenUpError:
            raise
        except LoomError as error:
            problems = kinds([*problems, *error.problems])
            if len(problems) >= MOST_PROBLEMS:
                break
    raise_any(problems)
    drawn.marks = [sheet.marks for sheet in sheets.values()]
    return drawn


def kinds(problems: Iterable[Problem]) -> list[Problem]:
    """The first few problems, of those that differ in nothing but the state that they were met in the first."""
    found: dict[tuple[str, int, str], Problem] = {}
    for one in problems:
        found.setdefault((one.path, one.line, one.message.rpartition(" (")[0] or one.message), one)
    return list(found.values())[:MOST_PROBLEMS]


def sketch(found: Found, params: Mapping[str, Any], shown: Sequence[int]) -> Drawn:
    """A variant of which only some steps are drawn, negative ones from the end: enough for a page's pictures."""
    sheets = {name: Sheet(found, name) for name in WIDTHS}
    told = _told(found, describe(found.id, found.path, found.scene), params, sheets, shown)
    return Drawn(describe(found.id, found.path, found.scene), [told], [sheet.marks for sheet in sheets.values()])


def tell_variant(found: Found, params: Mapping[str, Any]) -> Variant:
    """What a variant says and quotes, without its drawing; its words are not in any list."""
    one = _told(found, describe(found.id, found.path, found.scene), params, {})
    return Variant(tuple(range(len(one.say))), one.rows, one.values)


def _told(
    found: Found, info: SceneInfo, params: Mapping[str, Any], sheets: Mapping[str, Sheet], shown: Sequence[int] = ()
) -> Told:
    ran = VariantRun(found, params)
    frames: dict[str, list[tuple[int, ...]]] = {name: [] for name in sheets}
    problems: list[Problem] = []
    states = ran.states()
    wanted = {from_end(step, len(states)) for step in shown} or range(1, len(states) + 1)
    for name, sheet in sheets.items():
        for step, state in enumerate(states, 1):
            if step not in wanted:  # stands still
                frames[name].append(frames[name][-1] if frames[name] else ())
                continue
            frame, wrong = sheet.frame(ran.frame(state, WIDTHS[name], step), context(params, step))
            frames[name].append(frame)
            problems += wrong
    raise_any(problems)
    return _plain_told(found, info, ran.outcome(), frames)


def _plain_told(found: Found, info: SceneInfo, outcome: Outcome, frames: dict[str, list[tuple[int, ...]]]) -> Told:
    places = found.scene.key(outcome.params)
    return Told(
        number=info.number(places),
        key=key_text(places),
        say=outcome.say,
        rows=tuple([tuple(map(_plain, row)) for row in outcome.table.rows]),
        columns=tuple(outcome.table.columns),
        values={name: Value(float(one.value), one.unit, one.digits) for name, one in outcome.values.items()},
        shown={name: str(value) for name, value in outcome.values.items()},
        frames=frames,
    )


def _plain(cell: Any) -> Cell:
    """numpy's numbers as Python's."""
    found: Cell = cell.item() if hasattr(cell, "item") else cell
    return found
