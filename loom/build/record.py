"""What the last build of a folder read and wrote, so that the next one knows what is left to do.

Only the standard library is imported here: that nothing is to do is known before anything heavy is loaded.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from loom.build.staging import stagings
from loom.paths import OWN, PACKAGE, is_ignored

FORMAT = 2
FRESH, COARSE = 20_000_000, 2_100_000_000  # nanoseconds: a file changed so shortly before could change unseen
Stamp = tuple[int, ...]


def inputs(root: Path) -> dict[str, Stamp]:
    """The stamps of all files that a build may read: the site's, Loom's own, and the packages' versions.

    A file's stamp is its size, its times and its place on the disk; () for one that changed just now, which is
    doubtful and equal to nothing.
    """
    now = time.time_ns()
    found: dict[str, Stamp] = {}
    folders = [os.path.join(base, name) for base in dict.fromkeys([str(root), str(OWN)]) for name in
               ("content", "templates", "static", "scenes")]  # fmt: skip
    for path, stat in _walk([*folders, str(PACKAGE)]):
        # Some disks count time in whole seconds.
        doubtful = now - stat.st_ctime_ns < (FRESH if stat.st_ctime_ns % 1_000_000_000 else COARSE)
        found[path] = () if doubtful else (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    for place in sys.path:
        if place.endswith("site-packages"):
            packages = sorted(hash_of(name) for name in os.listdir(place) if name.endswith(".dist-info"))
            found[place] = (len(packages), *packages)
    found["python"] = sys.version_info[:3]
    return found


def outputs(folder: Path) -> dict[str, Stamp]:
    """The stamps of all files of a built site, by their paths in it."""
    start = len(str(folder)) + 1
    return {path[start:]: (stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in _walk([str(folder)])}


class Ledger:
    """The record of one site's folder, kept in the cache."""

    def __init__(self, cache: Path, root: Path, out: Path, settings: Iterable[Any]) -> None:
        self.root, self.out = root, out.absolute()
        self.settings = [FORMAT, str(root), str(self.out), *map(str, settings)]
        self.path = cache / "ledgers" / f"{hash_of(str(self.settings[1:3])):016x}"

    def read(self) -> dict[str, Any]:
        """The record; empty if there is none for these settings, or none that is whole."""
        try:
            record = marshal.loads(self.path.read_bytes())
        except (OSError, EOFError, ValueError, TypeError):
            return {}
        return record if isinstance(record, dict) and record.get("settings") == self.settings else {}

    def unchanged(self, record: dict[str, Any], now: dict[str, Stamp]) -> bool:
        """Whether everything that was read and written lies there as it was, and no killed build left anything."""
        same = bool(record) and record["inputs"] == now and () not in now.values()
        return same and record["outputs"] == outputs(self.out) and not stagings(self.out.resolve())

    def write(self, read: dict[str, Stamp], written: dict[str, Stamp], lines: list[str], memory: bytes) -> None:
        """Record a build: what it read and wrote, what it says of itself, and what the next one will want to know."""
        record = {"settings": self.settings, "inputs": read, "outputs": written, "lines": lines, "memory": memory}
        fresh = self.path.with_name(f".{self.path.name}-{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(marshal.dumps(record))
            fresh.replace(self.path)
            for left in self.path.parent.glob(f".{self.path.name}-*"):
                left.unlink(missing_ok=True)  # by a build that was killed
        except OSError:
            with contextlib.suppress(OSError):  # a full or read-only disk costs time, and nothing else
                fresh.unlink(missing_ok=True)


def hash_of(text: str) -> int:
    """A number for a text, the same in every process."""
    import zlib

    raw = text.encode()
    return zlib.crc32(raw) << 32 | zlib.adler32(raw)


def _walk(folders: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
    """Every file below the folders, in any order, without what the system, an editor or Python put there."""
    waiting = list(folders)
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if is_ignored(entry.name) or entry.name == "__pycache__":
                        continue
                    if entry.is_dir():
                        waiting.append(entry.path)
                    else:
                        yield entry.path, entry.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
