"""The marks of a scene at one width, each checked, measured and encoded once, however often it is drawn.

A scene draws hundreds of frames of a hundred marks, mostly the same ones. A frame becomes a list of row numbers, and
each of its marks goes only as far as it must:

1. It equals the mark that was drawn last with its key: its number is known.
2. It was drawn before, in an earlier frame: it is found by its identity.
3. It is new: it is checked and measured, and becomes a row. A mark that rounding makes equal to it has the same row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import eq
from typing import Any, NamedTuple
from urllib.parse import urlencode

from msgspec import Struct

from loom.draw.extent import bounds
from loom.draw.marks import TAGS, Mark, fields, spelling, svg_tag
from loom.draw.path import without_place
from loom.expected import described
from loom.scene import Scene
from loom.scenes.mark_rules import key_mistakes, mark_mistakes, rail_mistakes, signature, type_mistakes
from loom.scenes.results import PLACE


class Row(NamedTuple):
    """A mark as a row of the table: its element with the names of its fields, its key, and the fields."""

    kind: tuple[str, ...]
    key: str
    fields: tuple[int | float | str, ...]


class Marks(Struct):
    """The distinct marks of some variants at one width as plain data.

    `stacks` are the distinct sequences of keys in frames, in drawing order. `lowest` is the bottom of the lowest mark.
    """

    width: str
    rows: list[Row] = []
    stacks: list[tuple[str, ...]] = []
    lowest: float = 0.0


class Mistake(NamedTuple):
    """What is wrong with the mark of a key, and a hint. The key is empty for what is not a mark or has none."""

    key: str
    message: str
    hint: str


class MistypedError(Exception):
    """A frame has marks with wrong types."""

    def __init__(self, *mistakes: Mistake) -> None:
        self.mistakes = mistakes
        super().__init__(*mistakes)


class MarkTable:
    """Collects the distinct marks of a scene at one width."""

    def __init__(self, scene: Scene, width: str) -> None:
        self.scene, self.width = scene, width
        self.marks = Marks(width)
        self._shown: dict[str, Mark] = {}  # 1. by key, the mark that was drawn last
        self._numbers: dict[str, int] = {}  # by key, the number of its row
        self._seen: dict[tuple[object, ...], tuple[Mark, int]] = {}  # 2. by `Mark.identity`, before rounding
        self._known: dict[Row, int] = {}  # 3. the number of each row
        self._sound: set[tuple[object, ...]] = set()  # signatures of marks whose types are right
        self._stacks: set[tuple[str, ...]] = set()

    def frame(self, marks: Sequence[Mark]) -> tuple[tuple[int, ...], list[Mistake]]:
        """A frame as row numbers in drawing order, and the mistakes in it; MistypedError if types are wrong."""
        foreign = [one for one in marks if not isinstance(one, Mark)] if {*map(type, marks)} != {Mark} else []
        ours = [mark for mark in marks if isinstance(mark, Mark)] if foreign else marks
        found = list(dict.fromkeys(_foreign(foreign)))
        keys = tuple([mark[0] for mark in ours])
        try:
            same = [*map(eq, ours, map(self._shown.get, keys))]  # most marks are the same as in the frame before
            if not all(same):
                found += self._add([mark for mark, stays in zip(ours, same, strict=True) if not stays])
        except Exception as error:  # a mark has a field of a wrong type, or one that can't be hashed or compared
            wrong = [Mistake(_key(mark), *each) for mark in ours for each in type_mistakes(mark)]
            if not wrong:
                raise
            raise MistypedError(*found, *wrong) from error
        if keys not in self._stacks:
            found += [Mistake(*each) for each in key_mistakes(keys)]
            self._stacks.add(keys)
            self.marks.stacks.append(keys)
        return tuple([self._numbers[key] for key in keys if key in self._numbers]), found

    def rails(self, marks: Sequence[Mark], params: Mapping[str, Any]) -> list[Mistake]:
        """The mistakes of a sound frame's handles with what is chosen now."""
        return [Mistake(*each) for each in rail_mistakes(marks, self.scene, params)]

    def _add(self, marks: Iterable[Mark]) -> list[Mistake]:
        """Add changed marks to the table, but for those with mistakes, which are returned."""
        found: list[Mistake] = []
        for mark in marks:
            seen = self._seen.get(identity := mark.identity)
            if not seen:
                if wrong := [*self._mistakes(mark)]:
                    found += wrong
                    continue
                kept = mark._replace(shape=dict(mark.shape), set=dict(mark.set) if mark.set else None)
                seen = self._seen[identity] = kept, self._number(mark)
            self._shown[mark.key], self._numbers[mark.key] = seen
        return found

    def _mistakes(self, mark: Mark) -> Iterator[Mistake]:
        known = signature(mark)
        if known not in self._sound:
            if any(type_mistakes(mark)):
                raise TypeError(mark.key)  # for `frame`, which tells the wrong types of all its marks
            if not mark.set:  # the signature does not cover the contents of a mapping
                self._sound.add(known)
        for message, hint in mark_mistakes(mark, self.scene, self.width):
            yield Mistake(mark.key, f"mark '{mark.key}' {message}", hint)

    def _number(self, mark: Mark) -> int:
        """The number of a mark's row; marks that are equal after rounding share one."""
        self.marks.lowest = max(self.marks.lowest, bounds(mark)[3])
        row = row_of(mark)
        number = self._known.setdefault(row, len(self._known))
        if number == len(self.marks.rows):
            self.marks.rows.append(row)
        return number


def _key(mark: Mark) -> str:
    return mark.key if isinstance(mark.key, str) else ""  # pieces may be given anything


def _foreign(drawn: Sequence[object]) -> Iterator[Mistake]:
    """Drawn things that are no marks. `yield from` on a single mark yields its fields, in order."""
    for key, tag, _, shape in zip(drawn, drawn[1:], drawn[2:], drawn[3:], strict=False):
        if isinstance(shape, Mapping) and isinstance(tag, str) and tag in TAGS:
            message = f"'draw' gives the fields of the mark '{key}' one by one"
            yield Mistake(str(key), message, "one mark is given by 'yield', without 'from'")
            return
    for one in drawn:
        hint = "write 'yield from'" if isinstance(one, Iterable) and not isinstance(one, (str, bytes, Mapping)) else ""
        yield Mistake("", f"'draw' gives {described(one)}, which is not a mark", hint)


def merged(some: Sequence[Marks]) -> tuple[Marks, list[list[int]]]:
    """The marks of several batches merged, and for each batch the new numbers of its rows.

    The result is the same as if one table had drawn all of them, wherever they were drawn.
    """
    known: dict[Row, int] = {}
    numbers = [[known.setdefault(row, len(known)) for row in one.rows] for one in some]
    stacks = dict.fromkeys(keys for one in some for keys in one.stacks)
    return Marks(some[0].width, list(known), list(stacks), max(one.lowest for one in some)), numbers


def row_of(mark: Mark) -> Row:
    """The row of a mark: its SVG attributes, and those of `LETTERS` that it has."""
    found = fields(mark)
    if "d" in found:
        found |= without_place(str(found["d"]))
    if mark.tag != "rect":  # of which every browser animates `x` and `y`
        found = {PLACE.get(name, name): value for name, value in found.items()}
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
    plain = [str(value) if isinstance(value, str) else value for value in found.values()]  # no numpy strings
    return Row((svg_tag(mark), *found), str(mark.key), tuple(plain))
