"""The staging folder: a new site is assembled in it, beside the folder that it will replace."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from loom.build.spare import take_spare
from loom.build.stamps import Stamp, stamp_of
from loom.model import Output

MARK = ".loom"  # a file in every folder that Loom wrote: it never replaces a folder without it
SAYS = "This folder is written by Loom, and these files of it are replaced by every build:"
FORMS = (".br", ".gz")  # suffixes of compressed files
NEW, FILES = "new", "files"  # in a staging folder: the new site, and the files that will be moved into it


class Staging:
    """A site that is being written beside the folder that it will replace.

    New files are first written apart. When all files are known, they are assembled with the unchanged ones.
    """

    def __init__(self, root: Path, folder: Path, spare: Path | None) -> None:
        self.root, self.folder, self.spare = root, folder, spare
        self.fresh = root / NEW
        self.new: dict[str, str] = {}  # by path in the site, the place of a new file
        self.taken: list[str] = []
        self.stamps: dict[str, Stamp] = {}  # of every file of the site
        # Whether to replace the folder, given its present stamps; called while the folder is locked.
        self.needed: Callable[[Mapping[str, Stamp]], bool] = lambda _: True

    @property
    def paths(self) -> set[str]:
        """Every file of the site."""
        return self.new.keys() | set(self.taken)

    def write(self, output: Output) -> None:
        """Write some files."""
        for path, raw in output.items():
            self._write(str(path), raw)

    def take(self, paths: Iterable[str]) -> None:
        """Take over files of the folder that will be replaced."""
        self.taken += paths

    def read(self, path: PurePosixPath) -> bytes:
        """A file that was written."""
        return Path(self.new[str(path)]).read_bytes()

    def assemble(self, before: Mapping[str, Stamp]) -> None:
        """Assemble the new folder out of the spare, that is the folder that was replaced last.

        Most of the spare's files are hard links to files of the present folder, whose stamps are `before`. The spare
        may hold anything else, too: files with other stamps are replaced, and files that the site lacks are deleted.
        """
        self._mark()
        tree, start, paths = take_spare(self.spare, self.fresh), f"{self.fresh}/", self.paths
        self.stamps |= {path: before[path] for path in self.taken if path in before}
        missing = [path for path in self.taken if path not in before or tree.files.get(path) != before[path]]
        for path in tree.files.keys() - paths | tree.files.keys() & set(missing):
            os.unlink(start + path)
        needed = folders_of(paths)
        for folder in reversed(tree.folders):
            if folder not in needed:
                os.rmdir(start + folder)
        for folder in sorted(needed.difference(tree.folders)):  # outer ones first
            os.mkdir(start + folder)
        for path, written in self.new.items():
            os.rename(written, start + path)
        for path in missing:
            self.stamps[path] = _link(f"{self.folder}/{path}", start + path)
        self._be_alike()

    def add(self, path: str) -> None:
        """Take over a file that Loom did not write. It is copied, because a link would share later changes."""
        target = self.fresh / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self.folder / path, target, follow_symlinks=False)
        self.stamps[path] = stamp_of(target.stat() if target.exists() else target.lstat())

    def _be_alike(self) -> None:
        """Give the new folder the owner and the permissions of the old one."""
        with contextlib.suppress(FileNotFoundError):
            old, new = self.folder.stat(), self.fresh.stat()
            if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
                with contextlib.suppress(OSError):  # only root may change the owner
                    os.chown(self.fresh, old.st_uid, old.st_gid)
            self.fresh.chmod(stat.S_IMODE(old.st_mode) | stat.S_IRWXU)

    def _mark(self) -> None:
        """Write the mark, with a list of the files that Loom wrote."""
        paths = self.paths
        own = (path for path in paths if not (path.endswith(FORMS) and path[:-3] in paths))
        listed = "".join(f"{path}\n" for path in sorted(own))
        raw = f"{SAYS}\n{listed}".encode(errors="surrogateescape")
        if content_of(self.folder / MARK) == raw:
            self.taken.append(MARK)
        else:
            self._write(MARK, raw)

    def _write(self, path: str, raw: bytes) -> None:
        self.new[path] = target = f"{self.root}/{FILES}/{len(self.new)}"
        with open(target, "wb") as file:
            file.write(raw)
        self.stamps[path] = stamp_of(os.stat(target))


def content_of(path: Path) -> bytes:
    """The contents of a file; empty if it can't be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def folders_of(paths: Iterable[str]) -> set[str]:
    """All folders that contain some files."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _link(source: str, target: str) -> Stamp:
    """Hard-link a file, or copy it where the disk has no links."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copy2(source, target)
    return stamp_of(os.stat(target))
