"""Put a scene's variants together: plain data for pages, and files for the player.

They were drawn some at a time, wherever there was room; the files are the same however the grid was cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from loom.draw.marks import FAMILIES
from loom.errors import Problem, raise_any
from loom.scene import WIDTHS
from loom.scenes.drawn import Drawn, DrawnVariant, first_few
from loom.scenes.encode import Story, six_digits
from loom.scenes.info import SceneInfo
from loom.scenes.pack import packed
from loom.scenes.results import SceneData, Variant, encoded, file_name
from loom.scenes.sheet import Marks, Row, merged
from loom.scenes.validate import context

LARGE = 1000  # variants of a part, which has files of its own


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
    grid = [one for run in drawn for one in run.variants]
    info = replace(drawn[0].info, columns=grid[0].columns)
    _report_uneven(info, grid)
    raise_any(first_few(key_problems(drawn)))
    words: dict[str, int] = {}
    variants = {
        one.key: encoded(Variant(tuple([words.setdefault(say, len(words)) for say in one.say]), one.rows, one.values))
        for one in grid
    }
    files: dict[str, bytes] = {}
    firsts: dict[str, tuple[int, ...]] = dict.fromkeys(WIDTHS, ())
    problems: list[Problem] = []
    for some in _by_parts(drawn, len(grid)):
        for place, width in enumerate(WIDTHS):
            found, wrong = packed(info, *_stories(some, place, width))
            firsts[width] += tuple(found)
            files |= {file_name(first, width): raw for first, raw in found.items()}
            problems += wrong
    raise_any(first_few(problems))
    lowest = {width: max(run.marks[place].lowest for run in drawn) for place, width in enumerate(WIDTHS)}
    heights = {width: float(round(found + 2)) for width, found in lowest.items()}
    rows = [row for run in drawn for marks in run.marks for row in marks.rows]
    reads = any("t" in row.kind for row in rows)
    measured = any("measured" in str(row.fields[0]).split() for row in rows)  # the first field is the class
    return SceneData(info, tuple(words), variants, heights, firsts, files, reads, measured)


def _by_parts(drawn: Sequence[Drawn], count: int) -> list[list[Drawn]]:
    ends = [end for _, end in parts(count)]
    found: list[list[Drawn]] = [[] for _ in ends]
    at = 0
    for run in drawn:
        found[next(place for place, end in enumerate(ends) if at < end)].append(run)
        at += len(run.variants)
    return found


def _stories(drawn: Sequence[Drawn], place: int, width: str) -> tuple[Marks, list[Story]]:
    """Some runs at one width: their marks as one, and the stories that are made of them."""
    marks, numbers = merged([run.marks[place] for run in drawn])
    stories = []
    for run, new in zip(drawn, numbers, strict=True):
        for one in run.variants:
            frames = [[new[row] for row in frame] for frame in one.frames[width]]
            rows = tuple([tuple(map(six_digits, row)) for row in one.rows])
            stories.append(Story(one.number, one.key, one.say, rows, one.shown, frames, one.names, one.beats))
    return marks, stories


def _report_uneven(info: SceneInfo, grid: Iterable[DrawnVariant]) -> None:
    """A choice of parameters whose values or columns are not those of the first: prose and the table's head stay."""
    first: tuple[list[str], list[str]] | None = None
    for one in grid:
        names = sorted(one.values), [column.name for column in one.columns]
        first = first or names
        if names != first:
            message = f"scene '{info.id}': values or columns differ from those of its first choice{_where(info, one)}"
            raise_any([Problem(info.path, 0, 0, message, "give them the same names for every choice")])


def key_problems(drawn: Sequence[Drawn]) -> Iterator[Problem]:
    """Keys that change their element, or what they stand for, from one frame to another, wherever both were drawn."""
    for place, width in enumerate(WIDTHS):
        found = {(row.key, *_kinds(row)) for run in drawn for row in run.marks[place].rows}
        kinds = {(key, which, kind) for key, *both in found for which, kind in enumerate(both) if kind}
        if len(kinds) > len({(key, which) for key, which, _ in kinds}):
            yield from _changes(drawn, place, width)


def _changes(drawn: Sequence[Drawn], place: int, width: str) -> Iterator[Problem]:
    known: dict[tuple[str, int], str] = {}
    for run in drawn:
        rows = run.marks[place].rows
        for one in run.variants:
            steps = [step for step, beats in enumerate(one.beats, 1) for _ in beats]
            for step, frame in zip(steps, one.frames[width], strict=True):
                where = _where(run.info, one, step)
                for row in map(rows.__getitem__, frame):
                    for which, here in enumerate(_kinds(row)):
                        if here and (before := known.setdefault((row.key, which), here)) != here:
                            message = f"the key '{row.key}' is {here} here, and {before} elsewhere{where}"
                            hint = "a key stands for one thing"
                            yield Problem(*run.place, 0, f"scene '{run.info.id}': {message}", hint, state=where)


def _kinds(row: Row) -> tuple[str, str]:
    """A mark's element, and what it stands for as far as its role tells; the role of words is a tone."""
    element, *names = row.kind
    role = str(row.fields[names.index("class")]).partition(" ")[0]
    return f"a {element}", FAMILIES.get(role, "") if element != "text" else ""


def _where(info: SceneInfo, one: DrawnVariant, step: int = 0) -> str:
    """Which state is meant."""
    places = [int(place) for place in one.key.split(".") if place]
    params = {param.name: param.values[place] for param, place in zip(info.params, places, strict=True)}
    return context(params, step)
