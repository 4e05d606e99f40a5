"""Static pictures made from the player's own data files, so that they can't differ from what the player shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

import msgspec
from markupsafe import Markup

from loom.draw.path import with_place
from loom.draw.svg import Element, svg
from loom.scene import WIDTHS
from loom.scenes.int_text import decode_deltas, decode_ints
from loom.scenes.results import LETTERS, PLACE, SceneData

Shown = tuple[Element, str]  # a mark, and its rail
Row = tuple[int, str, list[str], list[Any]]  # the index of a key, an element, the names and values of its fields
DRAWN = {sent: name for name, sent in PLACE.items()}
NUMBER = re.compile(r"-?\d*\.?\d+")


class DataFile:
    """A data file, decoded. The format is described in `loom/scenes/encode.py`."""

    def __init__(self, raw: bytes) -> None:
        self._data: dict[str, Any] = msgspec.json.decode(raw)

    def variant(self, key: str) -> dict[str, Any]:
        """The data of a variant."""
        found, words = self._variant(key), self._data["words"]
        values = [words[index] for index in decode_ints(found["values"])]
        return {
            "say": [" ".join([words[index] for index in decode_ints(said)]) for said in found["say"]],
            "names": [words[index] for index in decode_ints(found["names"])],
            "values": dict(zip(self._data["names"], values, strict=True)),
            "rows": self._data["tables"][found["rows"]],
            "beats": self._data["beats"][found["beats"]],
            "frames": found["frames"],
        }

    def _variant(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self._data["variants"][key]
        return found

    def frame(self, key: str, step: int, beat: int = -1) -> list[Element]:
        """The marks of a variant at a step, counted from 1, in painting order: those of its last beat, or of `beat`."""
        return list(self.keyed(key, step, beat).values())

    def keyed(self, key: str, step: int, beat: int = -1) -> dict[int, Element]:
        """The marks that `frame` gives, by the indices of their keys."""
        return {index: mark for index, (mark, _) in self._shown(key, step, beat).items()}

    def rails(self, key: str, step: int) -> list[Element]:
        """The places of all handles of a step as dots, for the gallery."""
        lines = [rail.partition("|")[2].split() for _, rail in self._shown(key, step).values() if rail]
        dots = [(x, y) for line in lines for x, y in zip(line[::2], line[1::2], strict=True)]
        return [Element("circle", {"class": "quiet", "cx": x, "cy": y, "r": 2}) for x, y in dots]

    def times(self, key: str, step: int) -> list[int]:
        """For each beat of a step, the milliseconds since the beat before it."""
        found: list[int] = self._data["beats"][self._variant(key)["beats"]][step - 1]
        return found

    def beats(self, key: str, step: int) -> int:
        """The number of beats of a step."""
        return len(self.times(key, step))

    def _shown(self, key: str, step: int, beat: int = -1) -> dict[int, Shown]:
        """The marks of a beat in painting order, each with its rail."""
        before = sum(self.beats(key, other) for other in range(1, step))
        index = before + beat % self.beats(key, step)
        frame: dict[int, int] = {}
        for _, new, gone in islice(self.changes(key), index + 1):
            for row in gone:
                del frame[self.rows[row][0]]
            frame.update((self.rows[row][0], row) for row in new)
        return {index: self.mark(frame[index]) for index in sorted(frame)}

    def changes(self, key: str) -> Iterator[tuple[int, list[int], list[int]]]:
        """For each beat of a variant: its step, the rows that are new, and those that are gone and not replaced."""
        found = self._variant(key)
        steps = (step for step, beats in enumerate(self._data["beats"][found["beats"]], 1) for _ in beats)
        for step, change in zip(steps, found["frames"], strict=True):
            new, _, gone = change.partition(" ")
            yield step, decode_deltas(new), decode_deltas(gone)

    @property
    def variants(self) -> list[str]:
        """The keys of all its variants."""
        return list(self._data["variants"])

    @property
    def keys(self) -> list[str]:
        """The keys of all marks, by index."""
        found: list[str] = self._data["keys"]
        return found

    @cached_property
    def rows(self) -> list[Row]:
        """The distinct marks."""
        return [row for group in self._data["marks"] for row in _group(*group)]

    def mark(self, row: int) -> Shown:
        """The element of a row. Made on demand: a picture shows few of a file's rows."""
        _, tag, names, values = self.rows[row]
        found = dict(zip(names, values, strict=True))
        shape = {DRAWN.get(name, name): value for name, value in found.items() if name not in LETTERS}
        if tag == "path" and "x" in shape:
            shape["d"] = with_place(shape.pop("x"), shape.pop("y"), shape["d"])
        return Element(tag, shape, found.get("w", "")), found.get("h", "")


def _group(tag: str, names: list[str], steps: str, *columns: list[Any]) -> Iterator[Row]:
    keys = decode_deltas(steps)
    for key, *values in zip(keys, *[_column(column, len(keys)) for column in columns], strict=True):
        yield key, tag, names, values


def _column(column: list[Any], length: int) -> list[Any]:
    if isinstance(column[0], list):
        return [column[0][index] for index in decode_ints(column[1])]
    return column if len(column) == length else column * length


def top(mark: Element) -> float:
    """The y coordinate of a mark: the start of a path, the baseline of a text, the middle of a circle."""
    found = mark.attributes
    if "d" in found:
        return float([*NUMBER.findall(str(found["d"])), 0, 0][1])  # 0 for a path without points
    return float(next(found[name] for name in ("y", "cy", "y1") if name in found))


class Pictures:
    """The pictures of one variant at one width."""

    def __init__(self, data: SceneData, params: Mapping[str, str], width: str) -> None:
        self.width, self.height, self.key = width, data.heights[width], data.key(params)
        self.file = DataFile(data.files[data.file(params, width)])

    def step(self, number: int, label: str = "", *, beat: int = -1, rails: bool = False) -> Markup:
        """The picture of a step, counted from 1, at its last beat or at `beat`."""
        frame = self.file.frame(self.key, number, beat)
        dots = self.file.rails(self.key, number) if rails else []
        return svg([*frame, *dots], WIDTHS[self.width], self.height, label=label, name=self.width)

    def still(self, number: int, label: str, reach: float) -> Markup:
        """The picture of a step, cut off at the height `reach` (0: whole); marks that start below are left out."""
        reach = min(reach or self.height, self.height)
        frame = [one for one in self.file.frame(self.key, number) if top(one) < reach]
        return svg(frame, WIDTHS[self.width], reach, label=label, name=self.width)

    def beats(self, number: int) -> list[Markup]:
        """The pictures of a step's beats; empty if it has only one."""
        count = self.file.beats(self.key, number)
        return [self.step(number, beat=beat) for beat in range(count)] if count > 1 else []
