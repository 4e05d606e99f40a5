"""The scenes that a site needs: known from before, or computed now; or, for a first look, shown before they are."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from loom.build.computing import SceneJob, outcome, reads_of, scene_pool, still_holds
from loom.build.engine import Engine, Trace
from loom.build.executor import Workers
from loom.build.files import Files, loom_version
from loom.build.pool import FIRST, Job
from loom.build.preview import PartialScene
from loom.build.scene_work import Part, SceneRef, look_at, open_scene, scene_numbers
from loom.build.session import Session
from loom.build.store import Store
from loom.content.blocks import Embed
from loom.digest import digest
from loom.errors import LoomError, Problem
from loom.options import Options
from loom.scenes.discover import discover, scene_folders
from loom.scenes.summary import KnownScene, SceneSummary

TICK = 0.05  # seconds after which it is seen whether anybody still wants the work


@dataclass(frozen=True)
class Wanted:
    """Which scenes are needed (None: all). With `openings`, only these states of those that are not known yet.

    `others` lets the scenes that are not needed be looked at.
    """

    names: Collection[str] | None = None
    openings: Sequence[Embed] | None = None
    others: bool = True


class Scenes:
    """Looks scenes up, or lets them be computed, in one build."""

    def __init__(self, session: Session) -> None:
        self.options, self.engine, self.pool = session.options, session.engine, session.pool
        self.on_progress, files = session.on_progress, session.files
        self.turn = os.urandom(8).hex()  # no worker, wherever it is, takes a scene of another build for one of this
        self.folders = scene_folders(self.options.scenes)
        self.jobs: dict[str, SceneJob] = {}
        self.engine.answer("file", files.digest)
        self.engine.answer("names", files.names)
        self.engine.answer("modules", files.modules)

    def gather(self, wanted: Wanted) -> tuple[dict[str, KnownScene], list[Problem]]:
        """The wanted scenes, and what is wrong with any.

        A site's own scenes are all looked at, for their author's sake; of others' only those that are wanted.
        """
        needed = [name for name in self.folders if wanted.names is None or name in wanted.names]
        found: dict[str, KnownScene] = {}
        for made in self.engine.recall([f"scene {name}" for name in needed], SceneSummary):
            known = found[made.result.info.id] = KnownScene(made.result, partial(self.results, made))
            self.on_progress(f"recall scene {known.id}")
        problems = discover(self.options.scenes, ())[1]  # folders that are the same scene
        missing = [name for name in needed if name not in found]
        own = self.options.scenes.parent == self.options.root and wanted.others
        problems += self._look([name for name in self.folders if own and name not in needed])
        more, wrong = self._compute(missing) if wanted.openings is None else self._open(missing, wanted.openings)
        found |= more
        return {name: found[name] for name in needed if name in found}, [*problems, *wrong]

    def hear(self, ticket: Job) -> None:
        """Work has come to its next part: somebody may not want it any more."""
        self.on_progress("alive")

    def results(self, made: Trace[SceneSummary]) -> bytes:
        """The results of a scene that is known: from the store, or computed again if it has lost them."""
        return made.files() or self._finished(made.result.info.id).encoded

    def _place(self, name: str) -> SceneRef:
        return SceneRef(name, str(self.folders[name]), str(self.options.scenes), self.turn)

    def _look(self, names: Sequence[str]) -> list[Problem]:
        """What is wrong with scenes that no page shows, as far as that is seen when they are imported."""
        good = {made.task for made in self.engine.recall([f"look {name}" for name in names], bool)}
        places = [self._place(name) for name in names if f"look {name}" not in good]
        problems: list[Problem] = []
        for place, ticket in [(place, self.pool.submit((FIRST,), look_at, place)) for place in places]:
            self.pool.wait(ticket)
            try:
                notes = outcome(ticket, place, self.options.scene_timeout)
            except LoomError as error:
                problems += error.problems
            else:
                reads = reads_of([notes], self.options.root, self.engine)
                if still_holds([notes], reads, self.engine):
                    self.engine.keep(f"look {place.name}", reads, True)
        return problems

    def _compute(self, names: Sequence[str]) -> tuple[dict[str, KnownScene], list[Problem]]:
        """Scenes that are not known, whole."""
        for name in names:
            self._begin(name)
        found: dict[str, KnownScene] = {}
        problems: list[Problem] = []
        for name in names:
            try:
                found[name] = self._finished(name)
                self.on_progress(f"scene {name} ({len(found[name].summary.steps)} variants)")
            except LoomError as error:
                problems += error.problems
        return found, problems

    def _begin(self, name: str) -> SceneJob:
        job = self.jobs[name] = SceneJob(self._place(name), len(self.jobs), self.pool, self.options)
        return job

    def _finished(self, name: str) -> KnownScene:
        """A scene's results, kept if every file that they were made of is still the same."""
        job = self.jobs.get(name) or self._begin(name)
        while not job.over:
            self.on_progress(f"computing {name} {job.done}/{job.count}" if job.count else f"computing {name}")
            self.pool.poll(TICK)
        del self.jobs[name]
        if job.error:
            raise job.error
        assert job.result
        summary, raw = job.result
        reads = reads_of(job.notes, self.options.root, self.engine)
        if still_holds(job.notes, reads, self.engine):
            return KnownScene(summary, self.engine.keep(f"scene {name}", reads, summary, raw).files)
        return KnownScene(summary, lambda: raw)

    def _open(self, names: Sequence[str], openings: Sequence[Embed]) -> tuple[dict[str, KnownScene], list[Problem]]:
        """Scenes that are not known, in the states that pages open them in."""
        found: dict[str, KnownScene] = {}

        def opened(place: SceneRef, ticket: Job) -> None:
            part: Part = outcome(ticket, place, self.options.scene_timeout)
            read = sorted(part.notes.files.items())
            identity = digest(self.turn.encode(), *(raw for _, raw in read))
            embeds = [one for one in openings if one.scene == place.name]
            steps = [int(one.options["step"][0]) for one in embeds if one.options.get("step", ("",))[0].isdecimal()]
            known = found[place.name] = PartialScene(place, part.result, steps, identity, self.pool, self.options)
            for places in sorted({known.info.places(known.read(one.pairs)[0]) for one in embeds}):
                known.sketch(places)

        under_way = [self.pool.submit((FIRST,), open_scene, place, then=partial(opened, place))
                     for place in map(self._place, names)]  # fmt: skip
        for ticket in under_way:
            self.pool.wait(ticket)
        return found, []


def compute_all(options: Options, names: Collection[str] | None = None) -> tuple[dict[str, KnownScene], list[Problem]]:
    """Scenes of a site without its pages: those that are named, or every one."""
    engine = Engine(Store(options.cache) if options.cache else None, loom_version())
    with Workers(options.jobs, options.executor) as workers:
        pool = scene_pool(options, workers)
        try:
            session = Session(options, engine, workers, pool, Files(options.root), lambda _: None)
            return Scenes(session).gather(Wanted(names, others=False))
        finally:
            pool.close()
            engine.flush()


def numbers_of(options: Options, name: str, pairs: list[str]) -> dict[str, Any]:
    """The table and the values of one choice of a scene's parameters."""
    folder = scene_folders(options.scenes).get(name, options.scenes / name)
    place = SceneRef(name, str(folder), str(options.scenes))
    with Workers(1) as workers:
        pool = scene_pool(options, workers)
        try:
            pool.wait(ticket := pool.submit((FIRST,), scene_numbers, place, str(options.root), pairs))
            found: dict[str, Any] = outcome(ticket, place, options.scene_timeout)
            return found
        finally:
            pool.close()
