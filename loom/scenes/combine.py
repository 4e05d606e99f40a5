"""Combine the drawn batches of a scene: plain data for pages, and files for the player.

Any worker may have drawn a batch; the files do not depend on how the grid was divided into batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from loom.draw.marks import FAMILIES, SCALED
from loom.errors import LoomError, Problem, raise_any
from loom.hints import enumerated
from loom.scene import WIDTHS
from loom.scenes.draw_variants import DrawnBatch, DrawnVariant, first_few
from loom.scenes.encode import Encoder, VariantFrames, six_digits
from loom.scenes.mark_table import Marks, Row, merged
from loom.scenes.pack import packed
from loom.scenes.results import SceneData, Variant, encoded, file_name
from loom.scenes.validate import context

LARGE = 1000  # variants in a part of a large grid; no file holds variants of two parts


def parts(count: int) -> list[tuple[int, int]]:
    """The parts of a grid of `count` variants, as start and end."""
    pieces = max(1, round(count / LARGE))
    return list(pairwise(count * piece // pieces for piece in range(pieces + 1)))


def batches(count: int, size: int) -> Iterator[tuple[int, int]]:
    """The grid without its first variant, which is drawn before the others, in batches that lie within one part."""
    for start, end in parts(count):
        start = max(start, 1)
        pieces = -(-(end - start) // size)
        yield from pairwise(start + (end - start) * piece // pieces for piece in range(pieces + 1 if pieces else 0))


def combine(drawn: Sequence[DrawnBatch]) -> SceneData:
    """A scene from all its variants, drawn in the order of the grid."""
    grid = [one for batch in drawn for one in batch.variants]
    info = replace(drawn[0].info, columns=grid[0].columns)
    _report_uneven(drawn[0], grid)
    raise_any(first_few(key_problems(drawn)))
    words: dict[str, int] = {}
    variants = {
        one.key: encoded(Variant(tuple([words.setdefault(say, len(words)) for say in one.say]), one.rows, one.values))
        for one in grid
    }
    files: dict[str, bytes] = {}
    file_starts: dict[str, tuple[int, ...]] = dict.fromkeys(WIDTHS, ())
    problems: list[Problem] = []
    cycle: tuple[str, ...] = ()
    for some in _by_parts(drawn, len(grid)):
        for index, width in enumerate(WIDTHS):
            encoder = Encoder(info.id, *_variant_frames(some, index, width))
            found, wrong = packed(info, encoder, width)
            cycle = cycle or encoder.cycle
            file_starts[width] += tuple(found)
            files |= {file_name(first, width): raw for first, raw in found.items()}
            problems += wrong
    raise_any(first_few(problems))
    lowest = {width: max(batch.marks[index].lowest for batch in drawn) for index, width in enumerate(WIDTHS)}
    heights = {width: float(round(found + 2)) for width, found in lowest.items()}
    rows = [row for batch in drawn for marks in batch.marks for row in marks.rows]
    reads = any("t" in row.kind for row in rows)
    roles = {role for row in rows for role in str(row.fields[0]).split()}  # the first field is the class
    measured, scaled = "measured" in roles, not roles.isdisjoint(SCALED)
    plays = any(sum(map(len, one.beats)) > 1 for one in grid)
    return SceneData(info, tuple(words), variants, heights, file_starts, files, reads, measured, scaled, plays, cycle)


def _by_parts(drawn: Sequence[DrawnBatch], count: int) -> list[list[DrawnBatch]]:
    ends = [end for _, end in parts(count)]
    found: list[list[DrawnBatch]] = [[] for _ in ends]
    at = 0
    for batch in drawn:
        found[next(index for index, end in enumerate(ends) if at < end)].append(batch)
        at += len(batch.variants)
    return found


def _variant_frames(drawn: Sequence[DrawnBatch], index: int, width: str) -> tuple[Marks, list[VariantFrames]]:
    """Some batches at one width: their marks merged, and the frames of each variant."""
    marks, numbers = merged([batch.marks[index] for batch in drawn])
    variants = []
    for batch, new in zip(drawn, numbers, strict=True):
        for one in batch.variants:
            frames = [[new[row] for row in frame] for frame in one.frames[width]]
            rows = tuple([tuple(map(six_digits, row)) for row in one.rows])
            variants.append(VariantFrames(one.number, one.key, one.say, rows, one.shown, frames, one.names, one.beats))
    return marks, variants


def _report_uneven(batch: DrawnBatch, grid: Iterable[DrawnVariant]) -> None:
    """Refuse a variant whose values or columns differ from the first's: prose and the table's head rely on them."""
    first: dict[str, list[str]] = {}
    for one in grid:
        names = {"values": sorted(one.values), "table": [column.name for column in one.columns]}
        first = first or names
        for what, called in (("values", "values"), ("table", "columns")):
            if names[what] != first[what]:
                odd = sorted({*names[what]} ^ {*first[what]})
                message = f"scene '{batch.info.id}': its {called} differ from those of its first choice"
                hint = "give them the same names for every choice" + f": not all have {enumerated(odd)}" * bool(odd)
                where = context(batch.info.params_of(one.key))
                raise LoomError(Problem(*batch.places[what], 0, message, hint, state=where))


def key_problems(drawn: Sequence[DrawnBatch]) -> Iterator[Problem]:
    """Keys that have different elements, or stand for different kinds of things, in two frames of the scene.

    Keys that change alike are one mistake: a loop draws them.
    """
    keys: dict[tuple[str, str], dict[str, None]] = {}
    states: dict[tuple[str, str], dict[str, None]] = {}
    for index, width in enumerate(WIDTHS):
        found = {(row.key, *_kinds(row)) for batch in drawn for row in batch.marks[index].rows}
        kinds = {(key, which, kind) for key, *both in found for which, kind in enumerate(both) if kind}
        if len(kinds) > len({(key, which) for key, which, _ in kinds}):
            for key, change, where in _changes(drawn, index, width):
                keys.setdefault(change, {})[key] = None
                states.setdefault(change, {})[where] = None
    for (here, before), names in keys.items():
        quoted = enumerated(f"'{key}'" for key in names)
        what = f"the key {quoted} is" if len(names) == 1 else f"the keys {quoted} are each"
        message = f"scene '{drawn[0].info.id}': {what} {here} here, and {before} elsewhere"
        first, *others = states[here, before]
        place = drawn[0].places["draw"]
        yield Problem(*place, 0, message, "a key stands for one thing", state=first, others=len(others))


def _changes(drawn: Sequence[DrawnBatch], index: int, width: str) -> Iterator[tuple[str, tuple[str, str], str]]:
    """Each key that is something else than before, what it is and was, and the state."""
    known: dict[tuple[str, int], str] = {}
    for batch in drawn:
        rows = batch.marks[index].rows
        for one in batch.variants:
            steps = [step for step, beats in enumerate(one.beats, 1) for _ in beats]
            for step, frame in zip(steps, one.frames[width], strict=True):
                where = context(batch.info.params_of(one.key), step)
                for row in map(rows.__getitem__, frame):
                    for which, here in enumerate(_kinds(row)):
                        if here and (before := known.setdefault((row.key, which), here)) != here:
                            yield row.key, (here, before), where


def _kinds(row: Row) -> tuple[str, str]:
    """A mark's element, and the kind of thing that its role stands for; the role of a text is only a tone."""
    element, *names = row.kind
    role = str(row.fields[names.index("class")]).partition(" ")[0]
    return f"a {element}", FAMILIES.get(role, "") if element != "text" else ""
