"""A site that is put together beside the folder that it will replace."""

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

MARK = ".loom"  # lies in every folder that Loom wrote, so that it never replaces one that it did not
SAYS = "This folder is written by Loom, and these files of it are replaced by every build:"
FORMS = (".br", ".gz")  # what lies beside a file that is compressed
NEW, FILES = "new", "files"  # what lies in a staging beside its mark: the new site, and files that are to go there


class Staging:
    """A site that is being written beside the folder that it will replace.

    New files are written on their own, and put together with the others when all are known: see `assemble`.
    """

    def __init__(self, root: Path, folder: Path, spare: Path | None) -> None:
        self.root, self.folder, self.spare = root, folder, spare
        self.fresh = root / NEW
        self.new: dict[str, str] = {}  # where the new files lie, by their paths
        self.taken: list[str] = []
        self.stamps: dict[str, Stamp] = {}  # of every file of the site
        # Asked when nobody else can write, of the stamps of the folder as it is: shall it be replaced?
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
        """Take over files of the folder that is replaced."""
        self.taken += paths

    def read(self, path: PurePosixPath) -> bytes:
        """A file that was written."""
        return Path(self.new[str(path)]).read_bytes()

    def assemble(self, before: Mapping[str, Stamp]) -> None:
        """Make the folder that takes the other's place, out of the one that was replaced last.

        That one holds most files already, as links to those of the folder as it is now, whose stamps are `before`.
        It may hold anything else, too: what has not the stamp that it should have is replaced or goes.
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
        """Take over a file of somebody else's. It is copied: who changes it there changes nothing here."""
        target = self.fresh / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self.folder / path, target, follow_symlinks=False)
        self.stamps[path] = stamp_of(target.stat() if target.exists() else target.lstat())

    def _be_alike(self) -> None:
        """Belong to whom the folder belongs that is replaced, and let the same people read it."""
        with contextlib.suppress(FileNotFoundError):
            old, new = self.folder.stat(), self.fresh.stat()
            if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
                with contextlib.suppress(OSError):  # only root gives away
                    os.chown(self.fresh, old.st_uid, old.st_gid)
            self.fresh.chmod(stat.S_IMODE(old.st_mode) | stat.S_IRWXU)

    def _mark(self) -> None:
        """Say whose the folder is, and what in it."""
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
    """What is in a file; nothing where it can't be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def folders_of(paths: Iterable[str]) -> set[str]:
    """All folders that files lie in."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _link(source: str, target: str) -> Stamp:
    """Put a file to another place, too: by a link where the disk knows them."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copy2(source, target)
    return stamp_of(os.stat(target))
