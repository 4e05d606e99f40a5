"""The marks of a scene at one width, each looked over, measured and encoded once, however often it is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from msgspec import Struct

from loom.draw.extent import bounds
from loom.draw.marks import Mark, fields, svg_tag
from loom.errors import Problem
from loom.scene import spelling
from loom.scenes.discover import Found
from loom.scenes.validate import defined_at, key_mistakes, mark_mistakes


class Row(NamedTuple):
    """A mark as it is encoded: its element and the names of its fields, its key, and the fields."""

    kind: tuple[str, ...]
    key: str
    fields: tuple[int | float | str, ...]


class Marks(Struct):
    """The distinct marks of some variants at one width as plain data.

    `stacks` are the keys of frames in the order of drawing, each distinct one once. `lowest` is how far marks reach.
    """

    width: str
    rows: list[Row] = []
    stacks: list[tuple[str, ...]] = []
    lowest: float = 0.0


class Sheet:
    """Collects the distinct marks of a scene at one width."""

    def __init__(self, found: Found, width: str) -> None:
        self.found, self.width = found, width
        self.marks = Marks(width)
        self._stacks: set[tuple[str, ...]] = set()
        self._known: dict[Row, int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}  # by what the marks are before they are tidied

    def frame(self, marks: Sequence[Mark], where: str) -> tuple[tuple[int, ...], list[Problem]]:
        """A frame as the numbers of its rows in the order of drawing, and what is wrong with it."""
        ours = [mark for mark in marks if isinstance(mark, Mark)]
        foreign = [one for one in marks if not isinstance(one, Mark)] if len(ours) < len(marks) else []
        problems = list(self._problems([(f"draws {one!r}, which is not a mark", "") for one in foreign], where))
        identities = [mark.identity for mark in ours]
        found = [*map(self._numbers.get, identities)]
        if None in found:
            for place, (mark, identity) in enumerate(zip(ours, identities, strict=True)):
                if found[place] is None:
                    wrong = [(f"mark '{mark.key}' {message}", hint) for message, hint in self._mistakes(mark)]
                    problems += self._problems(wrong, where, ": ")
                    if not wrong:
                        found[place] = self._numbers[identity] = self._number(mark)
        keys = tuple([mark[0] for mark in ours])
        if keys not in self._stacks:
            problems += self._problems(key_mistakes(keys), where, ": ")
            self._stacks.add(keys)
            self.marks.stacks.append(keys)
        return tuple([number for number in found if number is not None]), problems

    def _mistakes(self, mark: Mark) -> Iterator[tuple[str, str]]:
        return mark_mistakes(mark, self.found.scene, self.width)

    def _number(self, mark: Mark) -> int:
        """The number of a mark's row; marks that differ by less than can be seen share one."""
        self.marks.lowest = max(self.marks.lowest, bounds(mark)[3])
        row = row_of(mark)
        number = self._known.setdefault(row, len(self._known))
        if number == len(self.marks.rows):
            self.marks.rows.append(row)
        return number

    def _problems(self, wrong: Sequence[tuple[str, str]], where: str, glue: str = " ") -> Iterator[Problem]:
        if wrong:
            place = defined_at(self.found, "draw")
            for message, hint in wrong:
                yield Problem(*place, 0, f"scene '{self.found.id}'{glue}{message}{where}", hint)


def merged(some: Sequence[Marks]) -> tuple[Marks, list[list[int]]]:
    """The marks of several runs of variants as one, and for each the new numbers of its rows.

    The result is what one sheet would hold that had drawn all of them, so that it doesn't matter where they were drawn.
    """
    known: dict[Row, int] = {}
    numbers = [[known.setdefault(row, len(known)) for row in one.rows] for one in some]
    stacks = dict.fromkeys(keys for one in some for keys in one.stacks)
    return Marks(some[0].width, list(known), list(stacks), max(one.lowest for one in some)), numbers


def row_of(mark: Mark) -> Row:
    """A mark as the player reads it: `w` its words, `s` what pressing it sets, `l` the label for that."""
    found = fields(mark)
    if mark.text:
        found["w"] = str(mark.text)
    if mark.set:
        found["s"] = urlencode({name: spelling(value) for name, value in mark.set.items()})
        found["l"] = mark.label
    return Row((svg_tag(mark), *found), mark.key, tuple(found.values()))
