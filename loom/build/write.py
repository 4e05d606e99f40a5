"""Make a folder equal to the site: built beside it, then put in its place in one step."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from loom.build.exchange import OLD, exchange
from loom.build.locks import alone, taken
from loom.build.staging import MARK as STAGING
from loom.build.staging import prefix, stagings
from loom.build.stamps import walk
from loom.errors import LoomError, Problem
from loom.model import Output

MARK = ".loom"  # lies in every folder that Loom wrote, so that it never replaces one that it did not
SAYS = "This folder is written by Loom, and these files of it are replaced by every build:"
EARLIER = "This folder is written by Loom; it is replaced by every build."  # without a list
FORMS = (".br", ".gz")  # what lies beside a file that is compressed
NEW = "new"  # what lies in a staging beside its mark
KEPT = "the site that was there is as it was"
ROOM, RIGHT = "make room on the disk", "choose another --out, or make it yours to write"
TO_DO = {errno.ENOSPC: ROOM, errno.EDQUOT: ROOM, errno.EACCES: RIGHT, errno.EPERM: RIGHT, errno.EROFS: RIGHT}


class Staging:
    """A site that is being written beside the folder that it will replace."""

    def __init__(self, fresh: Path, folder: Path) -> None:
        self.fresh, self.folder = fresh, folder
        self.paths: set[str] = set()
        self.needed: Callable[[], bool] = lambda: True  # asked when nobody else can write: shall it take its place?
        self.took_place = False

    def write(self, output: Output) -> None:
        """Write some files."""
        for path, raw in output.items():
            self.paths.add(str(path))
            _made(self.fresh / path, lambda target, raw=raw: target.write_bytes(raw))  # type: ignore[misc]

    def take(self, paths: Iterable[str]) -> None:
        """Take over files of the folder that is replaced, by links where the disk knows them."""
        for path in paths:
            self.paths.add(path)
            _made(self.fresh / path, lambda target, path=path: _linked(self.folder / path, target))  # type: ignore[misc]

    def mark(self) -> None:
        """OnProgress whose the folder is, and what in it."""
        own = (path for path in self.paths if not (path.endswith(FORMS) and path[:-3] in self.paths))
        listed = "".join(f"{path}\n" for path in sorted(own))
        raw = f"{SAYS}\n{listed}".encode(errors="surrogateescape")
        if _read(self.folder / MARK) == raw:
            _linked(self.folder / MARK, self.fresh / MARK)
        else:
            (self.fresh / MARK).write_bytes(raw)


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Staging]:
    """Replace `folder` by what is put into the staging; after any failure it is as it was.

    Files that others put into the folder stay in it.
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
            stage = Staging(fresh, folder)
            yield stage
            stage.mark()
            with alone(folder.parent):
                _check(folder)
                if stage.needed():
                    _take_others(stage)
                    exchange(fresh, folder)
                    stage.took_place = True
        except OSError as error:
            raise _failed(folder, "can't write the site", error, KEPT) from error


def write_site(output: Output, folder: Path) -> None:
    """Replace `folder` by the site."""
    with staging(folder) as stage:
        stage.write(output)


def _made(target: Path, make: Callable[[Path], object]) -> None:
    try:
        make(target)
    except FileNotFoundError:  # rarely: most folders are there
        target.parent.mkdir(parents=True, exist_ok=True)
        make(target)


def _linked(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # some disks know no links
        shutil.copy2(source, target)


def _take_others(stage: Staging) -> None:
    """What others put into the folder stays in it, unless the site has a file of that name now."""
    text = _read(stage.folder / MARK).decode(errors="surrogateescape")
    if not text.startswith(SAYS):
        return
    ours = {MARK, *text.splitlines()[1:]} | stage.paths
    ours |= {f"{path}{form}" for path in ours for form in FORMS}
    start = len(str(stage.folder)) + 1
    for path, _ in walk([str(stage.folder)], hidden=True):
        if path[start:] not in ours and not any(str(one) in stage.paths for one in PurePosixPath(path[start:]).parents):
            target = stage.fresh / path[start:]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target, follow_symlinks=False)


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
    if folder.exists() and any(folder.iterdir()) and not _is_ours(folder / MARK):
        hint = "choose another --out, or empty it yourself"
        raise LoomError(Problem(str(folder), 0, 0, "this folder has files that Loom did not write", hint))


def _is_ours(mark: Path) -> bool:
    """Whether Loom wrote the mark of a folder: any file may be called so."""
    return _read(mark).startswith((SAYS.encode(), EARLIER.encode()))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


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
