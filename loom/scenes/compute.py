"""Walk a scene's grid, and keep what pages and player need: plain data, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from numbers import Integral
from typing import Any, TypeVar

from msgspec.structs import replace

from loom.errors import LoomError, Problem, attempt, raise_any, told_once
from loom.scene import WIDTHS, Chapter, Column, Value
from loom.scenes.discover import Found
from loom.scenes.encode import Story, six_digits
from loom.scenes.info import SceneInfo, describe, key_text
from loom.scenes.pack import packed
from loom.scenes.results import SceneData, Variant, file_name
from loom.scenes.run import Outcome, VariantRun
from loom.scenes.sheet import Sheet
from loom.scenes.steady import opening_problems
from loom.scenes.validate import context

Part = TypeVar("Part")
MOST_PROBLEMS = 5  # of one scene: the same slip shows in every variant
LARGE = 250  # variants of a part


def parts(found: Found) -> list[tuple[int, int]]:
    """The grid of a scene, cut into runs of variants that can be computed apart from each other."""
    count = sum(1 for _ in found.scene.grid())
    pieces = max(1, round(count / LARGE))
    return list(pairwise(count * piece // pieces for piece in range(pieces + 1)))


def compute_scene(found: Found) -> SceneData:
    """Walk the whole grid of a scene."""
    return joined(lambda part: compute_part(found, part), parts(found))


def joined(compute: Callable[[Part], SceneData], pieces: Sequence[Part]) -> SceneData:
    """The parts of a scene as one, or the first few of its problems."""
    computed, problems = attempt(compute, pieces)
    raise_any(told_once(sorted(problems))[:MOST_PROBLEMS])
    _report_uneven((part.info, *next(iter(part.variants.items()))) for part in computed)
    words: dict[str, int] = {}
    variants: dict[str, Variant] = {}
    for part in computed:
        places = [words.setdefault(word, len(words)) for word in part.words]
        for key, one in part.variants.items():
            variants[key] = replace(one, say=tuple([places[place] for place in one.say]))
    return SceneData(
        info=computed[0].info,
        words=tuple(words),
        variants=variants,
        heights={name: max(part.heights[name] for part in computed) for name in WIDTHS},
        firsts={name: tuple(first for part in computed for first in part.firsts[name]) for name in WIDTHS},
        files={name: raw for part in computed for name, raw in part.files.items()},
        reads=any(part.reads for part in computed),
    )


def compute_part(found: Found, part: tuple[int, int]) -> SceneData:
    """Compute the variants from one place of a scene's grid to another."""
    collected = _Collected(found)
    problems: list[Problem] = []
    for params in islice(found.scene.grid(), *part):
        try:
            collected.add(params)
        except LoomError as error:
            problems = told_once([*problems, *error.problems])
            if len(problems) >= MOST_PROBLEMS:
                break
    raise_any(problems[:MOST_PROBLEMS])
    return collected.finished()


