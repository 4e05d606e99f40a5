"""Processes of this machine that compute scenes, and are ended where that takes too long or is not wanted any more."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from loom.build.executor import end_group, settle, start_context
from loom.build.pool import URGENT, Job, Pool, TimedOutError, WorkerEndedError
from loom.errors import LoomError, OutOfTime

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

GRACE = 1  # seconds in which a process may say itself where its time went


class _Process:
    """A process, and what it does now."""

    def __init__(self, limit: float) -> None:
        context = start_context()
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, limit), daemon=True)
        with _deaf():
            self.process.start()
        theirs.close()
        self.ticket: Job | None = None
        self.scene = ""  # that it has imported last
        self.deadline = 0.0  # none

    def end(self) -> None:
        end_group(self.process)
        self.connection.close()


class Limited(Pool):
    """As many processes as there are jobs, and one for urgent work.

    `limit` is in seconds for what they do between two things that they say.
    """

    def __init__(self, jobs: int, limit: float) -> None:
        super().__init__()
        self.jobs, self.limit = jobs, limit
        self._processes: list[_Process] = []

    def warm(self) -> None:
        """Start all processes, and let them import what scenes need: the first piece of work is done sooner."""
        for _ in range(self.jobs + 1):
            self.submit(URGENT, _get_ready)
        self.poll(0)

    def poll(self, seconds: float) -> None:
        from multiprocessing.connection import wait

        self._hand_out()
        busy = {one.connection: one for one in self._processes if one.ticket}
        if not busy:
            return
        deadlines = [one.deadline for one in busy.values() if one.deadline]
        patience = min([seconds, *(max(0, deadline - time.monotonic()) for deadline in deadlines)])
        for connection in wait(list(busy), patience):
            self._read(busy[connection])
        for one in busy.values():
            if one.ticket and one.deadline and one.deadline <= time.monotonic():
                self._lost(one, TimedOutError())

    def clear(self) -> None:
        super().clear()
        for one in [one for one in self._processes if one.ticket]:
            self._processes.remove(one)
            one.end()

    def close(self) -> None:
        super().close()
        for one in self._processes:
            one.end()
        self._processes.clear()

    def _hand_out(self) -> None:
        """Give work to everybody who has none, and start processes for more."""
        while self._busy() < self.jobs + self._is_urgent():
            idle = next((one for one in self._processes if not one.ticket), None)
            others = {one.scene for one in self._processes if one is not idle}
            if not (ticket := self.next(idle.scene if idle else "", others)):
                return
            if not idle:
                self._processes.append(idle := _Process(self.limit))
            idle.ticket, idle.deadline, idle.scene = ticket, 0.0, ticket.about or idle.scene
            try:
                idle.connection.send((ticket.work, ticket.arguments))
            except OSError:
                self._lost(idle, WorkerEndedError())

    def _busy(self) -> int:
        return sum(bool(one.ticket) for one in self._processes)

    def _is_urgent(self) -> bool:
        """Whether somebody waits for what comes next: it gets a process more, for others may take long."""
        return bool(self._waiting) and self._waiting[0][0] == URGENT

    def _read(self, one: _Process) -> None:
        """Hear what a process says."""
        ticket = one.ticket
        assert ticket
        try:
            kind, *rest = one.connection.recv()
        except (EOFError, OSError):
            self._lost(one, WorkerEndedError())
            return
        if kind == "at":
            ticket.said = rest[0]
            one.deadline = time.monotonic() + self.limit + GRACE if self.limit else 0.0
            self.hear(ticket)
        else:
            one.ticket = None
            ticket.finish(*rest)

    def _lost(self, one: _Process, error: Exception) -> None:
        """A process has ended, or is to be ended; others take its place when there is more to do."""
        ticket, one.ticket = one.ticket, None
        self._processes.remove(one)
        one.end()
        if ticket:
            ticket.finish(None, error)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """A process that starts hears no Ctrl+C before it has been told that this is not for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, limit: float) -> None:
    """Do what is asked for, one piece after the other, until nobody asks any more."""
    settle(leads=True)

    def late(*_: object) -> None:
        raise OutOfTime(limit)

    def tell(where: str) -> None:
        signal.setitimer(signal.ITIMER_REAL, limit)
        connection.send(("at", where))

    signal.signal(signal.SIGALRM, late)
    with contextlib.suppress(EOFError, OSError):
        while True:
            work, arguments = connection.recv()
            connection.send(("done", *_outcome(work, arguments, tell)))


def _get_ready(tell: Callable[[str], None]) -> None:
    with contextlib.suppress(ImportError):
        import numpy as np  # noqa: F401

        import loom.build.scene_work  # noqa: F401


def _outcome(
    work: Callable[..., Any], arguments: tuple[Any, ...], tell: Callable[[str], None]
) -> tuple[Any, Exception | None]:
    """A result, or what was raised instead; a bug of Loom brings its traceback."""
    import pickle

    try:
        try:
            return work(*arguments, tell=tell), None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except LoomError as error:
        return None, error
    except OutOfTime:
        return None, TimedOutError()
    except BaseException as error:  # noqa: BLE001 - raised again by who asked for the work; no Ctrl+C comes here
        text = traceback.format_exc()
        with contextlib.suppress(Exception):
            error.add_note(text)
            pickle.dumps(error)
            if isinstance(error, Exception):
                return None, error
        return None, RuntimeError(text)


def time_limit(seconds: float) -> float | None:
    """The limit that was asked for; none under a debugger, which halts work for as long as somebody looks at it."""
    tools = getattr(sys, "monitoring", None)  # from Python 3.12 on
    watched = sys.gettrace() or threading.gettrace() or (tools and tools.get_tool(tools.DEBUGGER_ID))
    return None if watched or not seconds else seconds
