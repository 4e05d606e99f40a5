"""Scenes that are being computed: the first variant of each, then the rest of its grid in runs, then its files."""

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
from loom.build.process_pool import Limited
from loom.build.scene_work import Part, SceneRef, begin_scene, draw_part, finish_scene
from loom.errors import ENDLESS, AbortedError, LoomError, OutOfTime, Problem
from loom.options import Options
from loom.scenes.compute import runs
from loom.scenes.drawn import first_few
from loom.scenes.notes import Notes
from loom.scenes.summary import SceneSummary

TRIES = 3  # to compute a scene whose files are being edited
RUN = 64  # variants that are drawn together at most: what they share is looked over and encoded once
RUNS = 4  # of a scene for each worker, so that none of them waits for long


def scene_pool(options: Options, workers: Workers) -> Pool:
    """Where scenes are computed."""
    if options.executor:
        return ExecutorPool(workers)
    if options.jobs == 1 and options.scene_timeout is None:
        return InProcessPool()
    return Limited(options.jobs, options.scene_timeout or 0)


def outcome(ticket: Job, place: SceneRef, limit: float | None) -> Any:
    """What came of work for a scene; that it took too long, or that its process has ended, is told as its mistake."""
    try:
        return ticket.outcome()
    except TimedOutError:
        message = f"scene '{place.name}' is not done: {OutOfTime(limit or 0)}{_at(ticket)}"
        raise AbortedError(Problem(place.path, 0, 0, message, ENDLESS)) from None
    except WorkerEndedError as error:
        raise worker_ended(f"scene '{place.name}' was under way{_at(ticket)}", place.path) from error


def _at(ticket: Job) -> str:
    return f" {ticket.said.strip()}" if ticket.said else ""


class SceneJob:
    """A scene on its way. `done` variants of `count` are drawn; 0 of 0 before it is known how many there are."""

    def __init__(self, place: SceneRef, number: int, pool: Pool, options: Options) -> None:
        self.place, self.number, self.pool, self.options = place, number, pool, options
        self.tries = 0
        self.result: tuple[SceneSummary, bytes] | None = None
        self.error: LoomError | None = None
        self.begin()

    def begin(self) -> None:
        """Compute everything, perhaps once more."""
        self.tries += 1
        if self.tries > 1:
            self.place = self.place._replace(turn=f"{self.place.turn}+")  # imported anew
        self.count = self.done = self.left = 0
        self.tickets: list[Job] = []
        self.parts: dict[int, Part] = {}
        self.wrong: dict[int, tuple[Problem, ...]] = {}
        self._submit((FIRST, self.number), self._begun, begin_scene, self.place)

    @property
    def notes(self) -> list[Notes]:
        """What was read."""
        return [part.notes for part in self.parts.values()]

    def _submit(self, order: Order, then: Callable[[Any], None], work: Callable[..., Any], *arguments: Any) -> None:
        def took(ticket: Job) -> None:
            try:
                found = outcome(ticket, self.place, self.options.scene_timeout)
            except LoomError as error:
                then(error)
            else:
                then(found)

        about = "" if order[0] == FILES else self.place.name  # files are made of what was drawn
        self.tickets.append(self.pool.submit(order, work, *arguments, about=about, then=took))

    def _begun(self, found: Part | LoomError) -> None:
        """The first variant is there. If it is wrong, the others are not computed: they would be, too."""
        if isinstance(found, LoomError):
            self.error = found
            return
        self.count, first = found.result
        self.done, self.parts[0] = 1, Part(first, found.notes)
        size = max(1, min(RUN, -(-self.count // (RUNS * self.options.jobs))))
        some = list(runs(self.count, size))
        self.left = len(some)
        for start, end in some:
            then = partial(self._drew, start, end - start)
            self._submit((REST, self.number, start), then, draw_part, self.place, start, end)
        self._end()

    def _drew(self, start: int, count: int, found: Part | LoomError) -> None:
        self.left -= 1
        self.done += count
        if isinstance(found, AbortedError):
            self.error, self.left = found, -1
            for ticket in self.tickets:
                ticket.dropped = True
        elif isinstance(found, LoomError):
            self.wrong[start] = found.problems
        else:
            self.parts[start] = found
        self._end()

    def _end(self) -> None:
        """When all is drawn, put it into files; draw it again if files have changed meanwhile."""
        if self.left:
            return
        if self.wrong:
            self.error = LoomError(*first_few(one for start in sorted(self.wrong) for one in self.wrong[start]))
        elif self.tries < TRIES and not agree(self.notes):
            self.begin()
        else:
            drawn = [self.parts[start].result for start in sorted(self.parts)]
            self._submit((FILES, self.number), self._finished, finish_scene, self.place.name, drawn)

    def _finished(self, found: tuple[SceneSummary, bytes] | LoomError) -> None:
        if isinstance(found, LoomError):
            self.error = found
        else:
            self.result = found

    @property
    def over(self) -> bool:
        """Whether there is nothing left to do."""
        return bool(self.result or self.error)


def agree(everything: Iterable[Notes]) -> bool:
    """Whether all parts were made of the same files."""
    seen: dict[str, bytes] = {}
    return all(
        not notes.changed and all(seen.setdefault(path, found) == found for path, found in notes.files.items())
        for notes in everything
    )


def reads_of(everything: Iterable[Notes], root: Path, engine: Engine) -> dict[Question, bytes]:
    """What scenes read, as questions: files, and the names in folders."""
    start = os.path.realpath(root) + os.sep
    reads: dict[Question, bytes] = {}
    for notes in everything:
        reads |= {("file", path.removeprefix(start)): found for path, found in notes.files.items()}
        for kind, folders in (("modules", notes.packages), ("names", notes.folders)):
            names = [(kind, folder.removeprefix(start)) for folder in folders]
            reads |= {question: engine.ask(*question) for question in names}
    return reads


def still_holds(everything: Iterable[Notes], reads: Mapping[Question, bytes], engine: Engine) -> bool:
    """Whether everything that was read is as it was when it was read."""
    return agree(everything) and all(engine.ask(*question) == found for question, found in reads.items())
