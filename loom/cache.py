"""What was computed before, filed under the hash of everything that it was computed from.

So nothing in it is ever stale, and deleting it changes only the time that a build takes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from loom.paths import PACKAGE

LIMIT = 512_000_000  # bytes of disk; what was used last stays
DIGEST = 32
# What has a hand in computing scenes: `compute`, all that it imports, and the pieces that drawings are made of.
SCENE_MODULES = (
    "draw",
    "errors.py",
    "parameters.py",
    "paths.py",
    "quantity.py",
    "scene.py",
    "scenes",
    "story.py",
    "wording.py",
)


class Cache:
    """A folder of results. It may be shared, damaged or deleted at any time: a result that can't be read is missing."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder, self.limit = folder, limit

    def recall(self, key: str) -> Any:
        """The result filed under `key`; None if there is none, or none that is whole."""
        path = self.folder / key
        try:
            raw = path.read_bytes()
            os.utime(path)  # it was of use: it goes last
        except OSError:
            return None
        if hashlib.sha256(raw[DIGEST:]).digest() != raw[:DIGEST]:
            return None
        return pickle.loads(zlib.decompress(raw[DIGEST:]))

    def keep(self, key: str, result: object) -> None:
        """File a result, whole or not at all."""
        packed = zlib.compress(pickle.dumps(result, pickle.HIGHEST_PROTOCOL), 1)
        fresh = self.folder / f".{key}-{os.getpid()}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(hashlib.sha256(packed).digest() + packed)
            fresh.replace(self.folder / key)
            self._trim()
        except OSError:  # a full or read-only disk costs time, and nothing else
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)

    def _trim(self) -> None:
        """Delete what was not used for longest, until the rest is within the limit."""
        files = sorted(((path.stat(), path) for path in self.folder.iterdir()), key=lambda one: -one[0].st_mtime)
        total = 0
        for stat, path in files:
            total += stat.st_size
            if total > self.limit:
                path.unlink(missing_ok=True)


def made_once(folder: Path | None, name: str, make: Callable[[], Any], *parts: bytes) -> Any:
    """What `make` gives for these parts, or gave before; without a folder to keep it in, it is made anew."""
    if not folder:
        return make()
    digest = hashlib.sha256(own_digest())
    for part in parts:
        digest.update(b"%d " % len(part) + part)
    cache, key = Cache(folder / name), digest.hexdigest()
    known = cache.recall(key)
    if known is None:
        known = make()
        cache.keep(key, known)
    return known


def scene_key(folder: Path) -> str:
    """The hash of all that a scene's results depend on: its files, those that scenes share, Loom, the versions."""
    shared = [path for path in folder.parent.glob("_*") if path.name != "__pycache__"]
    digest = hashlib.sha256(scene_digest())
    for base in (folder, *sorted(shared)):
        _add(digest, base)
    return digest.hexdigest()


@functools.cache
def own_digest() -> bytes:
    """The hash of what every result depends on: Python, its packages, and Loom."""
    digest = hashlib.sha256(repr((platform.python_version(), installed())).encode())
    _add(digest, PACKAGE)
    return digest.digest()


@functools.cache
def scene_digest() -> bytes:
    """The same for scenes, whose results are the work of a few modules only."""
    digest = hashlib.sha256(repr((platform.python_version(), installed())).encode())
    for name in SCENE_MODULES:
        _add(digest, PACKAGE / name)
    return digest.digest()


def installed() -> list[str]:
    """The names and versions of all installed packages, as their folders give them."""
    places = [Path(place) for place in sys.path if place.endswith("site-packages")]
    return sorted(one.name for place in places for one in place.glob("*.dist-info"))


def _add(digest: Any, base: Path) -> None:
    for path in sorted(_files([base])):
        name, raw = os.fsencode(path.relative_to(base.parent)), path.read_bytes()
        digest.update(b"%d %d " % (len(name), len(raw)) + name + raw)


def _files(places: Iterable[Path]) -> Iterator[Path]:
    """Every file that can change a result."""
    for place in places:
        if place.is_dir():
            if place.name != "__pycache__":
                yield from _files(place.iterdir())
        elif not place.name.startswith("test_"):
            yield place
