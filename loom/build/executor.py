"""Distribute work over processes, or do it in this one."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from loom.build.worker import init_worker
from loom.errors import ENDED, AbortedError, LoomError, Problem

if TYPE_CHECKING:  # heavy, and a small build does without it
    from concurrent.futures import Executor
    from multiprocessing.process import BaseProcess

    from loom.options import Factory

Item = TypeVar("Item")
Result = TypeVar("Result")
WORTH = 40  # items: for fewer, starting processes takes longer than the work
CHUNK = 32  # items that are sent to a process at once, at most


class Workers:
    """Processes that are started when there is enough work; `factory` makes another executor instead."""

    def __init__(self, jobs: int, factory: Factory | None = None) -> None:
        self.jobs, self.factory = jobs, factory
        self._executor: Executor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._executor:
            return
        if kind and not issubclass(kind, Exception):  # interrupted: don't wait for running work
            for process in list((getattr(self._executor, "_processes", None) or {}).values()):
                process.kill()
        try:
            self._executor.shutdown(cancel_futures=True)
        except TypeError:  # Dask's executor has no such argument
            self._executor.shutdown(wait=False)
        if is_broken(error):
            raise worker_ended() from error

    def worth(self, count: int) -> bool:
        """Whether `count` items are worth starting workers for."""
        return count >= WORTH and bool(self.jobs > 1 or self.factory)

    @property
    def executor(self) -> Executor:
        """The executor, started at the first use."""
        if self._executor is None:
            self._executor = _start(self.factory or processes, self.jobs)
        return self._executor

    def spread(
        self, work: Callable[..., list[Result]], items: Iterable[Item], count: int, *common: Any
    ) -> Iterator[Result]:
        """Call `work(chunk, *common)` for chunks of the items; yield the results in the order of the items.

        `count` is the number of items. They are read only when their turn comes, so that a large site is never in
        memory as a whole.
        """
        if not self.worth(count):
            for item in items:
                yield from work([item], *common)
            return
        left, size = iter(items), min(CHUNK, -(-count // (4 * self.jobs)))
        chunks = iter(lambda: list(islice(left, size)), [])
        under_way = deque(self.executor.submit(work, chunk, *common) for chunk in islice(chunks, 2 * self.jobs))
        while under_way:
            results = under_way.popleft().result()
            under_way.extend(self.executor.submit(work, chunk, *common) for chunk in islice(chunks, 1))
            yield from results


def processes(jobs: int) -> Executor:
    """Processes on this machine."""
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(jobs, start_context(), initializer=init_worker)


def start_context() -> Any:
    """How processes start. Forking is fastest, but with other threads running it may copy a locked lock."""
    import multiprocessing

    if threading.active_count() == 1 or "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context()
    multiprocessing.set_forkserver_preload(["loom.build.page_work", "loom.build.scene_work", "numpy"])
    return multiprocessing.get_context("forkserver")


def kill_group(process: BaseProcess) -> None:
    """End a worker that leads its process group, and whatever it has started."""
    if process.pid:  # 0 would be the program's own group
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it does not lead a group yet, or is gone
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def is_broken(error: BaseException | None) -> bool:
    """Whether an error says that a worker process has died."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor)


def worker_ended(under_way: str = "", path: str = "build") -> LoomError:
    """The error that a worker process has died; the reason is unknown."""
    message = "a worker process has ended before its work was done" + (f": {under_way}" if under_way else "")
    return AbortedError(Problem(path, 0, 0, message, ENDED))


def default_jobs() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_factory(path: str | None) -> Factory | None:
    """The factory `package.module:function` of `--executor`; None without one."""
    import importlib

    if not path:
        return None
    module, _, name = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except Exception as error:
        hint = "write --executor package.module:function; PYTHONPATH says where else to look for it"
        raise LoomError(Problem("--executor", 0, 0, f"can't import '{path}': {_message(error)}", hint)) from error
    if not callable(found):
        hint = "name a function that takes a number of jobs and returns an executor"
        raise LoomError(Problem("--executor", 0, 0, f"'{path}' is not a function", hint))
    return found  # type: ignore[no-any-return]


def _start(factory: Factory, jobs: int) -> Executor:
    """The executor that a factory makes; LoomError if it fails."""
    try:
        executor = factory(jobs)
    except Exception as error:
        hint = "see that what it needs is installed and running"
        raise LoomError(Problem("--executor", 0, 0, f"no executor could be made: {_message(error)}", hint)) from error
    if not hasattr(executor, "submit"):
        message = f"the function returned a {type(executor).__name__}, which is no executor"
        raise LoomError(Problem("--executor", 0, 0, message, "return a concurrent.futures.Executor"))
    return executor


def _message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
