"""Frames to the data that the player fetches. FORMAT is the version of their shape, which is:

    {"format": 7, "scene": "name", "keys": […], "words": […], "names": […], "tables": […], "beats": […], "marks": […],
     "variants": {"0.2": {…}}}

`keys` are those of all marks in the order of painting, from the lowest up. `words` are all texts: the narration in
parts of sentences, the names of steps, and values; `names` are the names of the values; `tables` are the rows of data
tables, rounded; `beats` are for each step the milliseconds from beat to beat, the first from the start of the step.
`marks` are groups of distinct marks with the same element and the same fields: `[element, fields, keys, columns…]`.
A column has an entry for each row; or a single one, if all rows have the same; or, if many are equal,
`[distinct entries, indices of these]`. Rows are numbered through all groups. A key is an index into `keys`. `X` and
`Y` are the place of a text, and of a path, whose `d` begins at the origin. `w` is the text of a mark, `s` the
parameters that pressing it sets, `h` its rail, `l` the label for either, `t` its read-out.
A variant has `say` (for each step, indices into `words`), `names` (of the steps) and `values` (in the order of the
file's `names`), which are indices into `words`, too, `rows` (an index into `tables`), `beats` (an index into `beats`),
and `frames`.
There is a frame for each beat of each step; the last of a step is the step's picture. A frame is a list of new rows,
and, behind a space, a list of removed rows, if there are any. A new row replaces the one that has its key; the first
frame starts from nothing.
Lists of indices and rows are strings with one character for each (`int_text.py`); keys and rows are stored as
differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import chain, groupby, pairwise
from typing import Any

import msgspec

from loom.scenes.int_text import encode_deltas, encode_ints
from loom.scenes.mark_table import Marks

FORMAT = 7  # the version of the format; the player refuses any other
WORTH = 0.5  # an indexed column must be shorter than this share of the plain one, because it compresses less well
SENTENCE = re.compile(r"(?<=[,.:;?!]) ")  # narration is split here: variants share most of the parts
Rows = Sequence[int]


@dataclass(frozen=True)
class VariantFrames:
    """A variant at one width: its texts, table and values, and its frames as row numbers of the mark table."""

    number: int  # of the variant
    key: str
    say: tuple[str, ...]
    rows: tuple[tuple[float | str, ...], ...]
    values: dict[str, str]
    frames: Sequence[Rows]  # of all beats
    names: tuple[str, ...] = ()  # of the steps
    beats: tuple[tuple[int, ...], ...] = ()  # of each step: milliseconds from the one before, or from its start


class Encoder:
    """Encodes variants into files. Rows are renumbered by kind and painting order, so that files list them in order."""

    def __init__(self, scene_id: str, marks: Marks, variants: Sequence[VariantFrames]) -> None:
        self.scene_id, self.variants = scene_id, variants
        self.cycle: tuple[str, ...] = ()  # keys of marks that are painted now over, now under each other
        try:
            self.order = paint_order(marks.stacks)
        except CycleError as error:  # no painting order fits all variants: some can't share a file
            self.order, self.cycle = list(dict.fromkeys(chain.from_iterable(marks.stacks))), tuple(error.args[1])
        rank = {key: index for index, key in enumerate(self.order)}
        self.kinds = {kind: index for index, kind in enumerate(dict.fromkeys(row.kind for row in marks.rows))}
        indices = [(self.kinds[row.kind], rank[row.key], number) for number, row in enumerate(marks.rows)]
        sorting = sorted(range(len(indices)), key=indices.__getitem__)
        self.rows = [marks.rows[number] for number in sorting]
        self.numbers = [0] * len(sorting)
        for index, number in enumerate(sorting):
            self.numbers[number] = index
        self.changes = [self._changes(variant.frames) for variant in variants]
        # The rows that each variant uses.
        self.needs = [frozenset(chain.from_iterable(new for new, _ in changes)) for changes in self.changes]

    @cached_property
    def weights(self) -> list[int]:
        """The approximate number of characters of each row."""
        return [len(msgspec.json.encode(row.fields)) for row in self.rows]

    def _changes(self, frames: Sequence[Rows]) -> list[tuple[list[int], list[int]]]:
        """For each frame the new rows, and the removed ones that no new row replaces; both sorted."""
        before: set[int] = set()
        found, numbers, rows = [], self.numbers, self.rows
        for frame in frames:
            now = {numbers[row] for row in frame}
            new, gone = now - before, before - now
            if gone:
                keys = {rows[row].key for row in new}
                gone = {row for row in gone if rows[row].key not in keys}
            found.append((sorted(new), sorted(gone)))
            before = now
        return found

    def file(self, start: int, end: int) -> bytes:
        """The file of consecutive variants. Raises CycleError if their frames have no common painting order."""
        used = sorted(frozenset[int]().union(*self.needs[start:end]))
        known = {self.rows[row].key for row in used}
        keys = self._keys(start, end) if self.cycle else [key for key in self.order if key in known]
        rank = {key: index for index, key in enumerate(keys)}
        if self.cycle:
            used.sort(key=lambda row: (self.kinds[self.rows[row].kind], rank[self.rows[row].key]))
        marks = self._groups(used, rank)
        local = {row: index for index, row in enumerate(used)}
        words, tables, beats = Interner(), Interner(), Interner()
        encoded = {
            variant.key: {
                "say": [words.encode_ints(SENTENCE.split(say)) for say in variant.say],
                "names": words.encode_ints(variant.names),
                "values": words.encode_ints(variant.values.values()),
                "rows": tables.index(variant.rows),
                "beats": beats.index(variant.beats or ((0,),) * len(variant.say)),
                "frames": [_frame(new, gone, local) for new, gone in changes],
            }
            for variant, changes in zip(self.variants[start:end], self.changes[start:end], strict=True)
        }
        names = [*self.variants[start].values]  # the same for all variants
        payload = {"format": FORMAT, "scene": self.scene_id, "keys": keys, "words": list(words), "names": names,
                   "tables": list(tables), "beats": list(beats), "marks": marks, "variants": encoded}  # fmt: skip
        return msgspec.json.encode(payload)

    def _keys(self, start: int, end: int) -> list[str]:
        """The keys of some variants, in a painting order for these alone."""
        frames = chain.from_iterable(variant.frames for variant in self.variants[start:end])
        return paint_order({tuple([self.rows[self.numbers[row]].key for row in frame]): None for frame in frames})

    def _groups(self, used: Rows, rank: dict[str, int]) -> list[Any]:
        groups = []
        for kind, group in groupby([self.rows[row] for row in used], key=lambda row: row.kind):
            rows = list(group)
            columns = zip(*[row.fields for row in rows], strict=True)
            groups.append([kind[0], kind[1:], encode_deltas([rank[row.key] for row in rows]), *map(_column, columns)])
        return groups


def _frame(new: Rows, gone: Rows, local: dict[int, int]) -> str:
    """A frame in the file's format."""
    parts = [encode_deltas(sorted([local[row] for row in rows])) for rows in (new, gone)]
    return " ".join(parts) if gone else parts[0]


