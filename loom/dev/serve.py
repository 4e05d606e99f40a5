"""The development server: the site as it is edited, brought to the browser without losing the reader's place."""

from __future__ import annotations

import contextlib
import json
import queue
import sys
import threading
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any

from loom.addresses import INDEX
from loom.addresses import base_path as base_of
from loom.build.write import write_site
from loom.dev.excerpt import excerpt
from loom.dev.live import Live, News
from loom.dev.server import INDEXED, Handler, server
from loom.dev.watch import edits
from loom.errors import LoomError, Problem
from loom.model import POLICY, SEARCH_POLICY
from loom.paths import PACKAGE

CLIENT = ("live.js", "live.css")
HEARTBEAT = 15  # seconds between signs of life, so that a browser that has gone is noticed
NAMED = 5  # pages that the news of an edit name


class Audience:
    """The browsers that listen."""

    def __init__(self) -> None:
        self.ears: list[queue.SimpleQueue[str]] = []
        self.lock = threading.Lock()

    def tell(self, message: str) -> None:
        with self.lock:
            for ear in self.ears:
                ear.put(message)

    def listen(self, first: str) -> Iterator[str]:
        """Messages as they come; an empty one now and then, to see whether anybody is still there."""
        ear: queue.SimpleQueue[str] = queue.SimpleQueue()
        ear.put(first)
        with self.lock:
            self.ears.append(ear)
        try:
            while True:
                try:
                    yield ear.get(timeout=HEARTBEAT)
                except queue.Empty:
                    yield ""
        finally:
            with self.lock:
                self.ears.remove(ear)


class LiveHandler(Handler):
    """Answers from a site that changes; pages carry a script that listens."""

    live: Live
    audience: Audience

    def _file(self, name: str) -> None:
        self.output = self.live.output  # as it is now
        if name == "-/events":
            self._events()
        elif name.startswith("-/") and name[2:] in CLIENT:
            self._answer(HTTPStatus.OK, (PACKAGE / "dev" / name[2:]).read_bytes(), PurePosixPath(name))
        elif name.startswith(INDEX) and (found := self._index(PurePosixPath(name))):
            self._answer(HTTPStatus.OK, found, PurePosixPath(name))
        else:
            super()._file(name)

    def _answer(self, status: HTTPStatus, body: bytes, path: PurePosixPath) -> None:
        if path.suffix == ".html":
            script = f'<script type="module" src="{self.base}-/live.js"></script>'.encode()
            script += f'<link rel="stylesheet" href="{self.base}-/live.css">'.encode()
            body = body.replace(b"</head>", script + b"</head>", 1) if b"</head>" in body else script + body
        super()._answer(status, body, path)

    def _index(self, path: PurePosixPath) -> bytes | None:
        """A file of the search's index: who opens it gets that of the site as it is, and then its other files."""
        index = self.live.index
        if not index:
            return None
        try:
            files = index.of(self.output) if path == INDEXED or not index.files else index.files
        except LoomError as error:
            news = News(problems=error.problems)
            self.audience.tell(as_message(news, self.live))
            speak(news, self.live)
            return None
        return files.get(path)

    def _policy(self) -> str:
        return SEARCH_POLICY if self.live.index else POLICY

    def _events(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.close_connection = True
        news = News(problems=self.live.problems)
        try:
            for message in self.audience.listen(as_message(news, self.live)):
                self.wfile.write(f"data: {message}\n\n".encode() if message else b": still here\n\n")
                self.wfile.flush()
        except OSError:
            return  # the page was left


def as_message(news: News, live: Live) -> str:
    """News as the browser reads them."""
    root = live.options.root
    problems = [{"text": str(one), "excerpt": excerpt(one, root)} for one in news.problems]
    message: dict[str, Any] = {"pages": sorted(news.pages), "everything": news.everything, "style": news.style,
                               "problems": problems}  # fmt: skip
    return json.dumps(message, ensure_ascii=False)


def develop(live: Live, base_path: str, port: int, out: Path) -> int:
    """Serve and follow edits until interrupted; the site as it was first built is written, too."""
    with (
        open_server(live, base_path, port) as running,
        contextlib.closing(edits(live.options, threading.Event())) as news,
    ):
        print("building …", file=sys.stderr, flush=True)
        next(news)
        first = live.start()
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        try:
            _print(described(first.problems, live.options.root) or f"{len(live.output)} files")
            print(f"http://127.0.0.1:{running.server_port}{base_of(base_path)}  (Ctrl+C ends it)", flush=True)
            _write(live, out)
            watching(live, running, news)
        finally:
            running.shutdown()
            thread.join()
    return 0


def open_server(live: Live, base_path: str, port: int) -> ThreadingHTTPServer:
    """A server of the site as it is now."""
    return server(live.output, base_path, port, LiveHandler, live=live, audience=Audience())


def watching(live: Live, running: ThreadingHTTPServer, edited: Iterable[set[Path]]) -> None:
    """Follow edits, and tell everybody."""
    audience: Audience = running.RequestHandlerClass.audience  # type: ignore[attr-defined]
    for paths in filter(None, edited):
        news = live.follow(paths)
        audience.tell(as_message(news, live))
        speak(news, live)


def _write(live: Live, out: Path) -> None:
    """Write the site; where that can't be, it is served all the same."""
    try:
        if live.output:
            write_site(live.output, out)
    except LoomError as error:
        _print(f"{error}\nthe site is served all the same")


def speak(news: News, live: Live) -> None:
    """Tell the terminal what an edit came to."""
    names = sorted(news.pages)
    parts = [*names[:NAMED], *([f"and {len(names) - NAMED} more"] if len(names) > NAMED else [])]
    parts += filter(None, [news.style])
    otherwise = "files beside the pages" if news.everything else "no change"
    _print(described(news.problems, live.options.root) or ", ".join(parts) or otherwise)


def _print(text: str) -> None:
    """Say something where a terminal may show how far a build is."""
    print(f"\r\x1b[K{text}" if sys.stderr.isatty() else text, file=sys.stderr, flush=True)


def described(problems: tuple[Problem, ...], root: Path) -> str:
    """Problems with the lines that they are in."""
    return "\n".join("\n".join(filter(None, (str(problem), excerpt(problem, root)))) for problem in problems)
