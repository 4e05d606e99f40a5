"""The development server: browsers are updated after each edit without losing the scroll position."""

from __future__ import annotations

import contextlib
import json
import queue
import sys
import threading
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any

from loom.addresses import INDEX, base_path
from loom.build.write import write_site
from loom.dev.listeners import Listeners
from loom.dev.live import Live, News, Superseded
from loom.dev.progress import scene_progress
from loom.dev.server import INDEXED, NO_HEADERS, PRIVATE, Handler, server
from loom.dev.watch import edits
from loom.errors import LoomError, Problem
from loom.paths import PACKAGE
from loom.render.headers import CSP, SEARCH_CSP
from loom.reporting import excerpt

CLIENT = ("live.js", "live.css")
PRINTED = 5  # pages that are named in the terminal after an edit


class LiveHandler(Handler):
    """Answers from a live site; pages get a script that listens for news."""

    live: Live
    listeners: Listeners
    version: int

    def _file(self, name: str) -> None:
        self.version, self.output = self.live.version, self.live.output  # as it is now
        if name == "-/events":
            self._events()
        elif name.startswith("-/") and name[2:] in CLIENT:
            self._answer(HTTPStatus.OK, (PACKAGE / "dev" / name[2:]).read_bytes(), PurePosixPath(name))
        elif (path := PurePosixPath(name)) not in self.output and (found := self.live.pending_files.file(path)):
            self._answer(HTTPStatus.OK, found, path)
        elif name.startswith(INDEX) and (found := self._index(PurePosixPath(name))):
            self._answer(HTTPStatus.OK, found, PurePosixPath(name))
        else:
            super()._file(name)

    def _answer(
        self, status: HTTPStatus, body: bytes, path: PurePosixPath, more: Mapping[str, str] = NO_HEADERS
    ) -> None:
        if path.suffix == ".html":
            live = f"{self.base}-/live"
            script = f'<script type="module" src="{live}.js" data-version="{self.version}"></script>'
            both = f'{script}<link rel="stylesheet" href="{live}.css">'.encode()
            body = body.replace(b"</head>", both + b"</head>", 1) if b"</head>" in body else both + body
        super()._answer(status, body, path, more)

    def _index(self, path: PurePosixPath) -> bytes | None:
        """A file of the search index. A request for its first file brings the index up to date."""
        index = self.live.index
        if not index:
            return None
        try:
            files = index.of(self.output) if path == INDEXED or not index.files else index.files
        except LoomError as error:
            news = News(problems=error.problems)
            self.listeners.send(as_message(news, self.live))
            print_news(news, self.live)
            return None
        return files.get(path)

    def _policy(self) -> str:
        return SEARCH_CSP if self.live.index else CSP

    def _events(self) -> None:
        self.close_connection = True
        lines = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", **PRIVATE}
        self._begin(HTTPStatus.OK, lines)
        if self.command == "HEAD":
            return
        news = News(problems=self.live.problems)
        try:
            for message in self.listeners.listen(as_message(news, self.live, first=True)):
                self.wfile.write(f"data: {message}\n\n".encode() if message else b": still here\n\n")
                self.wfile.flush()
        except OSError:
            return  # the page was left


def as_message(news: News, live: Live, *, first: bool = False) -> str:
    """News as JSON for the browser. The `first` message to a browser tells it that it may have missed others."""
    root = live.options.root
    problems = [{"text": str(one), "excerpt": excerpt(one, root)} for one in news.problems]
    computing = scene_progress(live.computing) if live.computing else ""
    message: dict[str, Any] = {"pages": sorted(news.pages), "everything": news.everything, "style": news.style,
                               "problems": problems, "computing": computing, "version": live.version,
                               "first": first}  # fmt: skip
    return json.dumps(message, ensure_ascii=False)


def run_server(live: Live, base: str, port: int, out: Path) -> int:
    """Serve and follow edits until interrupted; the first build is also written to the output folder."""
    stop = threading.Event()
    with open_server(live, base, port) as running, contextlib.closing(live):
        print("building …", file=sys.stderr, flush=True)
        next(edited := edits(live.options, stop, _print))
        first = live.follow()
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        try:
            _print(described(first.problems, live.options.root) or f"{len(live.output)} files")
            print(f"http://127.0.0.1:{running.server_port}{base_path(base)}  (Ctrl+C ends it)", flush=True)
            _write(live, out)
            follow_edits(live, running, edited)
        finally:
            stop.set()
            running.shutdown()
            thread.join()
    return 0


def open_server(live: Live, base: str, port: int) -> ThreadingHTTPServer:
    """A server for a live site."""
    return server(live.output, base, port, LiveHandler, live=live, listeners=Listeners())


def follow_edits(live: Live, running: ThreadingHTTPServer, edited: Iterable[set[Path]]) -> None:
    """Follow edits, and send the news to browsers. An edit during a build supersedes that build."""
    listeners: Listeners = running.RequestHandlerClass.listeners  # type: ignore[attr-defined]
    waiting: queue.SimpleQueue[bool] = queue.SimpleQueue()  # True for each edit, False at the end

    def watch() -> None:
        for _ in filter(None, edited):
            waiting.put(True)
        waiting.put(False)

    def send(news: News) -> None:
        listeners.send(as_message(news, live))

    threading.Thread(target=watch, daemon=True).start()
    live.warm()
    while waiting.get():
        with contextlib.suppress(Superseded):
            news = live.follow(send, lambda: not waiting.empty())
            send(news)
            print_news(news, live)


def _write(live: Live, out: Path) -> None:
    """Write the site to the output folder, unless it has drafts; failures are only printed."""
    drafts = live.drafts
    if drafts:  # they could be deployed by mistake
        _print(f"drafts are shown, and nothing is written to {out.name}/: {', '.join(drafts)}")
    try:
        if live.output and not drafts:
            write_site(live.output, out)
    except LoomError as error:
        _print(f"{error}\nthe site is served all the same")


def print_news(news: News, live: Live) -> None:
    """Print the result of an edit."""
    names = sorted(news.pages)
    parts = [*names[:PRINTED], *([f"and {len(names) - PRINTED} more"] if len(names) > PRINTED else [])]
    parts += filter(None, [news.style])
    otherwise = "files beside the pages" if news.everything else "mended" if news.mended else "no change"
    _print(described(news.problems, live.options.root) or ", ".join(parts) or otherwise)


def _print(text: str) -> None:
    """Print a line in place of the progress line."""
    print(f"\r\x1b[K{text}" if sys.stderr.isatty() else text, file=sys.stderr, flush=True)


def described(problems: tuple[Problem, ...], root: Path) -> str:
    """Problems with excerpts of their files."""
    return "\n".join("\n".join(filter(None, (str(problem), excerpt(problem, root)))) for problem in problems)
