"""The files that a build reads, each of them once, and the digests of what is in them."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from pathlib import Path

from loom.build.stamps import Stamp, environment, stamp, walk
from loom.digest import MISSING, digest
from loom.paths import PACKAGE, is_ignored


class Files:
    """Digests of files by their paths, below `root` or absolute. A server remembers them for as long as stamps hold."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self._known: dict[str, tuple[Stamp, bytes]] = {}
        self._now: dict[str, bytes] = {}  # in this build

    def begin(self) -> None:
        """A new build: every file may be another."""
        self._now = {}

    def digest(self, name: str) -> bytes:
        """The digest of a file as it is now."""
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
        """Files that were read besides some known ones, and their stamps when they were."""
        paths = {os.path.join(self.root, name): self._known[name][0] for name in self._now}
        return {path: found for path, found in sorted(paths.items()) if path not in known}

    def names(self, name: str) -> bytes:
        """The digest of the names in a folder, without what the system, an editor or Python put there."""
        return digest(*map(os.fsencode, self._listed(name)))

    def modules(self, name: str) -> bytes:
        """The digest of the names in a folder that an import may find: a new one may stand before another."""
        found = (one for one in self._listed(name) if one.endswith((".py", ".so")) or "." not in one)
        return digest(*(os.fsencode(one) for one in found if not one.startswith("test_")))

    def _listed(self, name: str) -> list[str]:
        try:
            found = os.listdir(os.path.join(self.root, name))
        except OSError:
            return []
        return sorted(one for one in found if one != "__pycache__" and not is_ignored(one))


def digest_of_file(path: str) -> bytes:
    """The digest of what is in a file."""
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return MISSING


def loom_version(places: Iterable[str] = (str(PACKAGE),)) -> bytes:
    """The digest of Loom itself, of Python and of its packages: whatever is made is made by them.

    Where Loom lies does not matter: a cache serves a copy of the project, too.
    """
    found = [repr(list(environment().values())).encode()]
    for place in places:
        for path, _ in sorted(walk([place])):
            found += [os.fsencode(os.path.relpath(path, place)), Path(path).read_bytes()]
    return digest(*found)
