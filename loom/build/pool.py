"""Where scenes are computed: here, by another executor, or (see process_pool.py) in processes that can be ended."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from loom.build.executor import Workers, is_broken
from loom.errors import LoomError

if TYPE_CHECKING:
    from concurrent.futures import Future

Order = tuple[int, ...]
URGENT: Order = (0,)  # somebody waits for it
FILES, FIRST, REST = 1, 2, 3  # how the order of a scene's work begins: its files, its first variant, all others
AHEAD = 2  # jobs for each of somebody else's workers, so that none of them waits


class WorkerEndedError(Exception):
    """The process has ended before its work was done."""


class TimedOutError(Exception):
    """A part of the work took too long, and could not be stopped but with its process."""


class Job:
    """A function to be called somewhere: for which scene, what it reported last; in the end, what came of it."""

    def __init__(self, order: Order, work: Callable[..., Any], arguments: tuple[Any, ...], scene: str) -> None:
        self.order, self.work, self.arguments, self.scene = order, work, arguments, scene
        self.activity = ""
        self.started = False
        self.done = False
        self.cancelled = False  # nobody wants it any more
        self.on_done: Callable[[Job], None] | None = None
        self._result: Any = None
        self._error: BaseException | None = None

    def outcome(self) -> Any:
        """What the work returned; what it raised is raised here."""
        if self._error:
            raise self._error
        return self._result

    def finish(self, result: Any, error: BaseException | None = None) -> None:
        """It has been done."""
        self.done, self._result, self._error = True, result, error
        if self.on_done:
            self.on_done(self)


class Pool:
    """Jobs that wait, the most urgent first: that whose order is least. `on_report` is called when one reports."""

    def __init__(self) -> None:
        self.on_report: Callable[[Job], None] = lambda _: None
        self._waiting: list[tuple[Order, int, Job]] = []
        self._number = count()

    def submit(
        self, order: Order, work: Callable[..., Any], *arguments: Any, scene: str = "",
        on_done: Callable[[Job], None] | None = None,
    ) -> Job:  # fmt: skip
        """Have `work(*arguments, report=…)` called; then `on_done` is called with the job, while somebody polls.

        `scene` is the one that the work imports: who has imported it does the rest of it sooner than others.
        """
        job = Job(order, work, arguments, scene)
        job.on_done = on_done
        heapq.heappush(self._waiting, (order, next(self._number), job))
        return job

    def next(self, imported: str = "", others: Collection[str] = ()) -> Job | None:
        """The job to be done next: the most urgent one.

        Where nobody waits for it, rather one of the scene that is `imported`, or at least of none of `others`:
        to import a scene, and to run its model, may take as long as to draw it.
        """
        while self._waiting and (self._waiting[0][2].cancelled or self._waiting[0][2].started):
            heapq.heappop(self._waiting)
        if not self._waiting:
            return None
        job = self._waiting[0][2]
        if job.order[0] > FILES and job.scene != imported:
            left = [one for one in sorted(self._waiting) if not (one[2].cancelled or one[2].started)]
            own = (one[2] for one in left if one[2].scene == imported)
            free = (one[2] for one in left if one[2].scene not in others)
            job = next(own, None) or next(free, job)
        job.started = True
        return job

    def poll(self, seconds: float) -> None:
        """Go on for about so long, or until something is done."""
        raise NotImplementedError

    def wait(self, job: Job) -> None:
        """Poll until one job is done."""
        while not job.done:
            self.poll(1)

    def warm(self) -> None:
        """Make ready for work, if that takes time."""

    def clear(self) -> None:
        """Nobody wants any of the jobs any more, also none that is under way."""
        self._waiting.clear()

    def close(self) -> None:
        """End."""
        self.clear()


class InProcessPool(Pool):
    """Does the work in this process, piece by piece: nothing can stop it."""

    _imported = ""  # the scene that was imported last

    def poll(self, seconds: float) -> None:
        if job := self.next(self._imported):
            self._imported = job.scene or self._imported
            self._do(job)

    def _do(self, job: Job) -> None:
        try:
            result = job.work(*job.arguments, report=partial(self._report, job))
        except LoomError as error:
            job.finish(None, error)
        else:
            job.finish(result)

    def _report(self, job: Job, where: str) -> None:
        job.activity = where
        self.on_report(job)


class ExecutorPool(Pool):
    """Gives the work to an executor that somebody else has made."""

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self.workers = workers
        self._under_way: dict[Future[Any], Job] = {}

    def poll(self, seconds: float) -> None:
        from concurrent.futures import FIRST_COMPLETED, wait

        while len(self._under_way) < AHEAD * self.workers.jobs and (job := self.next()):
            try:
                self._under_way[self.workers.executor.submit(job.work, *job.arguments)] = job
            except RuntimeError as error:
                if not is_broken(error):
                    raise
                job.finish(None, WorkerEndedError())
        for future in wait(self._under_way, seconds, FIRST_COMPLETED).done:
            job, failed = self._under_way.pop(future), future.exception()
            job.finish(None if failed else future.result(), WorkerEndedError() if is_broken(failed) else failed)

    def clear(self) -> None:
        super().clear()
        for future in self._under_way:
            future.cancel()
        self._under_way.clear()
