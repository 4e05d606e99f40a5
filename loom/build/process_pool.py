"""Processes that compute scenes, and are killed if that takes too long or is no longer needed."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator

from loom.build.executor import Workers, kill_group, start_context
from loom.build.pool import URGENT, ExecutorPool, InProcessPool, Job, Pool
from loom.build.worker import TimedOutError, WorkerEndedError, do_jobs, warm_up
from loom.options import Options

GRACE = 1  # seconds after the limit in which a process may report by itself at which line it was


class _Process:
    """A process and its current job."""

    def __init__(self, limit: float) -> None:
        context = start_context()
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=do_jobs, args=(theirs, limit), daemon=True)
        with _sigint_blocked():
            self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.scene = ""  # the scene that it imported last
        self.deadline = 0.0  # none

    def end(self) -> None:
        kill_group(self.process)
        self.connection.close()


class ProcessPool(Pool):
    """`size` processes, and one more for urgent jobs.

    `limit` is the time in seconds that a job may take from one report to the next; 0: no limit.
    """

    def __init__(self, size: int, limit: float) -> None:
        super().__init__()
        self.size, self.limit = size, limit
        self._processes: list[_Process] = []

    def warm(self) -> None:
        """Start all processes, and let them import what scenes need, so that the first jobs start faster."""
        for _ in range(self.size + 1):
            self.submit(URGENT, warm_up)
        self.poll(0)

    def poll(self, seconds: float) -> None:
        from multiprocessing.connection import wait

        self._assign()
        busy = {one.connection: one for one in self._processes if one.job}
        if not busy:
            return
        deadlines = [one.deadline for one in busy.values() if one.deadline]
        timeout = min([seconds, *(max(0, deadline - time.monotonic()) for deadline in deadlines)])
        for connection in wait(list(busy), timeout):
            self._read(busy[connection])
        for one in busy.values():
            if one.job and one.deadline and one.deadline <= time.monotonic():
                self._fail(one, TimedOutError())

    def clear(self) -> None:
        super().clear()
        for one in [one for one in self._processes if one.job]:
            self._processes.remove(one)
            one.end()

    def close(self) -> None:
        super().close()
        for one in self._processes:
            one.end()
        self._processes.clear()

    def _assign(self) -> None:
        """Give jobs to idle processes, and start further processes if needed."""
        while self._busy() < self.size + self._is_urgent():
            idle = next((one for one in self._processes if not one.job), None)
            others = {one.scene for one in self._processes if one is not idle}
            if not (job := self.next(idle.scene if idle else "", others)):
                return
            if not idle:
                self._processes.append(idle := _Process(self.limit))
            idle.job, idle.deadline, idle.scene = job, 0.0, job.scene or idle.scene
            try:
                idle.connection.send((job.work, job.arguments))
            except OSError:
                self._fail(idle, WorkerEndedError())

    def _busy(self) -> int:
        return sum(bool(one.job) for one in self._processes)

    def _is_urgent(self) -> bool:
        """Whether the next job is urgent: it may use one process more, because the others may be busy for long."""
        return bool(self._waiting) and self._waiting[0][0] == URGENT

    def _read(self, one: _Process) -> None:
        """Receive what a process sends: a report, or a result."""
        job = one.job
        assert job
        try:
            kind, *rest = one.connection.recv()
        except (EOFError, OSError):
            self._fail(one, WorkerEndedError())
            return
        if kind == "at":
            job.activity = rest[0]
            one.deadline = time.monotonic() + self.limit + GRACE if self.limit else 0.0
            self.on_report(job)
        else:
            one.job = None
            job.finish(*rest)

    def _fail(self, one: _Process, error: Exception) -> None:
        """Remove a process that has died or must be killed; its job fails."""
        job, one.job = one.job, None
        self._processes.remove(one)
        one.end()
        if job:
            job.finish(None, error)


def scene_pool(options: Options, workers: Workers) -> Pool:
    """The pool that computes scenes, as the options ask for."""
    if options.executor:
        return ExecutorPool(workers)
    if options.jobs == 1 and options.scene_timeout is None:
        return InProcessPool()
    return ProcessPool(options.jobs, options.scene_timeout or 0)


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block SIGINT while a process starts, until the process itself ignores the signal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def time_limit(seconds: float) -> float | None:
    """The time limit of the options; None for 0, and under a debugger, which may halt the code at any time."""
    tools = getattr(sys, "monitoring", None)  # from Python 3.12 on
    watched = sys.gettrace() or threading.gettrace() or (tools and tools.get_tool(tools.DEBUGGER_ID))
    return None if watched or not seconds else seconds
