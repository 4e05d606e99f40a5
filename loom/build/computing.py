"""The stages of computing a scene: its first variant, the rest of its grid in batches, then its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from loom.build.engine import Engine, Question
from loom.build.executor import Workers, worker_ended
from loom.build.pool import (
    FILES,
    FIRST,
    REST,
    ExecutorPool,
    InProcessPool,
    Job,
    Order,
    Pool,
    TimedOutError,
    WorkerEndedError,
)
from loom.build.process_pool import ProcessPool
from loom.build.scene_work import Part, SceneRef, draw_batch, draw_first, pack_scene
from loom.errors import ENDLESS, AbortedError, LoomError, OutOfTime, Problem
from loom.options import Options
from loom.scenes.combine import batches
from loom.scenes.dependencies import Dependencies
from loom.scenes.draw_variants import first_few
from loom.scenes.summary import SceneSummary

TRIES = 3  # attempts at a scene whose files are edited meanwhile
BATCH = 64  # variants in a batch, at most: marks that they share are checked and encoded once
BATCHES_PER_WORKER = 4  # of one scene, so that all workers finish at about the same time


def scene_pool(options: Options, workers: Workers) -> Pool:
    """The pool that computes scenes, as the options ask for."""
    if options.executor:
        return ExecutorPool(workers)
    if options.jobs == 1 and options.scene_timeout is None:
        return InProcessPool()
    return ProcessPool(options.jobs, options.scene_timeout or 0)


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
        self.tries = 0
        self.result: tuple[SceneSummary, bytes] | None = None
        self.error: LoomError | None = None
        self.start()

    def start(self) -> None:
        """Start, or start again after an edit."""
        self.tries += 1
        if self.tries > 1:
            self.ref = self.ref._replace(generation=f"{self.ref.generation}+")  # workers import it again
        self.count = self.done = self.left = 0
        self.jobs: list[Job] = []
        self.parts: dict[int, Part] = {}
        self.wrong: dict[int, tuple[Problem, ...]] = {}
        self._submit((FIRST, self.number), self._first_done, draw_first, self.ref)

    @property
    def dependencies(self) -> list[Dependencies]:
        """The dependencies of its parts."""
        return [part.dependencies for part in self.parts.values()]

    def _submit(self, order: Order, handle: Callable[[Any], None], work: Callable[..., Any], *arguments: Any) -> None:
        def on_done(job: Job) -> None:
            try:
                found = outcome(job, self.ref, self.options.scene_timeout)
            except LoomError as error:
                handle(error)
            else:
                handle(found)

        scene = "" if order[0] == FILES else self.ref.name  # packing files needs no import of the scene
        self.jobs.append(self.pool.submit(order, work, *arguments, scene=scene, on_done=on_done))

    def _first_done(self, found: Part | LoomError) -> None:
        """Submit the batches. After a mistake in the first variant nothing more is computed: all would have it."""
        if isinstance(found, LoomError):
            self.error = found
            return
        self.count, first = found.result
        self.done, self.parts[0] = 1, Part(first, found.dependencies)
        size = max(1, min(BATCH, -(-self.count // (BATCHES_PER_WORKER * self.options.jobs))))
        intervals = list(batches(self.count, size))
        self.left = len(intervals)
        for start, end in intervals:
            handle = partial(self._batch_done, start, end - start)
            self._submit((REST, self.number, start), handle, draw_batch, self.ref, start, end)
        self._continue()

    def _batch_done(self, start: int, count: int, found: Part | LoomError) -> None:
        self.left -= 1
        self.done += count
        if isinstance(found, AbortedError):
            self.error, self.left = found, -1
            for job in self.jobs:
                job.cancelled = True
        elif isinstance(found, LoomError):
            self.wrong[start] = found.problems
        else:
            self.parts[start] = found
        self._continue()

    def _continue(self) -> None:
        """When all batches are drawn, pack the files; start again if the scene's files have changed meanwhile."""
        if self.left:
            return
        if self.wrong:
            self.error = LoomError(*first_few(one for start in sorted(self.wrong) for one in self.wrong[start]))
        elif self.tries < TRIES and not agree(self.dependencies):
            self.start()
        else:
            drawn = [self.parts[start].result for start in sorted(self.parts)]
            self._submit((FILES, self.number), self._files_done, pack_scene, self.ref.name, drawn)

    def _files_done(self, found: tuple[SceneSummary, bytes] | LoomError) -> None:
        if isinstance(found, LoomError):
            self.error = found
        else:
            self.result = found

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        return bool(self.result or self.error)


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
