"""Make a folder equal to the site: built beside it, then put in its place in one step."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from loom.errors import LoomError, Problem
from loom.model import Output

MARK = ".loom"  # lies in every folder that Loom wrote, so that it never replaces one that it did not
OLD = "-old"
KEPT = "the site that was there is as it was"


class Staging:
    """A site that is being written, beside the folder that it will replace."""

    def __init__(self, fresh: Path) -> None:
        self.fresh = fresh
        self.sizes: dict[PurePosixPath, int] = {}

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


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Staging]:
    """Replace `folder` by what is put into the staging; after any failure the folder is as it was."""
    folder = folder.absolute()
    _check(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clean(folder)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-{os.getpid()}-", dir=folder.parent))
    except OSError as error:
        raise LoomError(
            Problem(str(folder), 0, 0, f"can't write here: {error.strerror}", "choose another --out")
        ) from error
    try:
        fresh.chmod(0o755)  # a temporary folder is made private; a site is not
        yield Staging(fresh)
        (fresh / MARK).write_text("This folder is written by Loom; it is replaced by every build.\n")
        _swap(fresh, folder)
    except OSError as error:
        raise LoomError(Problem(str(folder), 0, 0, f"can't write the site: {error.strerror}", KEPT)) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def write_site(output: Output, folder: Path) -> None:
    """Replace `folder` by the site."""
    with staging(folder) as stage:
        stage.put(output)


def replace_files(output: Output, folder: Path) -> None:
    """Put new contents into files that are there: all are written beside them before the first takes its place."""
    fresh = {folder / path: folder / path.with_name(f".{path.name}-{os.getpid()}") for path in output}
    try:
        for (target, beside), raw in zip(fresh.items(), output.values(), strict=True):
            beside.write_bytes(raw)
            beside.chmod(target.stat().st_mode)
        for target, beside in fresh.items():
            beside.replace(target)
    except OSError as error:
        raise LoomError(Problem(str(folder), 0, 0, f"can't write the site: {error.strerror}", KEPT)) from error
    finally:
        for beside in fresh.values():
            beside.unlink(missing_ok=True)


def _check(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise LoomError(Problem(str(folder), 0, 0, "this is a file, not a folder", "choose another --out"))
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        hint = "choose another --out, or empty it yourself"
        raise LoomError(Problem(str(folder), 0, 0, "this folder has files that Loom did not write", hint))


def _swap(fresh: Path, folder: Path) -> None:
    """In one step where the system can; else two renames, and should the second fail, the first is undone."""
    if folder.exists() and not _exchange(fresh, folder):
        old = fresh.with_name(fresh.name + OLD)
        folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            old.rename(folder)
            raise
        shutil.rmtree(old, ignore_errors=True)
    elif not folder.exists():
        fresh.rename(folder)


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
    for left in folder.parent.glob(f".{folder.name}-*"):
        process = re.match(r"(\d+)-", left.name.removeprefix(f".{folder.name}-"))
        if not process or _alive(int(process[1])):
            continue
        if left.name.endswith(OLD) and not folder.exists():
            left.rename(folder)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it is somebody else's
    return True
