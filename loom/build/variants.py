"""One choice of a scene's parameters, computed without the rest of its grid and without a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from loom.build.computing import outcome, scene_pool
from loom.build.executor import Workers
from loom.build.pool import FIRST
from loom.build.scene_work import SceneRef, one_variant, open_scene
from loom.errors import LoomError, Problem, suggest
from loom.options import Options
from loom.scenes.discover import scene_folders
from loom.scenes.parameters import read_params
from loom.scenes.results import SceneData

Work = Callable[..., Any]


def variant_of(options: Options, name: str, pairs: list[str]) -> tuple[SceneData, dict[str, str]]:
    """A scene's results as if it had no other variant than the one that `name=value` texts name, and its parameters."""
    folders = scene_folders(options.scenes)
    if name not in folders:
        raise LoomError(Problem("--", 0, 0, f"unknown scene '{name}'", suggest(name, folders)))
    place = SceneRef(name, str(folders[name]), str(options.scenes))
    with _asking(options, place) as ask:
        info = ask(open_scene).result.info
        params, mistakes = read_params(
            info, [(key, value) for key, _, value in (pair.partition("=") for pair in pairs)]
        )
        if mistakes:
            raise LoomError(*(Problem("--set", 0, 0, wrong.message, wrong.hint) for wrong in mistakes))
        return msgspec.msgpack.decode(ask(one_variant, info.places(params)), type=SceneData), params


@contextmanager
def _asking(options: Options, place: SceneRef) -> Iterator[Callable[..., Any]]:
    """Lets a process with a limit of time work at a scene."""
    with Workers(1) as workers:
        pool = scene_pool(options, workers)

        def ask(work: Work, *given: object) -> Any:
            pool.wait(ticket := pool.submit((FIRST,), work, place, *given))
            return outcome(ticket, place, options.scene_timeout)

        try:
            yield ask
        finally:
            pool.close()
