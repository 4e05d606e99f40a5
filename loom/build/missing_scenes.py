"""The scenes that the store lacks: computed now, or for a preview only their opening states."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from loom.build.computing import SceneComputation, outcome, questions_of, still_holds
from loom.build.engine import Session, Trace
from loom.build.pool import FIRST, TICK, Job
from loom.build.preview import PartialScene
from loom.build.scene_work import Part, SceneRef, import_scene, outline_scene
from loom.content.blocks import Embed
from loom.digest import digest
from loom.errors import LoomError, Problem
from loom.progress import ProgressEvent, Stage
from loom.scenes.discover import scene_folders
from loom.scenes.parameters import DIGITS
from loom.scenes.results import KnownScene, SceneSummary


class MissingScenes:
    """Computes scenes of one build."""

    def __init__(self, session: Session) -> None:
        self.options, self.engine, self.pool = session.options, session.engine, session.pool
        self.on_progress = session.on_progress
        self.generation = os.urandom(8).hex()  # workers import scenes again in each build
        self.folders = scene_folders(self.options.scenes)
        self.computations: dict[str, SceneComputation] = {}

    def results(self, made: Trace[SceneSummary]) -> bytes:
        """The results of a stored scene; computed again if the store has lost them, or could not be written."""
        return made.files() or self._finished(made.result.info.id).encoded

    def _ref(self, name: str) -> SceneRef:
        return SceneRef(name, str(self.folders[name]), self.generation)

    def check_imports(self, names: Sequence[str]) -> list[Problem]:
        """The mistakes that show when scenes are imported."""
        refs = map(self._ref, names)
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

    def compute(self, names: Sequence[str]) -> tuple[dict[str, KnownScene], list[Problem]]:
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

    def preview(self, names: Sequence[str], openings: Sequence[Embed]) -> tuple[dict[str, KnownScene], list[Problem]]:
        """Partial scenes, of which only the states in which pages open them are computed."""
        found: dict[str, KnownScene] = {}

        def on_outlined(ref: SceneRef, job: Job) -> None:
            part: Part = outcome(job, ref, self.options.scene_timeout)
            found[ref.name] = self._partial_scene(ref, part, [one for one in openings if one.scene == ref.name])

        refs = map(self._ref, names)
        jobs = [self.pool.submit((FIRST,), outline_scene, ref, on_done=partial(on_outlined, ref)) for ref in refs]
        for name, job in zip(names, jobs, strict=True):
            self.on_progress(ProgressEvent(Stage.SCENE_COMPUTING, name))  # which may take long, or never end
            self.pool.wait(job)
        return found, []

    def _partial_scene(self, ref: SceneRef, outlined: Part, openings: Sequence[Embed]) -> PartialScene:
        """A scene of which the states that pages open it in are being sketched."""
        read = sorted(outlined.dependencies.files.items())
        identity = digest(self.generation.encode(), *(raw for _, raw in read))
        written = [one.options["step"][0] for one in openings if "step" in one.options]
        steps = [int(text) for text in written if text.isdecimal() and len(text) <= DIGITS]
        known = PartialScene(ref, outlined.result, steps, identity, self.pool, self.options)
        for indices in sorted({known.info.indices(known.read_params(one.pairs)[0]) for one in openings}):
            known.sketch(indices)
        return known
