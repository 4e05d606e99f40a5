"""A site in memory that follows edits: the last good build, and the problems of the present one.

The search index is not among its files: it is made on demand, so that edits do not wait for it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from loom.build.pipeline import Builder, Built
from loom.build.sink import MemorySink
from loom.dev.pending_files import PendingFiles
from loom.errors import LoomError, Problem
from loom.model import Output
from loom.options import Options
from loom.progress import OnProgress, ProgressEvent, Stage, ignore_progress
from loom.render.search import search_index


class Superseded(BaseException):
    """Raised to stop a build when there is a newer edit."""


@dataclass(frozen=True)
class News:
    """The result of an edit, for browsers and the terminal."""

    pages: frozenset[str] = frozenset()  # the files of pages that changed
    everything: bool = False
    style: str = ""  # the new style sheet, if nothing else has changed
    problems: tuple[Problem, ...] = ()
    mended: bool = False  # there were problems before


Send = Callable[[News], None]


class SearchIndex:
    """The search index, made on demand. A failure is reported once for the same pages, because it would recur."""

    def __init__(self, built: Built) -> None:
        self.built = built
        self.lock = threading.Lock()
        self.pages: Output = {}
        self.files: Output = {}

    def of(self, output: Output) -> Output:
        """The index's files, made again if the pages have changed."""
        with self.lock:
            pages = {path: raw for path, raw in output.items() if path.name == "index.html"}
            if pages != self.pages:
                self.pages, self.files = pages, {}
                self.files = search_index(self.built.index, pages, self.built.context.words)
            return self.files


@dataclass
class Live:
    """The live site. `output` are the files of the last successful build, empty before the first.

    While scenes are computed, `output` is a preview, which shows each of them in one state, and `computing` is their
    progress. `version` counts the outputs.
    """

    options: Options
    on_progress: OnProgress = ignore_progress
    output: Output = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    index: SearchIndex | None = None  # None: the site has no search
    built: Built | None = None
    sink: MemorySink = field(default_factory=MemorySink)
    computing: ProgressEvent | None = None
    version: int = 0
    pending_files: PendingFiles = field(default_factory=PendingFiles)

    def __post_init__(self) -> None:
        self.builder = Builder(replace(self.options, indexed=False), reusable=True)
        self._shown = self.sink  # the sink of `output`
        self._send: Send | None = None
        self._is_superseded: Callable[[], bool] = lambda: False

    @property
    def drafts(self) -> list[str]:
        """The draft pages, which `build` leaves out."""
        infos = self.built.index.infos.values() if self.built else ()
        return [info.id for info in infos if info.meta.draft]

    def follow(self, send: Send | None = None, is_superseded: Callable[[], bool] = lambda: False) -> News:
        """Build, at first and after each edit; the build itself finds out what has changed.

        With `send`, a preview is built first if scenes have to be computed, and its news and the progress are sent.
        Raises Superseded as soon as `is_superseded` says that there is a newer edit.
        """
        self._send, self._is_superseded = send, is_superseded
        try:
            if send:
                sink = MemorySink(self.sink)
                news, built = self._built(sink, partial=True)
                if built and not built.index.partial:
                    return news
                if built:
                    self.pending_files.open(built.index.data.values())
                send(news)
            sink = MemorySink(self.sink)
            news, built = self._built(sink, partial=False)
            if built:
                self.pending_files.close(built.index.data)
            elif self._shown is not self.sink:  # the preview succeeded, and the whole build failed
                self.output, self._shown = self.sink.output, MemorySink()
            return news
        finally:
            self.computing = None
            self.pending_files.close({})

    def warm(self) -> None:
        """Start the processes that compute scenes, so that the first edit of one does not wait for them."""
        self.builder.warm()

    def close(self) -> None:
        """End the processes that compute scenes."""
        self.builder.close()

    def _built(self, sink: MemorySink, *, partial: bool) -> tuple[News, Built | None]:
        """Build, and return the news; without a site if there are problems."""
        try:
            with redirect_stdout(sys.stderr):  # what scenes print
                built = self.builder.build(sink, self._on_progress, partial=partial)
            sink.paths.raise_conflicts()
        except LoomError as error:
            self.problems = error.problems
            return News(problems=self.problems), None
        return self._accept(built, sink), built

    def _on_progress(self, event: ProgressEvent) -> None:
        """Stop the build if it is superseded, and serve pending files, at every event of the build."""
        if self._is_superseded():
            raise Superseded
        self.pending_files.go_on()
        if event.stage is Stage.SCENE_COMPUTING and event != self.computing:
            self.computing = event
            if self._send:
                self._send(News(problems=self.problems))
        self.on_progress(event)

    def _accept(self, built: Built, sink: MemorySink) -> News:
        """Take over a successful build, and return its news."""
        old, before, mended, self.problems = self.built, self._shown, bool(self.problems), ()
        self.built, self._shown, self.output = built, sink, sink.output
        self.version += 1
        if not built.index.partial:
            self.sink, self.computing = sink, None
        if not built.context.search:
            self.index = None
        elif self.index is None:
            self.index = SearchIndex(built)
        else:
            self.index.built = built
        was, now = before.paths.taken, sink.paths.taken
        changed = {path for path in was.keys() | now.keys() if was.get(path) != now.get(path)}
        if old and self._restyled(old, built, before.output, changed):
            return News(style=built.context.assets.style)
        pages = {path for path in changed if path.endswith(".html")}
        # Files with hashed names change the pages that use them. For other files it is unknown which pages show them.
        others = [path for path in changed if not path.endswith((".html", ".md", ".xml")) and path[:7] != "assets/"]
        return News(frozenset(pages), everything=bool(others) or not was, mended=mended)

    def _restyled(self, old: Built, built: Built, before: Output, changed: Collection[str]) -> bool:
        """Whether pages differ only in the name of their style sheet."""
        was, now = old.context.assets.style, built.context.assets.style
        if was == now:
            return False
        others = [PurePosixPath(path) for path in changed if path not in (was, now)]
        return all(
            path in before and path in self.output
            and before[path].replace(was.encode(), now.encode()) == self.output[path] for path in others
        )  # fmt: skip
