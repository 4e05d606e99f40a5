"""Spread work over processes, or do it here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from loom.errors import LoomError, Problem

Item = TypeVar("Item")
Result = TypeVar("Result")
Factory = Callable[[int], Executor]
WORTH = 40  # items below which starting processes takes longer than the work


class Crew:
    """Workers that are hired when there is enough to do. `factory` makes another executor than processes here."""

    def __init__(self, jobs: int, factory: Factory | None = None) -> None:
        self.jobs, self.factory = jobs, factory
        self._executor: Executor | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._executor:
            self._executor.shutdown(cancel_futures=True)

    @property
    def alone(self) -> bool:
        """Whether there is nobody to give work to."""
        return self.jobs < 2 and not self.factory

    def worth(self, count: int) -> bool:
        """Whether so many items are worth the hiring."""
        return not self.alone and count >= WORTH

    @property
    def executor(self) -> Executor:
        """The workers, hired at the first use."""
        if self._executor is None:
            self._executor = self.factory(self.jobs) if self.factory else ProcessPoolExecutor(self.jobs)
        return self._executor

    def spread(self, work: Callable[..., list[Result]], items: Sequence[Item], *common: Any) -> Iterator[Result]:
        """`work(items, *common)` on chunks of the items; results in the order of the items, as they come."""
        if not self.worth(len(items)):
            yield from work(items, *common)
            return
        size = max(1, -(-len(items) // (4 * self.jobs)))
        chunks = [items[start : start + size] for start in range(0, len(items), size)]
        futures = [self.executor.submit(work, chunk, *common) for chunk in chunks]
        while futures:  # a result that was handed on is not kept
            yield from futures.pop(0).result()


def default_jobs() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_factory(path: str) -> Factory:
    """The factory that `package.module:function` names."""
    import importlib

    module, _, name = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        hint = "write --executor package.module:function"
        raise LoomError(Problem("--executor", 0, 0, f"can't find '{path}': {error}", hint)) from None
    return found  # type: ignore[no-any-return]
