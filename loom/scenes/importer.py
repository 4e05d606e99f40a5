"""Import scenes from exactly the bytes that are hashed, and record every file that they read.

Python's own import accepts a `.pyc` by the source's size and its time in seconds, and a source that is hashed after it
was imported may have changed in between. So each time a scene is loaded, its modules are compiled from the bytes whose
digest is recorded; whatever else the scene opens while it runs is recorded as well.
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

from loom.scenes.dependencies import Dependencies, audit_hook, current, is_authored, recorded_stat, resume_recording

PREFIX = "loom_scenes_"


@contextmanager
def one_process() -> Iterator[None]:
    """End a fork of this process that an author's code makes, before it runs any of Loom's code."""
    here = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != here:
            os._exit(1)


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module from its source, never from a compiled file, and writes none."""

    def get_code(self, fullname: str) -> CodeType:
        raw = self.get_data(self.path)
        if current.dependencies:
            path = os.path.abspath(self.path)
            current.dependencies.add(path, raw)
            current.dependencies.packages.add(os.path.dirname(path))
        try:
            code: CodeType = compile(raw, self.path, "exec", dont_inherit=True)
        except SyntaxError as error:
            if not error.filename:  # Python gives no place for a null byte
                error.filename, error.lineno = self.path, raw.count(b"\n", 0, raw.find(b"\0")) + 1
            raise
        return code


class _Finder(importlib.abc.MetaPathFinder):
    """Finds an author's modules while dependencies are recorded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not current.dependencies or fullname.partition(".")[0] in ("loom", "numpy"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if not (spec and spec.origin and spec.origin.endswith(".py") and is_authored(os.path.abspath(spec.origin))):
            return None
        spec.loader = _Loader(fullname, spec.origin)
        spec.cached = None
        return spec


_installed: list[_Finder] = []
loading = threading.Lock()  # held while modules are replaced: all threads share them


@contextmanager
def recording() -> Iterator[Dependencies]:
    """Forget an author's modules, and record what they read when they are imported again."""
    if not _installed:
        _installed.append(_Finder())
        sys.meta_path.insert(0, _installed[0])
        sys.addaudithook(audit_hook)
        os.stat = recorded_stat(os.stat)
    forget()
    dependencies = Dependencies()
    with resume_recording(dependencies):
        yield dependencies


def forget() -> None:
    """Remove an author's modules from `sys.modules`, so that they are imported again."""
    for name in _own_modules():
        del sys.modules[name]
    importlib.invalidate_caches()


@contextmanager
def anew() -> Iterator[None]:
    """Import an author's modules again within the block, and restore the earlier ones afterwards."""
    with loading:
        before = _own_modules()
        forget()
        try:
            yield
        finally:
            forget()
            sys.modules.update(before)


def _own_modules() -> dict[str, ModuleType]:
    """The imported modules that are an author's."""
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.startswith(PREFIX) or isinstance(getattr(getattr(module, "__spec__", None), "loader", None), _Loader)
    }


def package(scenes: Path) -> str:
    """The name under which a folder of scenes is imported.

    Each folder has another name, so that two sites that are built in one process can have scenes of the same name.
    Scenes import their own modules relatively.
    """
    name = PREFIX + hashlib.sha256(os.fsencode(scenes.resolve())).hexdigest()[:12]
    if name not in sys.modules:
        module = ModuleType(name)
        module.__path__ = [str(scenes.resolve())]
        sys.modules[name] = module
    importlib.invalidate_caches()
    return name
