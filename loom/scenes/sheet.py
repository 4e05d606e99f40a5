"""The marks of a scene at one width, each looked over, measured and encoded once, however often it is drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from loom.draw.extent import bounds
from loom.draw.marks import Mark, fields, svg_tag
from loom.errors import Problem
from loom.expected import described
from loom.scene import spelling
from loom.scenes.discover import Found
from loom.scenes.validate import defined_at, key_mistakes, mark_mistakes, signature, type_mistakes

# Fields that no attribute has: words, what pressing sets, the rail of a handle, the label for either, the read-out.
LETTERS = ("w", "s", "h", "l", "t")


class Row(NamedTuple):
    """A mark as it is encoded: its element and the names of its fields, its key, and the fields."""

    kind: tuple[str, ...]
    key: str
    fields: tuple[float | str, ...]


class Sheet:
    """The distinct marks of a scene at one width, and how far down they reach."""

    def __init__(self, found: Found, width: str) -> None:
        self.found, self.width = found, width
        self.rows: list[Row] = []
        self.lowest = 0.0
        self.stacks: dict[tuple[str, ...], None] = {}  # the keys of frames in the order of drawing
        self.mistyped = False  # whether the last frame had a mark that is not what it must be
        self._sound: set[tuple[object, ...]] = set()  # signatures of marks of right types
        self._tags: dict[str, str] = {}  # the element of each key
        self._known: dict[Row, int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}  # by what the marks are before they are tidied

    def frame(self, marks: Sequence[Mark], where: str) -> tuple[tuple[int, ...], list[Problem]]:
        """A frame as the numbers of its rows in the order of drawing, and what is wrong with it."""
        ours = [mark for mark in marks if isinstance(mark, Mark)]
        foreign = [one for one in marks if not isinstance(one, Mark)] if len(ours) < len(marks) else []
        problems = list(self._problems(dict.fromkeys(map(_foreign, foreign)), where))
        keys = tuple([mark[0] for mark in ours])
        self.mistyped = False
        try:
            identities = [mark.identity for mark in ours]
            found = [*map(self._numbers.get, identities)]
        except Exception:  # what has no hash, or no values: no mark may hold it
            wrong = [each for mark in ours for each in type_mistakes(mark)]
            if not wrong:
                raise
            self.mistyped = True
            return (), [*problems, *self._problems(wrong, where, ": ")]
        if None in found:
            for place, (mark, identity) in enumerate(zip(ours, identities, strict=True)):
                if found[place] is None:
                    wrong = [*self._mistakes(mark)] or [*self._changed(mark, keys)]
                    problems += self._problems(wrong, where, ": ")
                    if not wrong:
                        found[place] = self._numbers[identity] = self._number(mark)
        if keys not in self.stacks:
            problems += self._problems(key_mistakes(keys), where, ": ")
            self.stacks[keys] = None
        return tuple([number for number in found if number is not None]), problems

    def _mistakes(self, mark: Mark) -> Iterator[tuple[str, str]]:
        known = signature(mark)
        if known not in self._sound:
            wrong = [*type_mistakes(mark)]
            self.mistyped |= bool(wrong)
            if wrong:
                yield from wrong
                return
            if not mark.set:  # what a mapping holds is not told by its type
                self._sound.add(known)
        for message, hint in mark_mistakes(mark, self.found.scene, self.width):
            yield f"mark '{mark.key}' {message}", hint

    def _changed(self, mark: Mark, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
        """A key that is another element than before, unless the frame has it twice, which is told."""
        here, tag = svg_tag(mark), self._tags.setdefault(mark.key, svg_tag(mark))
        if tag != here and keys.count(mark.key) == 1:
            yield f"the key '{mark.key}' is a {here} here, and a {tag} elsewhere", "a key stands for one thing"

    def _number(self, mark: Mark) -> int:
        """The number of a mark's row; marks that differ by less than can be seen share one."""
        self.lowest = max(self.lowest, bounds(mark)[3])
        row = row_of(mark)
        number = self._known.setdefault(row, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
        return number

    def _problems(self, wrong: Collection[tuple[str, str]], where: str, glue: str = " ") -> Iterator[Problem]:
        if wrong:
            place = defined_at(self.found, "draw")
            for message, hint in wrong:
                yield Problem(*place, 0, f"scene '{self.found.id}'{glue}{message}{where}", hint, state=where)


def _foreign(one: object) -> tuple[str, str]:
    hint = "write 'yield from'" if isinstance(one, Iterable) and not isinstance(one, (str, bytes, Mapping)) else ""
    return f"draws {described(one)}, which is not a mark", hint


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
