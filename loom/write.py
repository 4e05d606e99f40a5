"""Make a folder equal to the site: built beside it, then put in its place in one step."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from loom.errors import LoomError, Problem
from loom.model import Output

MARK = ".loom"  # lies in every folder that Loom wrote, so that it never replaces one that it did not


def write_site(output: Output, folder: Path) -> None:
    """Replace `folder` by the site; after any failure the folder is as it was."""
    folder = folder.absolute()
    if folder.exists() and not folder.is_dir():
        raise LoomError(Problem(str(folder), 0, 0, "this is a file, not a folder", "choose another --out"))
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        hint = "choose another --out, or empty it yourself"
        raise LoomError(Problem(str(folder), 0, 0, "this folder has files that Loom did not write", hint))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise LoomError(
            Problem(str(folder), 0, 0, f"can't write here: {error.strerror}", "choose another --out")
        ) from error
    try:
        fresh.chmod(0o755)  # a temporary folder is made private; a site is not
        for path, raw in output.items():
            target = fresh / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(raw)
        (fresh / MARK).write_text("This folder is written by Loom; it is replaced by every build.\n")
        _swap(fresh, folder)
    except OSError as error:
        hint = "the site that was there is as it was"
        raise LoomError(Problem(str(folder), 0, 0, f"can't write the site: {error.strerror}", hint)) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _swap(fresh: Path, folder: Path) -> None:
    """Two renames; should the second fail, the first is undone."""
    old = fresh.with_name(fresh.name + "-old")
    if folder.exists():
        folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
