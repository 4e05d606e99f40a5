"""See which files are edited, as they are saved."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator
from pathlib import Path

from loom.build.stamps import Stamp, stamp_of, walk
from loom.options import Options
from loom.paths import INPUTS

LOOK = 100  # milliseconds after which it is seen whether the folders are still the same
PAUSE = 5  # milliseconds without an edit, after which an editor has finished saving
POLL = 0.5  # seconds after which stamps are compared, where nothing can be watched
AGAIN = "edits can't be watched ({}): watching again"
POLLED = "edits can't be watched ({}): files are looked through instead, twice a second"

Edits = Generator[set[Path], None, None]


def edits(options: Options, stop: threading.Event, say: Callable[[str], None] = lambda _: None) -> Edits:
    """The files of each edit; nothing at first, when all later edits will be seen.

    A folder that comes, goes, or takes another's place is named itself: what lies there was not watched. So is each of
    them where the watching failed. If it fails once more at once, stamps are compared from then on.
    """
    from watchfiles._rust_notify import WatchfilesRustInternalError

    watching = _Watching(options, stop)
    said = False
    while not stop.is_set():
        try:
            yield from watching.edits()
        except (WatchfilesRustInternalError, OSError) as error:  # of a name that is not UTF-8; too many folders
            if not watching.well:
                say(POLLED.format(error))
                yield from polled(options, stop, set() if watching.silent else set(_identities(options)))
                return
            if not said:
                say(AGAIN.format(error))
            said, watching.well = True, False
            watching.edited |= _identities(options).keys()


class _Watching:
    """What has been seen so far: edits not yet reported, and whether watching went `well` since it last failed."""

    def __init__(self, options: Options, stop: threading.Event) -> None:
        self.options, self.stop = options, stop
        self.edited: set[Path] = set()
        self.silent = self.well = True

    def edits(self) -> Edits:
        """Watch the folders as they are now, until one of them is another."""
        from watchfiles import Change, watch

        looked = _identities(self.options)
        looking = watch(*looked, step=PAUSE, debounce=200, stop_event=self.stop, rust_timeout=LOOK,
                        yield_on_timeout=True, ignore_permission_denied=True)  # fmt: skip
        with contextlib.closing(looking):
            for changes in looking:
                self.well = True
                self.edited |= {Path(path) for _, path in changes} - looked.keys()
                other = {folder for folder, _ in looked.items() ^ _identities(self.options).items()}
                other |= {Path(path) for change, path in changes if change == Change.deleted} & looked.keys()
                if other:
                    self.edited |= other  # reported when they are watched again
                    break
                if self.edited or self.silent:
                    self.silent = False
                    seen, self.edited = self.edited, set()
                    yield seen


def polled(options: Options, stop: threading.Event, first: set[Path]) -> Edits:
    """The files whose stamps are others than they were; `first` as soon as all later edits will be seen."""
    known = _stamps(options)
    yield first
    while not stop.wait(POLL):
        now = _stamps(options)
        if edited := {Path(path) for path, _ in known.items() ^ now.items()}:
            yield edited
        known = now


def _stamps(options: Options) -> dict[str, Stamp]:
    return {path: stamp_of(found) for path, found in walk(map(str, watched(options)))}


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
