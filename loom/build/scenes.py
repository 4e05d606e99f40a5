"""The scenes that a site needs: found, and computed now or before."""

from __future__ import annotations

from collections.abc import Collection

from loom.build.engine import Engine
from loom.build.executor import Workers
from loom.errors import Problem, attempt
from loom.options import Options, Say
from loom.scenes.discover import discover
from loom.scenes.importer import forget
from loom.scenes.results import KnownScene
from loom.scenes.run import compute_scene


def gather_scenes(
    options: Options, wanted: Collection[str] | None, engine: Engine, workers: Workers, say: Say, *, own: bool = True
) -> tuple[dict[str, KnownScene], list[Problem]]:
    """The wanted scenes (None: all), and what is wrong with any.

    A site's own scenes are all looked at, for their author's sake; of others' only those that are wanted.
    """
    forget()
    founds, problems = discover(options.scenes, None if own else wanted)
    needed = founds if wanted is None else {name: found for name, found in founds.items() if name in wanted}
    data, failed = attempt(compute_scene, needed.values())
    for one in data:
        say(f"scene {one.id} ({len(one.variants)} variants)")
    return {one.id: KnownScene(founds[one.id], one) for one in data}, [*problems, *failed]
