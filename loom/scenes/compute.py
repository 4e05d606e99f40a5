"""Walk a scene's grid, and keep what pages and player need: plain data, and files.

Variants are drawn some at a time, wherever there is room, by the author's code. What was drawn is then put into files
without it; the files are the same however the grid was cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from loom.errors import GivenUpError, LoomError, Problem, raise_any
from loom.scene import WIDTHS, Column, Value
from loom.scenes.discover import Found
from loom.scenes.encode import Story, six_digits
from loom.scenes.info import SceneInfo, describe, key_text
from loom.scenes.pack import packed
from loom.scenes.results import SceneData, Variant, file_name
from loom.scenes.run import Outcome, VariantRun
from loom.scenes.sheet import Marks, Sheet, merged
from loom.scenes.validate import context

MOST_PROBLEMS = 5  # of one scene
LARGE = 250  # variants of a part, which has files of its own
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


def tell_variant(found: Found, params: Mapping[str, Any]) -> Variant:
    """What a variant says and quotes, without its drawing; its words are not in any list."""
    one = _told(found, describe(found.id, found.path, found.scene), params, {})
    return Variant(tuple(range(len(one.say))), one.rows, one.values)


def _told(found: Found, info: SceneInfo, params: Mapping[str, Any], sheets: Mapping[str, Sheet]) -> Told:
    ran = VariantRun(found, params)
    frames: dict[str, list[tuple[int, ...]]] = {name: [] for name in sheets}
    problems: list[Problem] = []
    states = ran.states()
    for name, sheet in sheets.items():
        for step, state in enumerate(states, 1):
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


def parts(count: int) -> list[tuple[int, int]]:
    """A grid of so many variants, cut into parts that have files of their own."""
    pieces = max(1, round(count / LARGE))
    return list(pairwise(count * piece // pieces for piece in range(pieces + 1)))


def runs(count: int, size: int) -> Iterator[tuple[int, int]]:
    """The grid but for its first variant, which is drawn before all others, in runs that no part's end cuts."""
    for start, end in parts(count):
        start = max(start, 1)
        pieces = -(-(end - start) // size)
        yield from pairwise(start + (end - start) * piece // pieces for piece in range(pieces + 1 if pieces else 0))


def put_together(drawn: Sequence[Drawn]) -> SceneData:
    """A scene from all its variants, drawn in the order of the grid."""
    told = [one for run in drawn for one in run.told]
    info = replace(drawn[0].info, columns=told[0].columns)
    _report_uneven(info, told)
    words: dict[str, int] = {}
    variants = {
        one.key: Variant(tuple([words.setdefault(say, len(words)) for say in one.say]), one.rows, one.values)
        for one in told
    }
    files: dict[str, bytes] = {}
    firsts: dict[str, tuple[int, ...]] = dict.fromkeys(WIDTHS, ())
    problems: list[Problem] = []
    for some in _by_parts(drawn, len(told)):
        for place, width in enumerate(WIDTHS):
            found, wrong = packed(info, *_stories(some, place, width))
            firsts[width] += tuple(found)
            files |= {file_name(first, width): raw for first, raw in found.items()}
            problems += wrong
    raise_any(kinds(problems))
    lowest = {width: max(run.marks[place].lowest for run in drawn) for place, width in enumerate(WIDTHS)}
    heights = {width: float(round(found + 2)) for width, found in lowest.items()}
    return SceneData(info, tuple(words), variants, heights, firsts, files)


def _by_parts(drawn: Sequence[Drawn], count: int) -> list[list[Drawn]]:
    ends = [end for _, end in parts(count)]
    found: list[list[Drawn]] = [[] for _ in ends]
    at = 0
    for run in drawn:
        found[next(place for place, end in enumerate(ends) if at < end)].append(run)
        at += len(run.told)
    return found


def _stories(drawn: Sequence[Drawn], place: int, width: str) -> tuple[Marks, list[Story]]:
    """Some runs at one width: their marks as one, and the stories that are made of them."""
    marks, numbers = merged([run.marks[place] for run in drawn])
    stories = []
    for run, new in zip(drawn, numbers, strict=True):
        for one in run.told:
            frames = [[new[row] for row in frame] for frame in one.frames[width]]
            rows = tuple([tuple(map(six_digits, row)) for row in one.rows])
            stories.append(Story(one.number, one.key, one.say, rows, one.shown, frames))
    return marks, stories


def _report_uneven(info: SceneInfo, told: Iterable[Told]) -> None:
    """A choice of parameters whose values or columns are not those of the first: prose and the table's head stay."""
    first: tuple[list[str], list[str]] | None = None
    for one in told:
        names = sorted(one.values), [column.name for column in one.columns]
        first = first or names
        if names != first:
            places = [int(place) for place in one.key.split(".")]
            params = {param.name: param.values[place] for param, place in zip(info.params, places, strict=True)}
            message = f"scene '{info.id}': values or columns differ from those of its first choice{context(params)}"
            raise_any([Problem(info.path, 0, 0, message, "give them the same names for every choice")])


def _plain(cell: Any) -> Cell:
    """numpy's numbers as Python's."""
    found: Cell = cell.item() if hasattr(cell, "item") else cell
    return found
