"""Pools that compute scenes: in this process or with an executor; process_pool.py has processes that can be killed."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from loom.build.executor import Workers, is_broken
from loom.build.worker import WorkerEndedError
from loom.errors import LoomError

if TYPE_CHECKING:
    from concurrent.futures import Future

Order = tuple[int, ...]
URGENT: Order = (0,)  # a browser or a page waits for it
FILES, FIRST, REST = 1, 2, 3  # the first number of an order: packing files, the first variant of a scene, all others
TICK = 0.05  # seconds between two checks whether the work is still wanted
AHEAD = 2  # jobs submitted per worker of an executor, so that none is idle


class Job:
    """A function call in a pool: its scene, its last report, and in the end its result or exception."""

    def __init__(self, order: Order, work: Callable[..., Any], arguments: tuple[Any, ...], scene: str) -> None:
        self.order, self.work, self.arguments, self.scene = order, work, arguments, scene
        self.activity = ""
        self.done = False
        self.on_done: Callable[[Job], None] | None = None
        self._result: Any = None
        self._error: BaseException | None = None

    def outcome(self) -> Any:
        """The result of the work, or its exception raised."""
        if self._error:
            raise self._error
        return self._result

    def finish(self, result: Any, error: BaseException | None = None) -> None:
        """Set the result or the exception, and call `on_done`."""
        self.done, self._result, self._error = True, result, error
        if self.on_done:
            self.on_done(self)


class Pool:
    """A queue of jobs, the one with the lowest order first.

    `on_report` is called when a job reports its progress, and while it is waited for.
    """

    def __init__(self) -> None:
        self.on_report: Callable[[Job], None] = lambda _: None
        self._waiting: list[tuple[Order, int, Job]] = []  # sorted
        self._number = count()

    def submit(
        self, order: Order, work: Callable[..., Any], *arguments: Any, scene: str = "",
        on_done: Callable[[Job], None] | None = None,
    ) -> Job:  # fmt: skip
        """Queue the call `work(*arguments, report=…)`. `on_done` is called with the job, during a call of `poll`.

        `scene` is the scene that the work imports: a worker that has imported it already is preferred.
        """
        job = Job(order, work, arguments, scene)
        job.on_done = on_done
        insort(self._waiting, (order, next(self._number), job))
        return job

    def next(self, imported: str = "", others: Collection[str] = ()) -> Job | None:
        """The next job for a worker that has `imported` a scene, while `others` have imported other scenes.

        Urgent jobs come first. Otherwise a job of the worker's own scene is preferred, then one of a scene that no
        other worker has: importing a scene and running its model may take as long as drawing it.
        """
        if not self._waiting:
            return None
        chosen = self._waiting[0]
        if chosen[0][0] > FILES and chosen[2].scene != imported:
            own = (one for one in self._waiting if one[2].scene == imported)
            free = (one for one in self._waiting if one[2].scene not in others)
            chosen = next(own, None) or next(free, chosen)
        self._waiting.remove(chosen)
        return chosen[2]

    def cancel(self, jobs: Collection[Job]) -> None:
        """Do none of these jobs that no worker has begun."""
        self._waiting[:] = [one for one in self._waiting if one[2] not in jobs]

    def poll(self, seconds: float) -> None:
        """Run jobs, or wait for them, for up to `seconds` or until one is done."""
        raise NotImplementedError

    def wait(self, job: Job) -> None:
        """Poll until one job is done. `on_report` is called at every tick: it may raise to end the wait."""
        while not job.done:
            self.poll(TICK)
            self.on_report(job)

    def warm(self) -> None:
        """Start processes in advance, if there are any."""

    def clear(self) -> None:
        """Cancel all jobs, also running ones."""
        self._waiting.clear()

    def close(self) -> None:
        """Cancel all jobs, and end all processes."""
        self.clear()


class InProcessPool(Pool):
    """Does the work in this process, one job per poll; it can't be interrupted."""

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
    """Gives the work to the executor of `--executor`."""

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
