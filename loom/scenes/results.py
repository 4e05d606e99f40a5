"""The results of a computed scene as plain data, which can be stored, sent, and read without the scene's code."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from loom.scene import Value
from loom.scenes.info import SceneInfo


class Variant(Struct, frozen=True, gc=False):
    """The results of one choice of parameters: the narration of each step, the data table, the values."""

    say: tuple[int, ...]  # indices into the scene's words
    rows: tuple[tuple[int | float | str, ...], ...]
    values: dict[str, Value]


def encoded(variant: Variant) -> Raw:
    """A variant, encoded."""
    return Raw(msgspec.msgpack.encode(variant))


class SceneData(Struct, frozen=True):
    """A computed scene.

    `variants` have the indices of their parameters' values as keys: `0.2.1`. They are decoded on demand, see `named`: a
    page shows a few of hundreds. `heights` are those of the stage by width, the same for all states. `file_starts` are
    for each width the numbers of the first variants of the files, in order. `files` are what the player fetches.
    `reads` is whether any mark has a read-out, `measured` whether any is measured and not modelled, `plays` whether any
    variant has more than one picture.
    """

    info: SceneInfo
    words: tuple[str, ...]
    variants: dict[str, Raw]
    heights: dict[str, float]
    file_starts: dict[str, tuple[int, ...]]
    files: dict[str, bytes]
    reads: bool = False
    measured: bool = False
    plays: bool = True

    def key(self, params: Mapping[str, str]) -> str:
        """The key of the variant of some parameters; those that are not named have their defaults."""
        return self.info.key(params)

    def named(self, key: str) -> Variant:
        """The variant with a key."""
        return msgspec.msgpack.decode(self.variants[key], type=Variant)

    def variant(self, params: Mapping[str, str]) -> Variant:
        """The variant of some parameters."""
        return self.named(self.key(params))

    def say(self, params: Mapping[str, str]) -> list[str]:
        """The narration of each step."""
        return [self.words[index] for index in self.variant(params).say]

    def values(self, params: Mapping[str, str]) -> Mapping[str, Value]:
        """The values that prose may quote."""
        return self.variant(params).values

    def file(self, params: Mapping[str, str], width: str) -> str:
        """The name of the file that holds the variant's frames at a width. The player finds it in the same way."""
        number = self.info.number(self.info.indices(params))
        return file_name(max(first for first in self.file_starts[width] if first <= number), width)

    @property
    def longest(self) -> str:
        """The longest narration of a step."""
        return max(self.words, key=len)


def file_name(first: int, width: str) -> str:
    """The name of the data file that begins with the variant number `first`."""
    return f"{first}.{width}.json"
