"""What a scene depends on: every file that it opens or looks for, and every folder whose names it lists."""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from loom.digest import MISSING, digest
from loom.paths import INSTALLED, PACKAGE

SYSTEM = ("/proc", "/sys", "/usr/lib", "/usr/share", sysconfig.get_path("stdlib"), str(PACKAGE))
SYSTEMS = tuple([folder + os.sep for folder in SYSTEM])


class Dependencies:
    """The files that were read, with the digests of their contents, and the folders that were listed."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.packages: set[str] = set()  # folders in which modules were searched
        self.folders: set[str] = set()  # folders that the scene itself listed
        self.changed = False  # whether a file had two different contents while it was read

    def add(self, path: str, raw: bytes | None) -> None:
        """Record a file and its contents, or None if it does not exist."""
        found = MISSING if raw is None else digest(raw)
        self.changed |= self.files.setdefault(path, found) != found


def is_authored(path: str) -> bool:
    """Whether a file is an author's: it belongs neither to the system, nor to Python, to a package or to Loom."""
    return not path.startswith(SYSTEMS) and not any(name in path for name in INSTALLED)


class Current(threading.local):
    """The recording of this thread."""

    dependencies: Dependencies | None = None
    busy = False


current = Current()


def audit_hook(event: str, arguments: tuple[Any, ...]) -> None:
    """Record what is opened. An audit hook can't be removed; without a recording it does nothing."""
    dependencies = current.dependencies
    if dependencies is None or current.busy or event not in ("open", "os.listdir", "os.scandir"):
        return
    if sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
        return  # the import system looks for a module, see `packages`
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        return
    _record(arguments[0], listed=event != "open")


def _record(path: object, *, listed: bool) -> None:
    """Record the contents of a file, or the names in a folder."""
    dependencies = current.dependencies
    if not dependencies or not isinstance(path, (str, bytes, os.PathLike)):
        return
    current.busy = True
    try:
        file = Path(os.path.abspath(os.fsdecode(path)))
        if not is_authored(str(file)) or file.suffix == ".pyc":
            return
        if not listed and not file.is_dir():
            dependencies.add(str(file), _read(file))
        if listed or not file.is_file():  # a missing path may become a folder
            dependencies.folders.add(str(file))
    finally:
        current.busy = False


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def recorded_stat(original: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
    """`os.stat` with recording: it has no audit event, and a scene may depend on whether a file exists."""

    @wraps(original)
    def stat(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
        if current.dependencies and not current.busy:
            _record(path, listed=False)
        return original(path, *arguments, **named)

    return stat


@contextmanager
def resume_recording(dependencies: Dependencies) -> Iterator[None]:
    """Add further reads to a recording, without importing modules anew."""
    before, current.dependencies = current.dependencies, dependencies
    try:
        yield
    finally:
        current.dependencies = before


def changed() -> bool:
    """Whether a file was read twice with different contents: the results are then computed again."""
    return bool(current.dependencies and current.dependencies.changed)
