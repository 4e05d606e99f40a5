"""Replace a folder by the new site atomically: the site is built beside it, then the two are exchanged."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from loom.build.leftovers import STAGING, leftovers, prefix
from loom.build.locks import file_lock, folder_lock
from loom.build.spare import keep_spare
from loom.build.staging import FILES, FORMS, MARK, NEW, SAYS, Staging, content_of, folders_of
from loom.build.stamps import outputs
from loom.errors import LoomError, Problem
from loom.model import Output

KEPT = "the site that was there is as it was"
ROOM, RIGHT = "make room on the disk", "choose another --out, or make it yours to write"
TO_DO = {errno.ENOSPC: ROOM, errno.EDQUOT: ROOM, errno.EACCES: RIGHT, errno.EPERM: RIGHT, errno.EROFS: RIGHT,
         errno.ENAMETOOLONG: "call its page, its scene or its file by a shorter name"}  # fmt: skip
OLD = "old"  # in a staging folder: the old site, while the exchange takes two renames


@contextlib.contextmanager
def staging(folder: Path, spare: Path | None = None) -> Iterator[Staging]:
    """Replace `folder` by the contents of a staging folder; after any failure it is unchanged.

    Files in the folder that Loom did not write are kept. The replaced folder becomes the `spare` of the next build.
    """
    folder = folder.resolve()  # of a symbolic link, the target is replaced
    check_replaceable(folder)
    with contextlib.ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with folder_lock(folder.parent) as undisturbed:
                if undisturbed:
                    _clean(folder)
                root = Path(tempfile.mkdtemp(prefix=prefix(folder), dir=folder.parent))
                stack.callback(_remove, root)
                (root / STAGING).write_text(
                    "A build is at work here, or was killed; the next one removes this folder.\n"
                )
                stack.enter_context(file_lock(root / STAGING))
            (root / FILES).mkdir()
        except OSError as error:
            raise _failed(folder, "can't write here", error, "") from error
        try:
            stage = Staging(root, folder, spare)
            yield stage
            with folder_lock(folder.parent):
                check_replaceable(folder)
                there = outputs(str(folder)).stamps
                if stage.needed(there):
                    _take_others(stage, there)
                    old = exchange(stage.fresh, folder)
                    if spare:
                        keep_spare(old, spare)
        except OSError as error:
            raise _failed(folder, "can't write the site", error, KEPT) from error


def write_site(output: Output, folder: Path) -> None:
    """Replace `folder` by the site."""
    with staging(folder) as stage:
        stage.write(output)
        stage.assemble({})


def _take_others(stage: Staging, there: Iterable[str]) -> None:
    """Keep files that Loom did not write, unless the site now has a file of that name."""
    text = content_of(stage.folder / MARK).decode(errors="surrogateescape")
    if not text.startswith(SAYS):
        return
    paths = stage.paths
    ours = {MARK, *text.splitlines()[1:]} | paths
    ours |= {f"{path}{form}" for path in ours for form in FORMS}
    for path in there:
        if path not in ours and not folders_of([path]) & paths:
            stage.add(path)


def _failed(folder: Path, what: str, error: OSError, besides: str) -> LoomError:
    """A file system error as a problem, with what to do; a file outside the folder is named."""
    named = str(error.filename or "")
    apart = f": '{named}'" if named and not named.startswith(str(folder.parent)) else ""
    if error.errno == errno.ENAMETOOLONG:
        apart = f": '{Path(error.filename2 or named).name[:40]}…'"
    hint = TO_DO.get(error.errno or 0, "" if besides else "choose another --out")
    return LoomError(
        Problem(str(folder), 0, 0, f"{what}: {error.strerror}{apart}", "; ".join(filter(None, (hint, besides))))
    )


def check_replaceable(folder: Path) -> None:
    """LoomError if a folder can't be replaced, or if it has files and Loom did not write it."""
    if folder.exists() and not folder.is_dir():
        raise LoomError(Problem(str(folder), 0, 0, "this is a file, not a folder", "choose another --out"))
    if os.path.ismount(folder):  # it can't be renamed
        hint = "choose a folder within it as --out"
        raise LoomError(Problem(str(folder), 0, 0, "this is a mounted disk, which can't be replaced", hint))
    if folder.exists() and any(folder.iterdir()) and not _is_ours(folder / MARK):
        hint = "choose another --out, or empty it yourself"
        raise LoomError(Problem(str(folder), 0, 0, "this folder has files that Loom did not write", hint))


def _is_ours(mark: Path) -> bool:
    """Whether Loom wrote the mark of a folder, by its contents."""
    return content_of(mark).startswith(SAYS.encode())


def _clean(folder: Path) -> None:
    """Repair what killed builds left: restore a site that was between two renames, delete stale staging folders."""
    for left in leftovers(folder):
        with file_lock(left / STAGING) as free:
            if not free and (left / STAGING).exists():
                continue  # it belongs to a running build
            if (left / OLD).exists() and not folder.exists():
                (left / OLD).rename(folder)
            _remove(left)


def _remove(root: Path) -> None:
    """Delete a staging folder, its mark last, so that the rest is recognised if this is interrupted."""
    for name in (OLD, NEW, FILES):
        shutil.rmtree(root / name, ignore_errors=True)
    with contextlib.suppress(OSError):  # other files in it are kept
        if {one.name for one in root.iterdir()} <= {STAGING}:
            (root / STAGING).unlink(missing_ok=True)
            root.rmdir()


def exchange(fresh: Path, folder: Path) -> Path:
    """Exchange two folders: atomically if possible, else by two renames; if the second fails, the first is undone.

    Returns where the old folder lies afterwards, if there was one.
    """
    old = fresh
    if folder.exists() and not _at_once(fresh, folder):
        old = fresh.with_name(OLD)
        folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            old.rename(folder)
            raise
    elif not folder.exists():
        fresh.rename(folder)
    return old


def _at_once(one: Path, other: Path) -> bool:
    """Exchange two folders with one system call, so that there is no moment without a site; False if it can't."""
    import ctypes

    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(exchange(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)
