"""Watch the folders of a site for edits."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator
from pathlib import Path

from loom.build.stamps import Stamp, stamp_of, walk
from loom.options import Options
from loom.paths import INPUTS

RECHECK = 100  # milliseconds between two checks whether the watched folders were replaced
PAUSE = 5  # milliseconds without an event, after which an edit is taken to be complete
POLL = 0.5  # seconds between two comparisons of stamps, where folders can't be watched
AGAIN = "edits can't be watched ({}): watching again"
POLLED = "edits can't be watched ({}): files are looked through instead, twice a second"

Edits = Generator[set[Path], None, None]


def edits(options: Options, stop: threading.Event, say: Callable[[str], None] = lambda _: None) -> Edits:
    """The files of each edit. First an empty set, as soon as no later edit can be missed.

    A folder that is created, deleted or replaced is reported itself, because its contents were not watched. After a
    failure all folders are reported and watched again. If that fails at once, stamps are compared from then on.
    """
    from watchfiles._rust_notify import WatchfilesRustInternalError

    watching = _Watching(options, stop)
    said = False
    while not stop.is_set():
        try:
            yield from watching.edits()
        except (WatchfilesRustInternalError, OSError) as error:  # of a name that is not UTF-8; too many folders
            if not watching.works:
                say(POLLED.format(error))
                yield from polled(options, stop, set() if watching.silent else set(_identities(options)))
                return
            if not said:
                say(AGAIN.format(error))
            said, watching.works = True, False
            watching.edited |= _identities(options).keys()


class _Watching:
    """The state of watching: edits that are not reported yet; `silent` until the first report; whether it `works`."""

    def __init__(self, options: Options, stop: threading.Event) -> None:
        self.options, self.stop = options, stop
        self.edited: set[Path] = set()
        self.silent = self.works = True

    def edits(self) -> Edits:
        """Watch the present folders, until one of them is replaced."""
        from watchfiles import Change, watch

        folders = _identities(self.options)
        changed = watch(*folders, step=PAUSE, debounce=200, stop_event=self.stop, rust_timeout=RECHECK,
                        yield_on_timeout=True, ignore_permission_denied=True)  # fmt: skip
        with contextlib.closing(changed):
            for changes in changed:
                self.works = True
                self.edited |= {Path(path) for _, path in changes} - folders.keys()
                other = {folder for folder, _ in folders.items() ^ _identities(self.options).items()}
                other |= {Path(path) for change, path in changes if change == Change.deleted} & folders.keys()
                if other:
                    self.edited |= other  # reported when they are folders again
                    break
                if self.edited or self.silent:
                    self.silent = False
                    seen, self.edited = self.edited, set()
                    yield seen


def polled(options: Options, stop: threading.Event, first: set[Path]) -> Edits:
    """The files whose stamps have changed; `first` is yielded as soon as no later edit can be missed."""
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
    """The folders to watch, with device and inode: a folder that is created again has the same path."""
    found = {}
    for folder in watched(options):
        with contextlib.suppress(OSError):  # deleted meanwhile
            stat = folder.stat()
            found[folder] = stat.st_dev, stat.st_ino
    return found


def watched(options: Options) -> list[Path]:
    """The input folders: the site's, and Loom's own behind them."""
    return [folder for name in INPUTS for folder in options.folders(name) if folder.is_dir()]
