"""A computed scene for the rest of the site: a summary in memory, and its results on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from loom.model import Output
from loom.scene import Value
from loom.scenes.info import SceneInfo
from loom.scenes.parameters import Wrong, read_params
from loom.scenes.results import SceneData


class SceneSummary(msgspec.Struct, frozen=True):
    """The part of a scene that is always in memory: its description, and a digest of its results.

    `steps` are the numbers of steps by variant, `folder` is where its files lie in the site, `manifest` has their
    digests.
    """

    info: SceneInfo
    steps: dict[str, int]
    digest: bytes
    folder: str
    manifest: dict[str, bytes]


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
