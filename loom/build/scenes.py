"""The scenes that a site needs: found, and computed now or before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from pathlib import Path

from loom.build.executor import Crew, is_broken, worker_ended
from loom.build.work import compute_there
from loom.cache import Cache, scene_key
from loom.errors import Problem, attempt
from loom.scenes.compute import compute_scene, joined, parts
from loom.scenes.discover import Found, discover
from loom.scenes.info import SceneInfo, describe
from loom.scenes.results import SceneData

Say = Callable[[str], None]
Computed = tuple[list[SceneData], list[Problem]]


def gather_scenes(
    folder: Path, wanted: Collection[str] | None, crew: Crew, cache: Path | None, say: Say, *, own: bool = True
) -> tuple[dict[str, SceneData], dict[str, SceneInfo], list[Problem]]:
    """What computing the wanted scenes (None: all) gave, those that could be read only, and what is wrong with any.

    A site's own scenes are all looked at, for their author's sake; of others' only those that are wanted.
    """
    founds, problems = discover(folder, None if own else wanted)
    needed = founds if wanted is None else {name: found for name, found in founds.items() if name in wanted}
    data, failed = compute_all(needed, crew, cache, say)
    known = {one.id: one for one in data}
    lost = {name: describe(name, one.path, one.scene) for name, one in founds.items() if name not in known}
    return known, lost, [*problems, *failed]


def compute_all(founds: Mapping[str, Found], crew: Crew, folder: Path | None, say: Say) -> Computed:
    """Every scene, as it was computed before or computed now; and what went wrong."""
    if not folder:
        return compute_missing(founds, crew, say)
    cache = Cache(folder / "scenes")
    keys = {name: scene_key(found.folder) for name, found in founds.items()}
    known: dict[str, SceneData] = {name: data for name, key in keys.items() if (data := cache.recall(key))}
    for name in known:
        say(f"recall scene {name}")
    missing = {name: found for name, found in founds.items() if name not in known}
    computed, problems = compute_missing(missing, crew, say)
    for data in computed:
        cache.keep(keys[data.id], data)
        known[data.id] = data
    return [known[name] for name in founds if name in known], problems


def compute_missing(founds: Mapping[str, Found], crew: Crew, say: Say) -> Computed:
    """Compute scenes, on several cores if there are several, a large one in parts."""
    if crew.alone or not founds:
        return attempt(lambda found: _said(compute_scene(found), say), founds.values())
    futures = {
        name: [crew.executor.submit(compute_there, str(found.folder), name, part) for part in parts(found)]
        for name, found in founds.items()
    }
    try:
        return attempt(lambda name: _said(joined(Future.result, futures[name]), say), founds)
    except Exception as error:
        if not is_broken(error):
            raise
        lost = [name for name, some in futures.items() for one in some if is_broken(one.exception())]
        names = ", ".join(f"scene '{name}'" for name in dict.fromkeys(lost[: crew.jobs]))  # work begins in its order
        raise worker_ended(f"{names} was under way") from error


def _said(data: SceneData, say: Say) -> SceneData:
    say(f"scene {data.id} ({len(data.variants)} variants)")
    return data
