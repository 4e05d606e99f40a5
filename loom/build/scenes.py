"""The scenes that a site needs: recalled from the store, or computed now; for a preview, only their opening states.

- What the store lacks is computed by missing_scenes.py, which is only imported for it: it needs all that draws scenes.
- A whole build makes a `SceneComputation` of each missing scene (computing.py). It submits jobs in stages: the first
  variant, the others in batches, the packing of the files; each stage begins when the jobs of the last are done.
- A preview makes a `PartialScene` (preview.py), which submits a job for each variant that a page or a browser asks for.
- The pool (pool.py, process_pool.py) gives the jobs to processes, the most urgent first. Nothing runs beside this
  thread but these processes: callbacks of finished jobs run inside `poll`, on this thread.
- What the processes do is in scene_work.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from loom.build.engine import Engine, Session, Trace
from loom.build.executor import Workers
from loom.build.files import Files, loom_version
from loom.build.process_pool import scene_pool
from loom.build.store import Store
from loom.content.blocks import Embed
from loom.errors import Problem
from loom.options import Options
from loom.progress import ProgressEvent, Stage, ignore_progress
from loom.scenes.discover import scene_folders, twin_folders
from loom.scenes.results import KnownScene, SceneSummary

if TYPE_CHECKING:
    from loom.build.missing_scenes import MissingScenes


@dataclass(frozen=True)
class SceneRequest:
    """Which scenes are needed (None: all). With `openings`, only these states are computed of those not in the store.

    With `others`, the site's remaining scenes are imported, to find mistakes in them.
    """

    names: Collection[str] | None = None
    openings: Sequence[Embed] | None = None
    others: bool = True


def gather_scenes(session: Session, wanted: SceneRequest) -> tuple[dict[str, KnownScene], list[Problem]]:
    """The wanted scenes, and the problems of all.

    Of a site's own scenes those that are not needed are imported, too, to find mistakes; of Loom's they are not.
    """
    options, engine = session.options, session.engine
    engine.answer("file", session.files.digest)
    engine.answer("names", session.files.names)
    engine.answer("modules", session.files.modules)
    folders = scene_folders(options.scenes)
    needed = [name for name in folders if wanted.names is None or name in wanted.names]
    found: dict[str, KnownScene] = {}
    for made in engine.recall([f"scene {name}" for name in needed], SceneSummary):
        known = found[made.result.info.id] = KnownScene(made.result, partial(_results, session, made))
        session.on_progress(ProgressEvent(Stage.SCENE_KNOWN, known.id))
    problems = list(twin_folders(options.scenes))
    if unchecked := _unchecked(session, set(folders) - set(needed)) if wanted.others else []:
        problems += _missing(session).check_imports(unchecked)
    if missing := [name for name in needed if name not in found]:
        work = _missing(session)
        more, wrong = work.compute(missing) if wanted.openings is None else work.preview(missing, wanted.openings)
        found |= more
        problems += wrong
    return {name: found[name] for name in needed if name in found}, problems


def _unchecked(session: Session, names: Collection[str]) -> list[str]:
    """Which of the site's own scenes are not known to be importable."""
    own = session.options.scenes.parent == session.options.root
    tasks = {f"import {name}": name for name in sorted(names) if own}
    good = {made.task for made in session.engine.recall(tasks, bool)}
    return [name for task, name in tasks.items() if task not in good]


def _results(session: Session, made: Trace[SceneSummary]) -> bytes:
    """The results of a stored scene; computed again if the store has lost them."""
    return made.files() or _missing(session).results(made)


def _missing(session: Session) -> MissingScenes:
    from loom.build.missing_scenes import MissingScenes

    return MissingScenes(session)


def compute_all(options: Options, names: Collection[str] | None = None) -> tuple[dict[str, KnownScene], list[Problem]]:
    """Compute scenes of a site without its pages: the named ones, or all."""
    engine = Engine(Store(options.cache) if options.cache else None, loom_version())
    with Workers(options.jobs, options.executor) as workers:
        pool = scene_pool(options, workers)
        try:
            session = Session(options, engine, workers, pool, Files(options.root), ignore_progress)
            return gather_scenes(session, SceneRequest(names, others=False))
        finally:
            pool.close()
            engine.flush()
