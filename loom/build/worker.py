"""What runs in a worker process: it does one job after the other, and ends with its parent."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import traceback
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from loom.errors import LoomError, OutOfTime

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

GC_THRESHOLD = 50_000  # allocations between two runs of the garbage collector, here and in the program itself


class WorkerEndedError(Exception):
    """The process died before its work was done."""


class TimedOutError(Exception):
    """A part of the work exceeded the time limit."""


def init_worker(*, group_leader: bool = False) -> None:
    """Prepare a worker process: it ends when its parent is gone, even if the parent was killed.

    A `group_leader` takes the processes that it starts with it when it ends; forks of it end at once.
    """
    import gc
    from multiprocessing import parent_process

    if group_leader:
        os.setsid()
        os.register_at_fork(after_in_child=partial(os._exit, 1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C, and ends its workers

    gc.freeze()  # keeps the collector from touching pages of memory that are shared with the parent
    gc.set_threshold(GC_THRESHOLD)  # drawing and rendering allocate many small objects, and hardly any cycles

    def end_with_parent() -> None:
        if parent := parent_process():
            parent.join()
            os.killpg(0, signal.SIGKILL) if group_leader else os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def do_jobs(connection: Connection, limit: float) -> None:
    """Do one job after the other until the connection is closed."""
    init_worker(group_leader=True)

    def on_alarm(*_: object) -> None:
        raise OutOfTime(limit)

    def report(where: str) -> None:
        signal.setitimer(signal.ITIMER_REAL, limit)
        connection.send(("at", where))

    signal.signal(signal.SIGALRM, on_alarm)
    with contextlib.suppress(EOFError, OSError):
        while True:
            work, arguments = connection.recv()
            connection.send(("done", *_outcome(work, arguments, report)))


def warm_up(report: Callable[[str], None]) -> None:
    """Import what scenes need, so that the first job starts faster."""
    with contextlib.suppress(ImportError):
        import numpy as np  # noqa: F401

        import loom.build.scene_work  # noqa: F401


def _outcome(
    work: Callable[..., Any], arguments: tuple[Any, ...], report: Callable[[str], None]
) -> tuple[Any, Exception | None]:
    """The result of a job, or its exception; a bug of Loom carries its traceback as a note."""
    import pickle

    try:
        try:
            return work(*arguments, report=report), None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except LoomError as error:
        return None, error
    except OutOfTime:
        return None, TimedOutError()
    except BaseException as error:  # noqa: BLE001 - raised again in the parent; workers ignore Ctrl+C
        text = traceback.format_exc()
        with contextlib.suppress(Exception):
            error.add_note(text)
            pickle.dumps(error)
            if isinstance(error, Exception):
                return None, error
        return None, RuntimeError(text)
