"""Scenes whose variants are computed on demand: `serve` shows them until the whole scene is computed.

They have their own type, and no page that was rendered with one is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

import msgspec
from msgspec.structs import replace

from loom.build.computing import outcome
from loom.build.pool import URGENT, Job, Pool
from loom.build.scene_work import SceneOutline, SceneRef, one_variant, sketch_variant, undrawn_variant
from loom.build.sink import manifest_of
from loom.errors import LoomError
from loom.model import Output
from loom.options import Options
from loom.scene import WIDTHS, Value
from loom.scenes.info import key_text
from loom.scenes.results import KnownScene, SceneData, SceneSummary, Variant, file_name

Indices = tuple[int, ...]


class PartialScene(KnownScene):
    """A scene that computes each variant on demand, and puts it into its own files."""

    partial = True

    def __init__(
        self, ref: SceneRef, opened: SceneOutline, shown: Iterable[int], identity: bytes, pool: Pool, options: Options
    ) -> None:
        self.ref, self.numbers, self.pool, self.options = ref, opened.numbers, pool, options
        self.shown = sorted({opened.info.opening, *opened.info.key_steps, *shown})  # steps that pages have pictures of
        self._complete: dict[Indices, SceneData] = {}
        self._sketch_jobs: dict[Indices, Job] = {}
        self._sketches: dict[Indices, SceneData] = {}
        self._undrawn: dict[Indices, Variant] = {}
        self._numbers_of_files = {file_name(number, width): number for number in self.numbers for width in WIDTHS}
        folder = f"assets/data/{ref.name}.{identity.hex()[:10]}-partial/"
        summary = SceneSummary(opened.info, {}, identity, folder, {}, scaled=True)  # for all that is known yet
        super().__init__(summary, lambda: None)

    def at(self, params: Mapping[str, str]) -> SceneData:
        """One variant, with the steps that pages show; file names are those of a scene with a file per variant."""
        indices = self.info.indices(params)
        if indices not in self._sketch_jobs:
            self.sketch(indices)
        self.pool.wait(self._sketch_jobs[indices])
        data = self._sketches[indices]
        return replace(data, file_starts=dict.fromkeys(data.file_starts, self.numbers))

    def sketch(self, indices: Indices) -> None:
        """Start to compute what pages show of a variant. Its mistakes are raised while the pool is polled."""

        def on_done(job: Job) -> None:
            self._sketches[indices] = msgspec.msgpack.decode(self._outcome(job), type=SceneData)

        job = self.pool.submit(URGENT, sketch_variant, self.ref, indices, self.shown, on_done=on_done)
        self._sketch_jobs[indices] = job

    def ask(self, indices: Indices, failed: Callable[[], None]) -> None:
        """Start to compute a variant completely, for a browser that plays it."""

        def on_done(job: Job) -> None:
            try:
                self._complete[indices] = msgspec.msgpack.decode(self._outcome(job), type=SceneData)
            except LoomError:  # reported by the build, which will compute this variant, too
                failed()

        self.pool.submit(URGENT, one_variant, self.ref, indices, on_done=on_done)

    def _outcome(self, job: Job) -> Any:
        return outcome(job, self.ref, self.options.scene_timeout)

    def _variant(self, params: Mapping[str, str]) -> Variant:
        """The table and values of a variant, without its drawing if that is not there yet."""
        indices = self.info.indices(params)
        if indices in self._sketches:
            return self._sketches[indices].named(key_text(indices))
        if indices not in self._undrawn:
            job = self.pool.submit(URGENT, undrawn_variant, self.ref, indices)
            self.pool.wait(job)
            self._undrawn[indices] = self._outcome(job)
        return self._undrawn[indices]

    def steps(self, params: Mapping[str, str]) -> int:
        return len(self._variant(params).say)

    def values(self, params: Mapping[str, str]) -> Mapping[str, Value]:
        return self._variant(params).values

    @property
    def output(self) -> Output:
        """The files of the computed variants by their paths in the site."""
        return {
            PurePosixPath(self.summary.folder) / file_name(self.info.number(indices), width): data.files[name]
            for indices, data in list(self._complete.items())  # another thread may add to them
            for name in data.files
            for width in [name.split(".")[1]]
        }

    @property
    def manifest(self) -> dict[str, bytes]:
        return manifest_of(self.output)

    def indices_of(self, name: str) -> Indices | None:
        """The indices of the variant that a file would hold; None if there is no such variant."""
        number = self._numbers_of_files.get(name)
        return None if number is None else self.info.indices_of(number)
