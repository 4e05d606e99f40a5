"""See which files are edited, as they are saved."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator
from pathlib import Path

from loom.options import INPUTS, Options

LOOK = 100  # milliseconds after which it is seen whether the folders are still the same
PAUSE = 5  # milliseconds without an edit, after which an editor has finished saving


def edits(options: Options, stop: threading.Event) -> Generator[set[Path], None, None]:
    """The files of each edit; nothing at first, when all later edits will be seen.

    A folder that comes, goes, or takes another's place is named itself: what lies there was not watched.
    """
    from watchfiles import Change, watch

    edited: set[Path] = set()
    silent = True
    while not stop.is_set():
        looked = _identities(options)
        looking = watch(*looked, step=PAUSE, debounce=200, stop_event=stop, rust_timeout=LOOK, yield_on_timeout=True)
        with contextlib.closing(looking):
            for changes in looking:
                edited |= {Path(path) for _, path in changes} - looked.keys()
                other = {folder for folder, _ in looked.items() ^ _identities(options).items()}
                other |= {Path(path) for change, path in changes if change == Change.deleted} & looked.keys()
                if other:
                    edited |= other  # told when they are watched again
                    break
                if edited or silent:
                    silent = False
                    yield edited
                    edited = set()


def _identities(options: Options) -> dict[Path, tuple[int, int]]:
    """The folders to watch, and which ones they are: a folder made anew has the same path."""
    found = {}
    for folder in watched(options):
        with contextlib.suppress(OSError):  # it has just gone
            stat = folder.stat()
            found[folder] = stat.st_dev, stat.st_ino
    return found


def watched(options: Options) -> list[Path]:
    """The folders whose edits matter: the site's, and what it falls back to."""
    return [folder for name in INPUTS for folder in options.folders(name) if folder.is_dir()]
