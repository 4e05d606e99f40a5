"""The spare: the folder of the site that was replaced last. The next build reuses its folders and files."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from loom.build.stamps import Stamp, is_private, stamp_of

SPARE = "replaced-site"  # lies beside the folder of the store


class Tree:
    """The contents of a folder: the stamps of files by their paths, and the folders, inner ones last."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.files: dict[str, Stamp] = {}
        self.folders: list[str] = []
        waiting = [""]
        while waiting:
            self._scan(waiting.pop(), waiting)

    def _scan(self, inner: str, waiting: list[str]) -> None:
        """List one folder. Symbolic links and other special files, which Loom never writes, are deleted."""
        with os.scandir(os.path.join(self.folder, inner)) as entries:
            for entry in entries:
                path = os.path.join(inner, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    self.folders.append(path)
                    waiting.append(path)
                elif entry.is_file(follow_symlinks=False):
                    self.files[path] = stamp_of(entry.stat(follow_symlinks=False))
                else:
                    os.unlink(entry.path)


def take_spare(spare: Path | None, fresh: Path) -> Tree:
    """Move the spare to `fresh`, or create an empty folder there if there is no spare or it lies on another disk."""
    if spare and _is_ours(spare):
        with contextlib.suppress(OSError):
            spare.rename(fresh)
    fresh.mkdir(exist_ok=True)
    return Tree(fresh)


def keep_spare(old: Path, spare: Path) -> None:
    """Keep a folder as the spare; not if another build has left one meanwhile, or it would be on another disk."""
    with contextlib.suppress(OSError):
        spare.parent.mkdir(parents=True, exist_ok=True)
        old.rename(spare)


def _is_ours(spare: Path) -> bool:
    """Whether it is a folder of this user, which no other user may write to."""
    try:
        found = spare.lstat()
    except OSError:
        return False
    return is_private(found) and stat.S_ISDIR(found.st_mode)
