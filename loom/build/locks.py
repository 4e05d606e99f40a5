"""File locks against concurrent builds. The system releases those of a killed build."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def folder_lock(folder: Path) -> contextlib.AbstractContextManager[bool]:
    """Wait for the exclusive lock of a folder; yields False where the file system has no locks."""
    return _locked(folder, os.O_RDONLY, lambda fcntl, handle: fcntl.flock(handle, fcntl.LOCK_EX))


def file_lock(file: Path) -> contextlib.AbstractContextManager[bool]:
    """Hold the lock of a file; yields False if another process has it.

    Workers do not inherit a lock of this kind: it is released when this process ends, even if they outlive it.
    """
    return _locked(file, os.O_RDWR, lambda fcntl, handle: fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB))


@contextlib.contextmanager
def _locked(path: Path, flags: int, lock: Callable[[Any, int], None]) -> Iterator[bool]:
    handle = -1
    try:
        import fcntl

        handle = os.open(path, flags)
        lock(fcntl, handle)
        held = True
    except (ImportError, OSError):
        held = False
    try:
        yield held
    finally:
        if handle >= 0:
            os.close(handle)
