"""The marks of a scene at one width, each checked, measured and encoded once, however often it is drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import eq
from typing import NamedTuple
from urllib.parse import urlencode

from msgspec import Struct

from loom.draw.extent import bounds
from loom.draw.marks import TAGS, Mark, fields, svg_tag
from loom.errors import Problem
from loom.expected import described
from loom.scene import spelling
from loom.scenes.discover import LoadedScene
from loom.scenes.mark_rules import key_mistakes, mark_mistakes, signature, type_mistakes
from loom.scenes.validate import defined_at

# Fields that no attribute has: words, what pressing sets, the rail of a handle, the label for either, the read-out.
LETTERS = ("w", "s", "h", "l", "t")


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


class MarkTable:
    """Collects the distinct marks of a scene at one width."""

    def __init__(self, found: LoadedScene, width: str) -> None:
        self.found, self.width = found, width
        self.marks = Marks(width)
        self.mistyped = False  # whether the last frame had a mark that is not what it must be
        self._sound: set[tuple[object, ...]] = set()  # signatures of marks of right types
        self._stacks: set[tuple[str, ...]] = set()
        self._known: dict[Row, int] = {}
        self._seen: dict[tuple[object, ...], tuple[Mark, int]] = {}  # by what the marks are before they are tidied
        self._shown: dict[str, Mark] = {}  # by key, as it was drawn last
        self._numbers: dict[str, int] = {}  # of those

    def frame(self, marks: Sequence[Mark], where: str) -> tuple[tuple[int, ...], list[Problem]]:
        """A frame as the numbers of its rows in the order of drawing, and what is wrong with it."""
        foreign = [one for one in marks if not isinstance(one, Mark)] if {*map(type, marks)} != {Mark} else []
        ours = [mark for mark in marks if isinstance(mark, Mark)] if foreign else marks
        problems = list(self._problems(dict.fromkeys(_foreign(foreign)), where))
        keys = tuple([mark[0] for mark in ours])
        self.mistyped = False
        try:
            same = [*map(eq, ours, map(self._shown.get, keys))]  # most marks stay as they are from frame to frame
            if not all(same):
                problems += self._look([mark for mark, stays in zip(ours, same, strict=True) if not stays], where)
        except Exception:  # what has no hash, or no values: no mark may hold it
            wrong = [each for mark in ours for each in type_mistakes(mark)]
            if not wrong:
                raise
            self.mistyped = True
            return (), [*problems, *self._problems(wrong, where, ": ")]
        if keys not in self._stacks:
            problems += self._problems(key_mistakes(keys), where, ": ")
            self._stacks.add(keys)
            self.marks.stacks.append(keys)
        return tuple([self._numbers[key] for key in keys if key in self._numbers]), problems

    def _look(self, marks: Iterable[Mark], where: str) -> list[Problem]:
        """What is wrong with marks that are not shown yet; the others are from now on."""
        problems: list[Problem] = []
        for mark in marks:
            seen = self._seen.get(identity := mark.identity)
            if not seen:
                if wrong := [*self._mistakes(mark)]:
                    problems += self._problems(wrong, where, ": ")
                    continue
                kept = mark._replace(shape=dict(mark.shape), set=dict(mark.set) if mark.set else None)
                seen = self._seen[identity] = kept, self._number(mark)
            self._shown[mark.key], self._numbers[mark.key] = seen
        return problems

    def _mistakes(self, mark: Mark) -> Iterator[tuple[str, str]]:
        known = signature(mark)
        if known not in self._sound:
            wrong = [*type_mistakes(mark)]
            self.mistyped |= bool(wrong)
            if wrong:
                yield from wrong
                return
            if not mark.set:  # its type does not say what a mapping holds
                self._sound.add(known)
        for message, hint in mark_mistakes(mark, self.found.scene, self.width):
            yield f"mark '{mark.key}' {message}", hint

    def _number(self, mark: Mark) -> int:
        """The number of a mark's row; marks that differ by less than can be seen share one."""
        self.marks.lowest = max(self.marks.lowest, bounds(mark)[3])
        row = row_of(mark)
        number = self._known.setdefault(row, len(self._known))
        if number == len(self.marks.rows):
            self.marks.rows.append(row)
        return number

    def _problems(self, wrong: Collection[tuple[str, str]], where: str, glue: str = " ") -> Iterator[Problem]:
        if wrong:
            location = defined_at(self.found, "draw")
            for message, hint in wrong:
                yield Problem(*location, 0, f"scene '{self.found.id}'{glue}{message}", hint, state=where)


def _foreign(drawn: Sequence[object]) -> Iterator[tuple[str, str]]:
    """What is said of things that are no marks; those that 'yield from' made of one mark are its fields, in order."""
    for key, tag, _, shape in zip(drawn, drawn[1:], drawn[2:], drawn[3:], strict=False):
        if isinstance(shape, Mapping) and isinstance(tag, str) and tag in TAGS:
            yield f"draws the fields of the mark '{key}' one by one", "one mark is given by 'yield', without 'from'"
            return
    for one in drawn:
        hint = "write 'yield from'" if isinstance(one, Iterable) and not isinstance(one, (str, bytes, Mapping)) else ""
        yield f"draws {described(one)}, which is not a mark", hint


def merged(some: Sequence[Marks]) -> tuple[Marks, list[list[int]]]:
    """The marks of several batches of variants as one, and for each the new numbers of its rows.

    The result is what one table would hold that had drawn all of them, so that it doesn't matter where they were drawn.
    """
    known: dict[Row, int] = {}
    numbers = [[known.setdefault(row, len(known)) for row in one.rows] for one in some]
    stacks = dict.fromkeys(keys for one in some for keys in one.stacks)
    return Marks(some[0].width, list(known), list(stacks), max(one.lowest for one in some)), numbers


def row_of(mark: Mark) -> Row:
    """A mark as the player reads it: its fields, and those of `LETTERS` that it has."""
    found = fields(mark)
    if mark.text:
        found["w"] = str(mark.text)
    if mark.set:
        found["s"] = urlencode({name: spelling(value) for name, value in mark.set.items()})
    if mark.handle:
        found["h"] = mark.handle.spelled
    if mark.set or mark.handle:
        found["l"] = str(mark.label)
    if mark.read:
        found["t"] = mark.read
    plain = [str(value) if isinstance(value, str) else value for value in found.values()]  # none of numpy's
    return Row((svg_tag(mark), *found), str(mark.key), tuple(plain))
