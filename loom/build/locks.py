"""Locks against other builds. The system frees those of a build that was killed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def folder_lock(folder: Path) -> contextlib.AbstractContextManager[bool]:
    """Wait until no other build changes what lies in a folder; False where the disk knows no locks."""
    return _locked(folder, os.O_RDONLY, lambda fcntl, handle: fcntl.flock(handle, fcntl.LOCK_EX))


def file_lock(file: Path) -> contextlib.AbstractContextManager[bool]:
    """Hold a file for as long as this process works; False if another one holds it.

    Such a lock is one process's own: workers that outlive it have not inherited it.
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
