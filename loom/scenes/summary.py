"""A computed scene as the rest of the site knows it: a summary at hand, and its results when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

import msgspec

from loom.model import Output
from loom.quantity import Value
from loom.scenes.info import SceneInfo
from loom.scenes.parameters import Wrong, read_params
from loom.scenes.results import SceneData


class SceneSummary(msgspec.Struct, frozen=True):
    """What is always at hand: what the scene says of itself, its steps, and a digest of everything else.

    `steps` are the numbers of steps by variant, `folder` is where its files lie in the site, and `manifest` has their
    digests.
    """

    info: SceneInfo
    steps: dict[str, int]
    digest: bytes
    folder: str
    manifest: dict[str, bytes]


class KnownScene:
    """`load` gives the encoded results. They do not travel with the scene, which a worker is given apart."""

    partial = False  # whether only some of its variants are computed, those that are asked for

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
        """The results as they are kept and sent."""
        raw = self._load()
        return raw if raw else msgspec.msgpack.encode(self.data)

    @property
    def data(self) -> SceneData:
        """All results."""
        if self._data is None:
            raw = self._load()
            assert raw, f"the results of scene '{self.id}' are not at hand"
            self.give(raw)
        assert self._data
        return self._data

    def give(self, raw: bytes) -> None:
        """Take results that were sent apart."""
        self._data = msgspec.msgpack.decode(raw, type=SceneData)

    def at(self, params: Mapping[str, str]) -> SceneData:
        """Results among which are those of some parameters."""
        return self.data

    @property
    def manifest(self) -> Mapping[str, bytes]:
        """The digests of its files."""
        return self.summary.manifest

    @property
    def has_data(self) -> bool:
        return self._data is not None

    def read(self, pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[Wrong]]:
        """The parameters that some `name=value` texts name, and what is wrong with them."""
        return read_params(self.info, pairs)

    def steps(self, params: Mapping[str, str]) -> int:
        """How many steps some parameters give."""
        return self.summary.steps[self.info.key(params)]

    def values(self, params: Mapping[str, str]) -> Mapping[str, Value]:
        """The values that prose may quote."""
        return self.data.values(params)

    @property
    def output(self) -> Output:
        """The scene's files, where they lie in the site."""
        return {PurePosixPath(self.summary.folder) / name: raw for name, raw in self.data.files.items()}