def _column(column: Sequence[Any]) -> Sequence[Any]:
    """A column in the shortest form: plain, a single entry, or distinct entries with indices."""
    distinct = Interner()
    indices = distinct.encode_ints(column)
    if len(distinct) == 1:
        return [column[0]]
    if len(distinct) > WORTH * len(column):
        return column
    indexed = (list(distinct), indices)
    return indexed if len(msgspec.json.encode(indexed)) < WORTH * len(msgspec.json.encode(column)) else column


class Interner(dict[Any, int]):
    """Gives each distinct value an index, in the order of first use."""

    def index(self, thing: Any) -> int:
        return self.setdefault(thing, len(self))

    def encode_ints(self, things: Iterable[Any]) -> str:
        return encode_ints([self.setdefault(thing, len(self)) for thing in things])


def six_digits(cell: float | str) -> float | str:
    """A table's cell for the player: integers in full, other numbers with six significant digits."""
    if isinstance(cell, str):
        return cell
    number = float(cell)
    return int(number) if number.is_integer() and abs(number) < 2**53 else float(f"{number:.6g}")


def paint_order(stacks: Iterable[tuple[str, ...]]) -> list[str]:
    """One painting order for frames whose keys are given from the lowest up.

    Raises CycleError if two marks are painted in different orders in different frames.
    """
    under: dict[str, dict[str, None]] = {}  # key → the keys right before it in some frame
    for keys in stacks:
        for key in keys[:1]:
            under.setdefault(key, {})
        for below, key in pairwise(keys):
            under.setdefault(key, {})[below] = None
    return list(TopologicalSorter(under).static_order())
