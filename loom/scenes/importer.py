"""Import scenes from the very bytes that are hashed, and note every file that they read.

Python's own import trusts a compiled file by the source's size and its time in seconds, and whoever hashes a source
after it was imported may hash another text. Here a module is compiled from the bytes whose digest is noted, each time
that a scene is loaded, and what else a scene opens while it works is noted as well.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from loom.paths import PACKAGE

PREFIX = "loom_scenes_"


class Notes:
    """What was read: files with the digests of what was in them, and folders whose names were looked through."""

    def __init__(self, scenes: Path) -> None:
        self.roots = tuple(os.path.realpath(folder) + os.sep for folder in (scenes.parent, scenes))
        self.files: dict[str, bytes] = {}
        self.packages: set[str] = set()  # folders in which modules were looked for
        self.folders: set[str] = set()  # folders whose names the scene itself asked for
        self.changed = False  # whether a file was two different things while it was read

    def covers(self, path: str) -> bool:
        """Whether a file is an author's: in the site's folder, and neither Loom's nor a package's."""
        inside = path.startswith(self.roots) and "site-packages" not in path
        return inside and not path.startswith(str(PACKAGE) + os.sep)

    def note(self, path: str, raw: bytes) -> None:
        """A file was read, and this was in it."""
        found = digest(raw)
        self.changed |= self.files.setdefault(path, found) != found


def digest(raw: bytes) -> bytes:
    """The digest of 16 bytes of what is in a file, as loom.build.engine has it."""
    return hashlib.blake2b(b"%d " % len(raw) + raw, digest_size=16).digest()


class _Active(threading.local):
    """The notes that are being taken in this thread."""

    notes: Notes | None = None
    busy = False


_active = _Active()


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module from its source, never from a compiled file, and writes none."""

    def get_code(self, fullname: str) -> CodeType:
        raw = self.get_data(self.path)
        if _active.notes:
            place = os.path.abspath(self.path)
            _active.notes.note(place, raw)
            _active.notes.packages.add(os.path.dirname(place))
        code: CodeType = compile(raw, self.path, "exec", dont_inherit=True)
        return code


class _Finder(importlib.abc.MetaPathFinder):
    """Finds an author's modules while notes are taken."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not _active.notes or fullname.partition(".")[0] in ("loom", "numpy"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if not (
            spec and spec.origin and spec.origin.endswith(".py") and _active.notes.covers(os.path.abspath(spec.origin))
        ):
            return None
        spec.loader = _Loader(fullname, spec.origin)
        spec.cached = None
        return spec


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what is opened. The hook can't be taken away again; without notes it does nothing."""
    notes = _active.notes
    if notes is None or _active.busy or event not in ("open", "os.listdir", "os.scandir"):
        return
    if sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
        return  # Python looks for a module: see `packages`
    path = arguments[0]
    if not isinstance(path, (str, bytes, os.PathLike)) or (
        event == "open" and set(str(arguments[1] or "")) & set("wax+")
    ):
        return
    _active.busy = True
    try:
        place = os.path.abspath(os.fsdecode(path))
        if notes.covers(place) and not place.endswith((".py", ".pyc")):
            if event == "open":
                notes.note(place, _read(place))
            else:
                notes.folders.add(place)
    finally:
        _active.busy = False


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes() if Path(path).is_file() else b""
    except OSError:
        return b""


_installed: list[_Finder] = []
loading = threading.Lock()  # held while modules are exchanged: they are those of all threads


@contextmanager
def taking_notes(scenes: Path) -> Iterator[Notes]:
    """Import an author's modules anew from here on, and note what they read."""
    if not _installed:
        _installed.append(_Finder())
        sys.meta_path.insert(0, _installed[0])
        sys.addaudithook(_hear)
    forget()
    notes = Notes(scenes)
    with going_on(notes):
        yield notes


@contextmanager
def going_on(notes: Notes) -> Iterator[None]:
    """Note what is read besides, while modules stay as they are."""
    before, _active.notes = _active.notes, notes
    try:
        yield
    finally:
        _active.notes = before


def changed() -> bool:
    """Whether a file was another thing when it was read again: what comes of it is computed once more."""
    return bool(_active.notes and _active.notes.changed)


def forget() -> None:
    """Import an author's modules anew the next time."""
    for name in _own_modules():
        del sys.modules[name]
    importlib.invalidate_caches()


@contextmanager
def anew() -> Iterator[None]:
    """Import an author's modules anew, and have them as they were afterwards."""
    with loading:
        before = _own_modules()
        forget()
        try:
            yield
        finally:
            forget()
            sys.modules.update(before)


def _own_modules() -> dict[str, ModuleType]:
    """The modules of authors that are imported."""
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.startswith(PREFIX) or isinstance(getattr(getattr(module, "__spec__", None), "loader", None), _Loader)
    }


def package(scenes: Path) -> str:
    """The name under which a folder of scenes is imported.

    It differs from folder to folder, so that building another site in the same process can't mix up two scenes
    of the same name; scenes import their own modules relatively.
    """
    name = PREFIX + hashlib.sha256(os.fsencode(scenes.resolve())).hexdigest()[:12]
    if name not in sys.modules:
        module = ModuleType(name)
        module.__path__ = [str(scenes.resolve())]
        sys.modules[name] = module
    importlib.invalidate_caches()
    return name