@dataclass
class _Collected:
    """What some variants came to so far."""

    found: Found
    words: dict[str, int] = field(default_factory=dict)
    variants: dict[str, Variant] = field(default_factory=dict)
    infos: list[SceneInfo] = field(default_factory=list)  # with the columns of each variant

    def __post_init__(self) -> None:
        self.info = describe(self.found.id, self.found.path, self.found.scene)
        self.sheets = {name: Sheet(self.found, name) for name in WIDTHS}
        self.stories: dict[str, list[Story]] = {name: [] for name in WIDTHS}

    def add(self, params: Mapping[str, Any]) -> None:
        """Run and draw a variant."""
        ran = VariantRun(self.found, params)
        frames: dict[str, list[tuple[int, ...]]] = {name: [] for name in WIDTHS}
        problems: list[Problem] = []
        chapters = ran.chapters()
        for name, width in WIDTHS.items():
            for step, chapter in enumerate(chapters, 1):
                for state in chapter.states:
                    frame, wrong = self.sheets[name].frame(ran.frame(state, width, step), context(params, step))
                    frames[name].append(frame)
                    problems += (self.sheets[name].mistyped and ran.closely(state, width, step)) or wrong
        raise_any(problems)
        outcome = ran.outcome()
        if params == self.found.scene.defaults:
            raise_any(opening_problems(self.found, outcome, frames, self.sheets))
        self._keep(outcome, chapters, frames)

    def _keep(
        self, outcome: Outcome, chapters: Sequence[Chapter], frames: Mapping[str, Sequence[tuple[int, ...]]]
    ) -> None:
        places = self.found.scene.key(outcome.params)
        key, number = key_text(places), self.info.number(places)
        say = tuple([self.words.setdefault(words, len(self.words)) for words in outcome.say])
        rows = tuple([tuple(map(_plain, row)) for row in outcome.table.rows])
        exact = {
            str(name): Value(float(one.value), str(one.unit), int(one.digits)) for name, one in outcome.values.items()
        }
        self.variants[key] = Variant(say, rows, exact)
        self.infos.append(replace(self.info, columns=_columns(outcome)))
        values = {name: str(value) for name, value in outcome.values.items()}
        shown = tuple([tuple(map(six_digits, row)) for row in outcome.table.rows])
        names, beats = tuple([chapter.name for chapter in chapters]), tuple(map(_intervals, chapters))
        for name, drawn in frames.items():
            self.stories[name].append(Story(number, key, outcome.say, shown, values, drawn, names, beats))

    def finished(self) -> SceneData:
        """The part's data and files."""
        _report_uneven((info, *one) for info, one in zip(self.infos, self.variants.items(), strict=True))
        files: dict[str, bytes] = {}
        firsts: dict[str, tuple[int, ...]] = {}
        problems: list[Problem] = []
        for width, sheet in self.sheets.items():
            found, wrong = packed(self.found, sheet, self.stories[width])
            firsts[width] = tuple(found)
            files |= {file_name(first, width): raw for first, raw in found.items()}
            problems += wrong
        raise_any(problems[:MOST_PROBLEMS])
        heights = {name: float(round(sheet.lowest + 2)) for name, sheet in self.sheets.items()}
        reads = any("t" in row.kind for sheet in self.sheets.values() for row in sheet.rows)
        return SceneData(self.infos[0], tuple(self.words), self.variants, heights, firsts, files, reads)


def _report_uneven(variants: Iterable[tuple[SceneInfo, str, Variant]]) -> None:
    """A choice of parameters whose values or columns are not those of the first: prose and the table's head stay."""
    first: tuple[list[str], list[str]] | None = None
    for info, key, variant in variants:
        names = sorted(variant.values), [column.name for column in info.columns]
        first = first or names
        if names != first:
            places = [int(place) for place in key.split(".")]
            params = {param.name: param.values[place] for param, place in zip(info.params, places, strict=True)}
            message = f"scene '{info.id}': values or columns differ from those of its first choice{context(params)}"
            raise_any([Problem(info.path, 0, 0, message, "give them the same names for every choice")])


def _intervals(chapter: Chapter) -> tuple[int, ...]:
    """The milliseconds from beat to beat."""
    times = [0, *[round(1000 * time) for time in chapter.times]]
    return tuple([there - here for here, there in pairwise(times)])


def _columns(outcome: Outcome) -> tuple[Column, ...]:
    """The columns in Python's own strings and numbers."""
    columns = outcome.table.columns
    return tuple([Column(str(one.name), str(one.label), str(one.unit), int(one.digits)) for one in columns])


def _plain(cell: Any) -> float | str:
    """numpy's numbers as Python's, and whole ones only as far as they can be kept as such."""
    if isinstance(cell, str):
        return str(cell)
    return int(cell) if isinstance(cell, Integral) and abs(int(cell)) < 2**63 else float(cell)
