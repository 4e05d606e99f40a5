"""The stamps of files: size, times and inode, which show without reading a file that it is unchanged.

Only the standard library is imported here: that a site is unchanged is found out before anything slow is imported.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from loom.paths import INPUTS, INSTALLED, OWN, PACKAGE, is_ignored

# Nanoseconds: a file that changed this recently could change again without another stamp. COARSE is for disks that
# record whole seconds.
FRESH, COARSE = 20_000_000, 2_100_000_000
GONE = (-1,)
Stamp = tuple[int, ...]


def stamp(path: str, now: int) -> Stamp:
    """Size, times and inode; () for a file that changed just now, whose stamp can't be trusted."""
    try:
        found = os.stat(path)
    except OSError:
        return GONE
    return _stamp(found, now)


def _stamp(found: os.stat_result, now: int) -> Stamp:
    fresh = now - found.st_ctime_ns < (FRESH if found.st_ctime_ns % 1_000_000_000 else COARSE)
    return () if fresh else (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def inputs(root: str, others: Iterable[str] = ()) -> dict[str, Stamp]:
    """The stamps of all files that a build may read: the site's, Loom's own, the packages' versions, and `others`."""
    now = time.time_ns()
    folders = [os.path.join(base, name) for base in dict.fromkeys([root, str(OWN)]) for name in INPUTS]
    found = {path: _stamp(stat, now) for path, stat in walk([*folders, str(PACKAGE)])}
    found |= {path: stamp(path, now) for path in others if path not in found}
    return found | environment()


def environment() -> dict[str, Stamp]:
    """Python and its packages, whose versions every result depends on."""
    from zlib import crc32

    found: dict[str, Stamp] = {"python": sys.version_info[:3]}
    for folder in sys.path:
        if folder.endswith(INSTALLED):
            with contextlib.suppress(OSError):
                packages = filter(_is_package, os.listdir(folder))
                found[folder] = tuple(sorted(crc32(os.fsencode(name)) for name in packages))
    return found


def _is_package(name: str) -> bool:
    return name.endswith((".dist-info", ".pth", ".egg-link"))


class Outputs(NamedTuple):
    """The files of a built site: their stamps by their paths, and the latest change time (ctime) of any.

    Size and modification time can be restored after an edit, the change time can't.
    """

    stamps: dict[str, Stamp]
    touched: int


def outputs(folder: str) -> Outputs:
    """The files of a built site."""
    start, stamps, touched = len(folder) + 1, dict[str, Stamp](), 0
    for path, found in walk([folder], hidden=True):
        stamps[path[start:]] = stamp_of(found)
        touched = max(touched, found.st_ctime_ns)
    return Outputs(stamps, touched)


def stamp_of(found: os.stat_result) -> Stamp:
    """The stamp of a file of a built site: without the change time, it is the same for all hard links."""
    return found.st_size, found.st_mtime_ns, found.st_ino


def is_private(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user, and no other user may write to it."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def walk(folders: Iterable[str], *, hidden: bool = False) -> Iterator[tuple[str, os.stat_result]]:
    """Every file below the folders, in any order, without hidden files, backups of editors and `__pycache__`.

    A broken symbolic link counts as a file, because its target may appear.
    """
    waiting = list(folders)
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except PermissionError:
            if hidden:
                raise
            continue  # the build reports it
        with entries:
            for entry in entries:
                if entry.name == "__pycache__" or (not hidden and is_ignored(entry.name)):
                    continue
                try:
                    if entry.is_dir():
                        waiting.append(entry.path)
                        continue
                    found = _found(entry)
                except OSError:  # deleted meanwhile
                    continue
                yield entry.path, found


def _found(entry: os.DirEntry[str]) -> os.stat_result:
    try:
        return entry.stat()
    except OSError:
        return entry.stat(follow_symlinks=False)


def summary(stamps: Mapping[str, Stamp]) -> str:
    """One hash of many stamps."""
    import hashlib

    listing = "".join([f"{path}\0{stamps[path]}\n" for path in sorted(stamps)])
    return hashlib.blake2b(listing.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
