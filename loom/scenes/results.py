"""A computed scene as plain data, which can be stored, sent, and read without the scene's code.

Its summary is always in memory, its results are loaded on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec
from msgspec import Raw, Struct

from loom.model import Output
from loom.scene import Value
from loom.scenes.info import SceneInfo
from loom.scenes.parameters import Wrong, read_params

# Fields that are not SVG attributes: text, parameters set by pressing, rail of a handle, label for either, read-out.
LETTERS = ("w", "s", "h", "l", "t")
PLACE = {"x": "X", "y": "Y"}  # where the player puts a text, or the origin of a path, by `translate`


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
    `reads` is whether any mark has a read-out, `measured` whether any is measured and not modelled, `scaled` whether
    any has a colour of the scales, `plays` whether any variant has more than one picture. `cycle` has the keys of marks
    that lie over each other in one variant and under each other in another.
    """

    info: SceneInfo
    words: tuple[str, ...]
    variants: dict[str, Raw]
    heights: dict[str, float]
    file_starts: dict[str, tuple[int, ...]]
    files: dict[str, bytes]
    reads: bool = False
    measured: bool = False
    scaled: bool = False
    plays: bool = True
    cycle: tuple[str, ...] = ()

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


class SceneSummary(Struct, frozen=True):
    """The part of a scene that is always in memory: its description, and a digest of its results.

    `steps` are the numbers of steps by variant, `folder` is where its files lie in the site, `manifest` has their
    digests. `scaled` is whether any mark has a colour of the scales.
    """

    info: SceneInfo
    steps: dict[str, int]
    digest: bytes
    folder: str
    manifest: dict[str, bytes]
    scaled: bool


class KnownScene:
    """A computed scene. `load` gives its encoded results; they are not pickled with it, but sent to workers apart."""

    partial = False  # whether variants are only computed on demand, see loom.build.preview

    def __init__(self, summary: SceneSummary, load: Callable[[], bytes | None]) -> None:
        self.summary, self._load = summary, load
        self._data: SceneData | None = None

    def __getstate__(self) -> SceneSummary:
        return self.summary

    def __setstate__(self, summary: SceneSummary) -> None:
        self.summary, self._data = summary, None
        self._load = lambda: None

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def info(self) -> SceneInfo:
        return self.summary.info

    @property
    def encoded(self) -> bytes:
        """The encoded results."""
        raw = self._load()
        return raw if raw else msgspec.msgpack.encode(self.data)

    @property
    def data(self) -> SceneData:
        """The results, decoded at the first access."""
        if self._data is None:
            raw = self._load()
            assert raw, f"the results of scene '{self.id}' are not at hand"
            self.give(raw)
        assert self._data
        return self._data

    def give(self, raw: bytes) -> None:
        """Set the results that were sent apart."""
        self._data = msgspec.msgpack.decode(raw, type=SceneData)

    def at(self, params: Mapping[str, str]) -> SceneData:
        """Results that include the variant of some parameters."""
        return self.data

    @property
    def manifest(self) -> Mapping[str, bytes]:
        """The digests of its files."""
        return self.summary.manifest

    @property
    def has_data(self) -> bool:
        return self._data is not None

    def read_params(
        self, pairs: Iterable[tuple[str, str]], besides: Sequence[str] = ()
    ) -> tuple[dict[str, str], list[Wrong]]:
        """The parameters in some `name=value` pairs, and the mistakes in them."""
        return read_params(self.info, pairs, besides)

    def steps(self, params: Mapping[str, str]) -> int:
        """The number of steps of a variant."""
        return self.summary.steps[self.info.key(params)]

    def values(self, params: Mapping[str, str]) -> Mapping[str, Value]:
        """The values that prose may quote."""
        return self.data.values(params)

    @property
    def output(self) -> Output:
        """The scene's data files by their paths in the site."""
        return {PurePosixPath(self.summary.folder) / name: raw for name, raw in self.data.files.items()}
