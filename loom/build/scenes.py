"""The scenes that a site needs: recalled from the store, or computed now; for a preview, only their opening states.

- A whole build makes a `SceneComputation` of each missing scene (computing.py). It submits jobs in stages: the first
  variant, the others in batches, the packing of the files; each stage begins when the jobs of the last are done.
- A preview makes a `PartialScene` (preview.py), which submits a job for each variant that a page or a browser asks for.
- The pool (pool.py, process_pool.py) gives the jobs to processes, the most urgent first. Nothing runs beside this
  thread but these processes: callbacks of finished jobs run inside `poll`, on this thread.
- What the processes do is in scene_work.py.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from loom.build.computing import SceneComputation, outcome, questions_of, scene_pool, still_holds
from loom.build.engine import Engine, Session, Trace
from loom.build.executor import Workers
from loom.build.files import Files, loom_version
from loom.build.pool import FIRST, TICK, Job
from loom.build.preview import PartialScene
from loom.build.scene_work import Part, SceneRef, import_scene, outline_scene
from loom.build.store import Store
from loom.content.blocks import Embed
from loom.digest import digest
from loom.errors import LoomError, Problem
from loom.options import Options
from loom.progress import ProgressEvent, Stage, ignore_progress
from loom.scenes.discover import scene_folders, twin_folders
from loom.scenes.results import KnownScene, SceneSummary


@dataclass(frozen=True)
class SceneRequest:
    """Which scenes are needed (None: all). With `openings`, only these states are computed of those not in the store.

    With `others`, the site's remaining scenes are imported, to find mistakes in them.
    """

    names: Collection[str] | None = None
    openings: Sequence[Embed] | None = None
    others: bool = True


class Scenes:
    """Recalls or computes the scenes of one build."""

    def __init__(self, session: Session) -> None:
        self.options, self.engine, self.pool = session.options, session.engine, session.pool
        self.on_progress, files = session.on_progress, session.files
        self.generation = os.urandom(8).hex()  # workers import scenes again in each build
        self.folders = scene_folders(self.options.scenes)
        self.computations: dict[str, SceneComputation] = {}
        self.engine.answer("file", files.digest)
        self.engine.answer("names", files.names)
        self.engine.answer("modules", files.modules)

    def gather(self, wanted: SceneRequest) -> tuple[dict[str, KnownScene], list[Problem]]:
        """The wanted scenes, and the problems of all.

        Of a site's own scenes those that are not needed are imported, too, to find mistakes; of Loom's they are not.
        """
        needed = [name for name in self.folders if wanted.names is None or name in wanted.names]
        found: dict[str, KnownScene] = {}
        for made in self.engine.recall([f"scene {name}" for name in needed], SceneSummary):
            known = found[made.result.info.id] = KnownScene(made.result, partial(self.results, made))
            self.on_progress(ProgressEvent(Stage.SCENE_KNOWN, known.id))
        problems = list(twin_folders(self.options.scenes))
        missing = [name for name in needed if name not in found]
        own = self.options.scenes.parent == self.options.root and wanted.others
        problems += self._check_imports([name for name in self.folders if own and name not in needed])
        more, wrong = self._compute(missing) if wanted.openings is None else self._preview(missing, wanted.openings)
        found |= more
        return {name: found[name] for name in needed if name in found}, [*problems, *wrong]

    def on_report(self, job: Job) -> None:
        """Report that the build is alive; whoever listens may raise an exception here to end it."""
        self.on_progress(ProgressEvent(Stage.ALIVE))

    def results(self, made: Trace[SceneSummary]) -> bytes:
        """The results of a stored scene; computed again if the store has lost them, or could not be written."""
        return made.files() or self._finished(made.result.info.id).encoded

    def _ref(self, name: str) -> SceneRef:
        return SceneRef(name, str(self.folders[name]), self.generation)

    def _check_imports(self, names: Sequence[str]) -> list[Problem]:
        """The mistakes that show when scenes that no page needs are imported."""
        good = {made.task for made in self.engine.recall([f"import {name}" for name in names], bool)}
        refs = [self._ref(name) for name in names if f"import {name}" not in good]
        problems: list[Problem] = []
        for ref, job in [(ref, self.pool.submit((FIRST,), import_scene, ref)) for ref in refs]:
            self.pool.wait(job)
            try:
                dependencies = outcome(job, ref, self.options.scene_timeout)
            except LoomError as error:
                problems += error.problems
            else:
                reads = questions_of([dependencies], self.options.root, self.engine)
                if still_holds([dependencies], reads, self.engine):
                    self.engine.keep(f"import {ref.name}", reads, True)
        return problems

    def _compute(self, names: Sequence[str]) -> tuple[dict[str, KnownScene], list[Problem]]:
        """Compute scenes completely."""
        for name in names:
            self._start(name)
        found: dict[str, KnownScene] = {}
        problems: list[Problem] = []
        for name in names:
            try:
                found[name] = self._finished(name)
                count = len(found[name].summary.steps)
                self.on_progress(ProgressEvent(Stage.SCENE_COMPUTED, name, count, count))
            except LoomError as error:
                problems += error.problems
        return found, problems

    def _start(self, name: str) -> SceneComputation:
        found = SceneComputation(self._ref(name), len(self.computations), self.pool, self.options)
        self.computations[name] = found
        return found

    def _finished(self, name: str) -> KnownScene:
        """A scene's results; stored if none of its files has changed meanwhile."""
        work = self.computations.get(name) or self._start(name)
        while not work.finished:
            self.on_progress(ProgressEvent(Stage.SCENE_COMPUTING, name, work.done, work.count))
            self.pool.poll(TICK)
        del self.computations[name]
        if work.error:
            raise work.error
        assert work.result
        summary, raw = work.result
        reads = questions_of(work.dependencies, self.options.root, self.engine)
        if still_holds(work.dependencies, reads, self.engine):
            return KnownScene(summary, partial(self.results, self.engine.keep(f"scene {name}", reads, summary, raw)))
        return KnownScene(summary, lambda: raw)

    def _preview(self, names: Sequence[str], openings: Sequence[Embed]) -> tuple[dict[str, KnownScene], list[Problem]]:
        """Partial scenes, of which only the states in which pages open them are computed."""
        found: dict[str, KnownScene] = {}

        def on_outlined(ref: SceneRef, job: Job) -> None:
            part: Part = outcome(job, ref, self.options.scene_timeout)
            found[ref.name] = self._partial_scene(ref, part, [one for one in openings if one.scene == ref.name])

        refs = map(self._ref, names)
        jobs = [self.pool.submit((FIRST,), outline_scene, ref, on_done=partial(on_outlined, ref)) for ref in refs]
        for job in jobs:
            self.pool.wait(job)
        return found, []

    def _partial_scene(self, ref: SceneRef, outlined: Part, openings: Sequence[Embed]) -> PartialScene:
        """A scene of which the states that pages open it in are being sketched."""
        read = sorted(outlined.dependencies.files.items())
        identity = digest(self.generation.encode(), *(raw for _, raw in read))
        steps = [int(one.options["step"][0]) for one in openings if one.options.get("step", ("",))[0].isdecimal()]
        known = PartialScene(ref, outlined.result, steps, identity, self.pool, self.options)
        for indices in sorted({known.info.indices(known.read_params(one.pairs)[0]) for one in openings}):
            known.sketch(indices)
        return known


def compute_all(options: Options, names: Collection[str] | None = None) -> tuple[dict[str, KnownScene], list[Problem]]:
    """Compute scenes of a site without its pages: the named ones, or all."""
    engine = Engine(Store(options.cache) if options.cache else None, loom_version())
    with Workers(options.jobs, options.executor) as workers:
        pool = scene_pool(options, workers)
        try:
            session = Session(options, engine, workers, pool, Files(options.root), ignore_progress)
            return Scenes(session).gather(SceneRequest(names, others=False))
        finally:
            pool.close()
            engine.flush()
