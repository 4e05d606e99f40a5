"""Compute a single variant of a scene, without the rest of its grid and without a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from loom.build.computing import outcome, scene_pool
from loom.build.executor import Workers
from loom.build.pool import FIRST
from loom.build.scene_work import SceneRef, one_variant, outline_scene, print_variant
from loom.options import Options
from loom.scenes.discover import scene_folder, scene_folders
from loom.scenes.parameters import chosen_params
from loom.scenes.results import SceneData

Work = Callable[..., Any]


def compute_variant(options: Options, name: str, pairs: list[str]) -> tuple[SceneData, dict[str, str]]:
    """The results of the variant that `name=value` texts name, as those of a scene without others; its parameters."""
    ref = SceneRef(name, str(scene_folder(options.scenes, name)))
    with _worker(options, ref) as call:
        info = call(outline_scene).result.info
        params = chosen_params(info, pairs)
        return msgspec.msgpack.decode(call(one_variant, info.indices(params)), type=SceneData), params


def printed_variant(options: Options, name: str, pairs: list[str]) -> dict[str, Any]:
    """The table and the values of one variant, as `loom data` prints them."""
    folder = scene_folders(options.scenes).get(name, options.scenes / name)
    with _worker(options, SceneRef(name, str(folder))) as call:
        found: dict[str, Any] = call(print_variant, str(options.root), pairs)
        return found


@contextmanager
def _worker(options: Options, ref: SceneRef) -> Iterator[Callable[..., Any]]:
    """A function that calls others with the scene, in a process with a time limit."""
    with Workers(1) as workers:
        pool = scene_pool(options, workers)

        def call(work: Work, *given: object) -> Any:
            pool.wait(job := pool.submit((FIRST,), work, ref, *given))
            return outcome(job, ref, options.scene_timeout)

        try:
            yield call
        finally:
            pool.close()
