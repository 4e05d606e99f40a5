"""The development server: the site as it is edited, brought to the browser without losing the reader's place."""

from __future__ import annotations

import contextlib
import json
import queue
import sys
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any

from loom.address import INDEX
from loom.address import base_path as base_of
from loom.errors import LoomError, Problem
from loom.excerpt import excerpt
from loom.live import Live, News, watched
from loom.model import POLICY, SEARCH_POLICY
from loom.own import PACKAGE
from loom.serve import INDEXED, Handler, server

CLIENT = ("live.js", "live.css")
HEARTBEAT = 15  # seconds between signs of life, so that a browser that has gone is noticed
PAUSE = 5  # milliseconds without an edit, after which an editor has finished saving


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
        if name == "-/events":
            self._events()
        elif name.startswith("-/") and name[2:] in CLIENT:
            self._answer(HTTPStatus.OK, (PACKAGE / name[2:]).read_bytes(), PurePosixPath(name))
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
            self.audience.tell(told(news, self.live))
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
            for message in self.audience.listen(told(news, self.live)):
                self.wfile.write(f"data: {message}\n\n".encode() if message else b": still here\n\n")
                self.wfile.flush()
        except OSError:
            return  # the page was left


def told(news: News, live: Live) -> str:
    """News as the browser reads them."""
    root = live.options.root
    problems = [{"text": str(one), "excerpt": excerpt(one, root)} for one in news.problems]
    message: dict[str, Any] = {"pages": sorted(news.pages), "everything": news.everything, "style": news.style,
                               "problems": problems}  # fmt: skip
    return json.dumps(message, ensure_ascii=False)


def develop(live: Live, base_path: str, port: int) -> int:
    """Serve and follow edits until interrupted."""
    with open_server(live, base_path, port) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        print(f"http://127.0.0.1:{running.server_port}{base_of(base_path)}  (Ctrl+C ends it)", flush=True)
        try:
            watching(live, running)
        finally:
            running.shutdown()
            thread.join()
    return 0


def open_server(live: Live, base_path: str, port: int) -> ThreadingHTTPServer:
    """A server of the site as it is now."""
    return server(live.output, base_path, port, LiveHandler, live=live, audience=Audience())


def watching(live: Live, running: ThreadingHTTPServer, stop: threading.Event | None = None) -> None:
    """Follow edits until `stop`, and tell everybody."""
    site: Any = running.RequestHandlerClass
    for paths in edits(live, stop or threading.Event()):
        news = live.follow(paths)
        site.output = live.output
        site.audience.tell(told(news, live))
        speak(news, live)


def edits(live: Live, stop: threading.Event) -> Iterator[set[Path]]:
    """The files of each edit, those of folders too that are made meanwhile."""
    from watchfiles import watch

    while not stop.is_set():
        folders = watched(live.options)
        looking = watch(*folders, step=PAUSE, debounce=200, stop_event=stop, rust_timeout=500, yield_on_timeout=True)
        with contextlib.closing(looking):
            for changes in looking:
                if changes:
                    yield {Path(path) for _, path in changes}
                if new := set(watched(live.options)) - set(folders):
                    yield {path for folder in new for path in folder.rglob("*") if path.is_file()}
                    break


def speak(news: News, live: Live) -> None:
    """Tell the terminal."""
    if news.problems:
        print(described(news.problems, live.options.root), file=sys.stderr)
    elif news.everything:
        print(f"{len(live.output)} files", file=sys.stderr)
    else:
        print(", ".join([*sorted(news.pages), *([news.style] if news.style else [])]) or "no change", file=sys.stderr)


def described(problems: tuple[Problem, ...], root: Path) -> str:
    """Problems with the lines that they are in."""
    return "\n".join("\n".join(filter(None, (str(problem), excerpt(problem, root)))) for problem in problems)
