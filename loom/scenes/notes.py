"""Note what a scene reads: every file that it opens or looks for, and every folder whose names it asks for."""

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


class Notes:
    """What was read: files with the digests of what was in them, and folders whose names were looked through."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.packages: set[str] = set()  # folders in which modules were looked for
        self.folders: set[str] = set()  # folders whose names the scene itself asked for
        self.changed = False  # whether a file was two different things while it was read

    def note(self, path: str, raw: bytes | None) -> None:
        """A file was read, and this was in it; or it is not there."""
        found = MISSING if raw is None else digest(raw)
        self.changed |= self.files.setdefault(path, found) != found


def covers(path: str) -> bool:
    """Whether a file is an author's, wherever it lies: neither the system's, nor Python's, a package's or Loom's."""
    return not path.startswith(SYSTEMS) and not any(name in path for name in INSTALLED)


class Active(threading.local):
    """The notes that are being taken in this thread."""

    notes: Notes | None = None
    busy = False


active = Active()


def hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what is opened. The hook can't be taken away again; without notes it does nothing."""
    notes = active.notes
    if notes is None or active.busy or event not in ("open", "os.listdir", "os.scandir"):
        return
    if sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
        return  # Python looks for a module: see `packages`
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        return
    _note(arguments[0], listed=event != "open")


def _note(path: object, *, listed: bool) -> None:
    """Note what stands at a path: what is in a file, or the names in a folder."""
    notes = active.notes
    if not notes or not isinstance(path, (str, bytes, os.PathLike)):
        return
    active.busy = True
    try:
        place = Path(os.path.abspath(os.fsdecode(path)))
        if not covers(str(place)) or place.suffix == ".pyc":
            return
        if not listed and not place.is_dir():
            notes.note(str(place), _read(place))
        if listed or not place.is_file():  # what is not there may come to be a folder
            notes.folders.add(str(place))
    finally:
        active.busy = False


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def hearing(look: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
    """Looking whether a file is there is no event that Python tells of, and what a scene does may rest on it."""

    @wraps(look)
    def heard(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
        if active.notes and not active.busy:
            _note(path, listed=False)
        return look(path, *arguments, **named)

    return heard


@contextmanager
def going_on(notes: Notes) -> Iterator[None]:
    """Note what is read besides, while modules stay as they are."""
    before, active.notes = active.notes, notes
    try:
        yield
    finally:
        active.notes = before


def changed() -> bool:
    """Whether a file was another thing when it was read again: what comes of it is computed once more."""
    return bool(active.notes and active.notes.changed)
