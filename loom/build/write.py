"""Make a folder equal to the site: built beside it, then put in its place in one step."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from loom.build.locks import alone, taken
from loom.build.staging import MARK as STAGING
from loom.build.staging import prefix, stagings
from loom.errors import LoomError, Problem
from loom.model import Output

MARK = ".loom"  # lies in every folder that Loom wrote, so that it never replaces one that it did not
NEW, OLD = "new", "old"  # what lies in a staging beside its mark
KEPT = "the site that was there is as it was"
ROOM, RIGHT = "make room on the disk", "choose another --out, or make it yours to write"
TO_DO = {errno.ENOSPC: ROOM, errno.EDQUOT: ROOM, errno.EACCES: RIGHT, errno.EPERM: RIGHT, errno.EROFS: RIGHT}


class Staging:
    """A site, or a part of it, that is being written beside the folder that it will replace."""

    def __init__(self, fresh: Path) -> None:
        self.fresh = fresh
        self.sizes: dict[PurePosixPath, int] = {}
        self.still: Callable[[], bool] = lambda: True  # asked when nobody else can write: may it take its place?
        self.took_place = False

    def put(self, output: Output) -> None:
        """Write some files; two sources that claim one path are a problem."""
        for path, raw in output.items():
            target = self.fresh / path
            if path in self.sizes:
                if target.read_bytes() != raw:
                    raise LoomError(Problem(str(path), 0, 0, "two sources claim this path", "rename one of them"))
                continue
            self.sizes[path] = len(raw)
            try:
                target.write_bytes(raw)
            except FileNotFoundError:  # rarely: most folders are there
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(raw)

    def adopt(self, folder: Path) -> bool:
        """Take in a folder by links, which cost next to nothing.

        Whether that went well: some disks know no links, and another build may be replacing the folder.
        """
        try:
            shutil.copytree(folder, self.fresh, copy_function=os.link, dirs_exist_ok=True)
        except OSError:
            return False
        return True

    def renew(self, output: Output) -> None:
        """Write files anew where what was adopted differs."""
        for path, raw in output.items():
            target = self.fresh / path
            if not holds(target, raw):
                target.unlink(missing_ok=True)  # what it is linked to stays as it is
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(raw)


@contextlib.contextmanager
def staging(folder: Path, part: str = "") -> Iterator[Staging]:
    """Replace `folder`, or a folder in it, by what is put into the staging; after any failure it is as it was.

    A part is replaced in one step, or not at all where the system has no such step.
    """
    folder = folder.resolve()  # a link stays, and what it leads to is replaced
    _check(folder)
    with contextlib.ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with alone(folder.parent) as undisturbed:
                if undisturbed:
                    _clean(folder)
                place = Path(tempfile.mkdtemp(prefix=prefix(folder), dir=folder.parent))
                stack.callback(_remove, place)
                (place / STAGING).write_text(
                    "A build is at work here, or was killed; the next one removes this folder.\n"
                )
                stack.enter_context(taken(place / STAGING))
            fresh = place / NEW
            fresh.mkdir()
        except OSError as error:
            raise _failed(folder, "can't write here", error, "") from error
        try:
            fresh.chmod(0o755)  # whatever new folders are else: a site is for others to read
            stage = Staging(fresh)
            yield stage
            if not part and not (fresh / MARK).exists():  # else adopted
                (fresh / MARK).write_text("This folder is written by Loom; it is replaced by every build.\n")
            with alone(folder.parent):
                _check(folder)
                if stage.still():
                    stage.took_place = _exchange(fresh, folder / part) if part else _swap(fresh, folder)
        except OSError as error:
            raise _failed(folder, "can't write the site", error, KEPT) from error


def holds(path: Path, raw: bytes) -> bool:
    """Whether a file is there and holds this."""
    try:
        return path.read_bytes() == raw
    except OSError:
        return False


def write_site(output: Output, folder: Path) -> None:
    """Replace `folder` by the site."""
    with staging(folder) as stage:
        stage.put(output)


def _failed(folder: Path, what: str, error: OSError, besides: str) -> LoomError:
    """What a disk refuses, and what to do; a file that lies elsewhere is named."""
    named = str(error.filename or "")
    apart = f": '{named}'" if named and not named.startswith(str(folder.parent)) else ""
    hint = TO_DO.get(error.errno or 0, "" if besides else "choose another --out")
    return LoomError(
        Problem(str(folder), 0, 0, f"{what}: {error.strerror}{apart}", "; ".join(filter(None, (hint, besides))))
    )


def _check(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise LoomError(Problem(str(folder), 0, 0, "this is a file, not a folder", "choose another --out"))
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        hint = "choose another --out, or empty it yourself"
        raise LoomError(Problem(str(folder), 0, 0, "this folder has files that Loom did not write", hint))


def _swap(fresh: Path, folder: Path) -> bool:
    """In one step where the system can; else two renames, and should the second fail, the first is undone."""
    if folder.exists() and not _exchange(fresh, folder):
        old = fresh.with_name(OLD)
        folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            old.rename(folder)
            raise
    elif not folder.exists():
        fresh.rename(folder)
    return True


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders take each other's place at once: no moment, and no kill, finds neither there."""
    import ctypes

    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(exchange(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)


def _clean(folder: Path) -> None:
    """Mend what builds left that were killed: a site between two renames comes back, half-written ones go."""
    for left in stagings(folder):
        with taken(left / STAGING) as free:
            if not free and (left / STAGING).exists():
                continue  # another build is at it
            if (left / OLD).exists() and not folder.exists():
                (left / OLD).rename(folder)
            _remove(left)


def _remove(place: Path) -> None:
    """Delete a staging, its mark last: what is left of it by a kill is known, too."""
    shutil.rmtree(place / NEW, ignore_errors=True)
    shutil.rmtree(place / OLD, ignore_errors=True)
    with contextlib.suppress(OSError):  # what others put there stays
        if {one.name for one in place.iterdir()} <= {STAGING}:
            (place / STAGING).unlink(missing_ok=True)
            place.rmdir()
