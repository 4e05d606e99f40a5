"""The stages of computing a scene: its first variant, the rest of its grid in batches, then its files.

`SceneComputation._compute` is a generator that reads in this order. It submits the jobs of a stage and yields them;
it goes on when the pool has done them all. A scene of 130 variants, with one job at a time, might yield:

    [draw 0]    [draw 1 to 32, draw 33 to 64, draw 65 to 96, draw 97 to 129]    [pack]

Several scenes are computed at the same time: while one waits for its last batch, workers draw those of another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from loom.build.engine import Engine, Question
from loom.build.executor import worker_ended
from loom.build.pool import FILES, FIRST, REST, Job, Order, Pool
from loom.build.scene_work import Part, SceneRef, draw_batch, draw_first, pack_scene
from loom.build.worker import TimedOutError, WorkerEndedError
from loom.errors import ENDLESS, AbortedError, LoomError, OutOfTime, Problem
from loom.options import Options
from loom.scenes.combine import batches
from loom.scenes.dependencies import Dependencies
from loom.scenes.draw_variants import first_few
from loom.scenes.results import SceneSummary

TRIES = 3  # attempts at a scene whose files are edited meanwhile
BATCH = 64  # variants in a batch, at most: marks that they share are checked and encoded once
BATCHES_PER_WORKER = 4  # of one scene, so that all workers finish at about the same time


def outcome(job: Job, ref: SceneRef, limit: float | None) -> Any:
    """The result of a scene's job. A timeout or the end of its process is raised as a mistake of the scene."""
    try:
        return job.outcome()
    except TimedOutError:
        message = f"scene '{ref.name}' is not done: {OutOfTime(limit or 0)}{_at(job)}"
        raise AbortedError(Problem(ref.path, 0, 0, message, ENDLESS)) from None
    except WorkerEndedError as error:
        raise worker_ended(f"scene '{ref.name}' was under way{_at(job)}", ref.path) from error


def _at(job: Job) -> str:
    return f" {job.activity}" if job.activity else ""


class SceneComputation:
    """A scene that is being computed: `done` of `count` variants are drawn; both are 0 until they are counted."""

    def __init__(self, ref: SceneRef, number: int, pool: Pool, options: Options) -> None:
        self.ref, self.number, self.pool, self.options = ref, number, pool, options
        self.count = self.done = 0
        self.dependencies: list[Dependencies] = []
        self.result: tuple[SceneSummary, bytes] | None = None
        self.error: LoomError | None = None
        self._jobs: list[Job] = []  # of the present stage
        self._stages = self._compute()
        self._continue()

    @property
    def finished(self) -> bool:
        """Whether there is a result or an error."""
        return bool(self.result or self.error)

    def _compute(self) -> Generator[list[Job], None, tuple[SceneSummary, bytes]]:
        """Draw the scene, and pack its files; it is drawn again if its files have changed meanwhile."""
        for _ in range(TRIES):
            parts = yield from self._draw()
            self.dependencies = [part.dependencies for part in parts]
            if agree(self.dependencies):
                break
            self.ref = self.ref._replace(generation=f"{self.ref.generation}+")  # workers import it again
        job = self._submit(0, (FILES, self.number), pack_scene, self.ref.name, [part.result for part in parts])
        yield [job]
        found: tuple[SceneSummary, bytes] = self._outcome(job)
        return found

    def _draw(self) -> Generator[list[Job], None, list[Part]]:
        """Draw the first variant, then the others in batches: a mistake of the first is most likely one of all."""
        self.count = self.done = 0
        opening = self._submit(1, (FIRST, self.number), draw_first, self.ref)
        yield [opening]
        (self.count, first), dependencies = self._outcome(opening)
        size = max(1, min(BATCH, -(-self.count // (BATCHES_PER_WORKER * self.options.jobs))))
        jobs = [
            self._submit(end - start, (REST, self.number, start), draw_batch, self.ref, start, end)
            for start, end in batches(self.count, size)
        ]
        yield jobs
        parts = [Part(first, dependencies)]
        problems: list[Problem] = []
        for job in jobs:
            try:
                parts.append(self._outcome(job))
            except LoomError as error:
                problems += error.problems
        if problems:
            raise LoomError(*first_few(problems))
        return parts

    def _submit(self, variants: int, order: Order, work: Callable[..., Any], *arguments: Any) -> Job:
        """Submit a job of the next stage, which draws some variants."""
        scene = "" if order[0] == FILES else self.ref.name  # packing files needs no import of the scene
        return self.pool.submit(order, work, *arguments, scene=scene, on_done=partial(self._job_done, variants))

    def _job_done(self, variants: int, job: Job) -> None:
        self.done += variants
        try:
            self._outcome(job)
        except AbortedError as error:  # nothing more of the scene is tried
            self.error = error
            self.pool.cancel(self._jobs)
        except LoomError:
            pass  # raised again when its stage is complete
        self._continue()

    def _continue(self) -> None:
        """Begin the next stage if all jobs of the present one are done."""
        while not self.finished and all(job.done for job in self._jobs):
            try:
                self._jobs = next(self._stages)
            except StopIteration as end:
                self.result = end.value
            except LoomError as error:
                self.error = error

    def _outcome(self, job: Job) -> Any:
        return outcome(job, self.ref, self.options.scene_timeout)


def agree(everything: Iterable[Dependencies]) -> bool:
    """Whether all parts were made from the same contents of files."""
    seen: dict[str, bytes] = {}
    return all(
        not dependencies.changed
        and all(seen.setdefault(path, found) == found for path, found in dependencies.files.items())
        for dependencies in everything
    )


def questions_of(everything: Iterable[Dependencies], root: Path, engine: Engine) -> dict[Question, bytes]:
    """The dependencies of scenes as questions: the contents of files, and the names in folders."""
    start = os.path.realpath(root) + os.sep
    reads: dict[Question, bytes] = {}
    for one in everything:
        reads |= {("file", path.removeprefix(start)): found for path, found in one.files.items()}
        for kind, folders in (("modules", one.packages), ("names", one.folders)):
            names = [(kind, folder.removeprefix(start)) for folder in folders]
            reads |= {question: engine.ask(*question) for question in names}
    return reads


def still_holds(everything: Iterable[Dependencies], reads: Mapping[Question, bytes], engine: Engine) -> bool:
    """Whether nothing has changed since it was read."""
    return agree(everything) and all(engine.ask(*question) == found for question, found in reads.items())
