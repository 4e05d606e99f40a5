"""What computing a scene gives, as plain data: it can be kept, sent, and read without the scene's code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Raw, Struct

from loom.quantity import Value
from loom.scenes.info import SceneInfo
from loom.scenes.parameters import Wrong, read_params


class Variant(Struct, frozen=True, gc=False):
    """One choice of parameters: what is said at each step, the data table, the values."""

    say: tuple[int, ...]  # indices into the scene's words
    rows: tuple[tuple[int | float | str, ...], ...]
    values: dict[str, Value]


def encoded(variant: Variant) -> Raw:
    """A variant as it is kept among others."""
    return Raw(msgspec.msgpack.encode(variant))


class SceneData(Struct, frozen=True):
    """A computed scene.

    `variants` are called by the indices of their parameters' values: `0.2.1`. They stay encoded until they are asked
    for, see `named`: a page shows a few of hundreds. `heights` are those of the stage, the
    same for all its states, by width. `file_starts` says for each width which variants share a file: the numbers of the
    first one of each, in order. `files` are what the player fetches. `reads` is whether any mark says its number,
    `measured` whether any was measured and not modelled, `plays` whether any variant has more than one picture.
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

    @property
    def id(self) -> str:
        return self.info.id

    def read(self, pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[Wrong]]:
        """The parameters that some `name=value` texts name, and what is wrong with them."""
        return read_params(self.info, pairs)

    def key(self, params: Mapping[str, str]) -> str:
        """How the variant of some parameters is called; those that are not named are at their start."""
        return self.info.key(params)

    def named(self, key: str) -> Variant:
        """The variant that is called so."""
        return msgspec.msgpack.decode(self.variants[key], type=Variant)

    def variant(self, params: Mapping[str, str]) -> Variant:
        """What some parameters give."""
        return self.named(self.key(params))

    def steps(self, params: Mapping[str, str]) -> int:
        """How many steps some parameters give."""
        return len(self.variant(params).say)

    def say(self, params: Mapping[str, str]) -> list[str]:
        """What is said at each step."""
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
        """The longest sentence that the scene says."""
        return max(self.words, key=len)


def file_name(first: int, width: str) -> str:
    """The data file that begins with a variant."""
    return f"{first}.{width}.json"
