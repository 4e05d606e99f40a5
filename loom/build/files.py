"""Digests of the files that a build reads, each of them read once, and in later builds only if it has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from loom.build.stamps import Stamp, environment, stamp, walk
from loom.digest import MISSING, digest
from loom.paths import PACKAGE, is_ignored

Digests = dict[str, tuple[Stamp, bytes]]  # by path, the digest of a file, and the stamp that it had then


class Files:
    """Digests of files by paths, below `root` or absolute. In later builds files with the same stamps are not read."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self._known: Digests = {}
        self._now: dict[str, bytes] = {}  # in this build

    def begin(self, earlier: Mapping[str, tuple[Stamp, bytes]]) -> None:
        """Start a new build, for which every file may have changed since an `earlier` one."""
        self._known = {**earlier, **self._known}
        self._now = {}

    @property
    def digests(self) -> Digests:
        """The digests of this build, for a later one. A file that changed just now will be read again."""
        return {name: self._known[name] for name in self._now if self._known[name][0]}

    def digest(self, name: str) -> bytes:
        """The digest of a file's contents."""
        found = self._now.get(name)
        if found is None:
            path = os.path.join(self.root, name)
            now = stamp(path, time.time_ns())
            known, was = self._known.get(name, ((), b""))
            found = was if now and now == known else digest_of_file(path)
            self._known[name] = now, found
            self._now[name] = found
        return found

    def others(self, known: Collection[str]) -> dict[str, Stamp]:
        """The files that were read besides the `known` ones, with their stamps at that time."""
        paths = {os.path.join(self.root, name): self._known[name][0] for name in self._now}
        return {path: found for path, found in sorted(paths.items()) if path not in known}

    def names(self, name: str) -> bytes:
        """The digest of the names in a folder, without hidden files, backups of editors and `__pycache__`."""
        return digest(*map(os.fsencode, self._listed(name)))

    def modules(self, name: str) -> bytes:
        """The digest of the importable names in a folder: a new module may shadow another one."""
        found = (one for one in self._listed(name) if one.endswith((".py", ".so")) or "." not in one)
        return digest(*(os.fsencode(one) for one in found if not one.startswith("test_")))

    def _listed(self, name: str) -> list[str]:
        try:
            found = os.listdir(os.path.join(self.root, name))
        except OSError:
            return []
        return sorted(one for one in found if one != "__pycache__" and not is_ignored(one))


def digest_of_file(path: str) -> bytes:
    """The digest of a file's contents; MISSING if it can't be read."""
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return MISSING


def loom_version(places: Iterable[str] = (str(PACKAGE),)) -> bytes:
    """The digest of Loom itself, of Python and of the installed packages, on which every result depends.

    It does not depend on where Loom lies, so that a copy of the project can use the same cache.
    """
    found = [repr(list(environment().values())).encode()]
    for place in places:
        for path, _ in sorted(walk([place])):
            found += [os.fsencode(os.path.relpath(path, place)), Path(path).read_bytes()]
    return digest(*found)
