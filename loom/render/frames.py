"""Pictures from the data that the player gets, so that what is shown before it comes can't differ from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any

import msgspec
from markupsafe import Markup

from loom.draw.marks import placed
from loom.draw.svg import Element, svg
from loom.scene import WIDTHS
from loom.scenes.results import SceneData
from loom.scenes.sheet import LETTERS

Row = tuple[int, Element]  # a mark, behind the place of its key in the order of painting


class DataFile:
    """A file as the player gets it. Its shape is told in `loom/scenes/encode.py`."""

    def __init__(self, raw: bytes) -> None:
        self._data: dict[str, Any] = msgspec.json.decode(raw)

    @property
    def keys(self) -> list[str]:
        """The keys of all marks in the order of painting."""
        return list(self._data["keys"])

    def variant(self, key: str) -> dict[str, Any]:
        """What the file holds of a variant."""
        found: dict[str, Any] = self._data["variants"][key]
        return found

    def frame(self, key: str, step: int) -> list[Element]:
        """The marks of a variant at a step, counted from 1; each before those that are painted over it."""
        frame: dict[int, Element] = {}
        told = self.variant(key)
        beats = sum(map(len, told["beats"][:step])) if "beats" in told else step
        for change in told["frames"][:beats]:
            new, gone = (list(accumulate(rows)) for rows in (*change, [], [])[:2])
            for row in gone:
                del frame[self._rows[row][0]]
            frame.update(self._rows[row] for row in new)
        return [frame[place] for place in sorted(frame)]

    @cached_property
    def _rows(self) -> list[Row]:
        return [row for table in self._data["marks"] for row in self._table(*table)]

    def _table(self, tag: str, names: list[str], keys: list[int], *columns: list[Any]) -> Iterator[Row]:
        for key, values in zip(accumulate(keys), zip(*columns, strict=True), strict=True):
            found = dict(zip(names, values, strict=True))
            words = found.pop("w", "")
            shape = {name: value for name, value in found.items() if name not in LETTERS}
            yield key, Element(tag, placed(tag, {**shape, "class": self._data["words"][found["class"]]}), words)


class Pictures:
    """The pictures of one variant at one width."""

    def __init__(self, data: SceneData, params: Mapping[str, str], width: str) -> None:
        self.width, self.height, self.key = width, data.heights[width], data.key(params)
        self.file = DataFile(data.files[data.file(params, width)])

    def step(self, number: int, label: str = "") -> Markup:
        """The picture of a step, counted from 1."""
        frame = self.file.frame(self.key, number)
        return svg(frame, WIDTHS[self.width], self.height, label=label, name=self.width)
