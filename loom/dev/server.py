"""Serve a built site on localhost, with strict headers."""

from __future__ import annotations

import contextlib
import mimetypes
import re
import socket
import sys
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from loom.addresses import INDEX, base_path
from loom.errors import LoomError, Problem
from loom.model import Output
from loom.render.headers import CSP, SEARCH_CSP, can_embed, headers

KINDS = mimetypes.MimeTypes().types_map[True]  # Python's own table: the module's global one may have been changed
TYPES = {
    ".js": "text/javascript",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".md": "text/markdown",
}
TEXT, MISSING = PurePosixPath("message.txt"), PurePosixPath("404.html")
INDEXED = PurePosixPath(INDEX) / "pagefind.js"
LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d*)?", re.IGNORECASE)
CONNECTIONS = 128  # open at the same time; a browser has six
PORTS = range(65536)
PRIVATE = {"Cross-Origin-Resource-Policy": "same-origin"}  # other sites in the browser can't read what is served here
NO_HEADERS: Mapping[str, str] = {}


class Handler(BaseHTTPRequestHandler):
    """Answers from a site in memory, which `server` sets."""

    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds after which an idle connection is closed
    output: Output
    base: str

    def do_GET(self) -> None:
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # the body is not read, and must not be taken for the next request
        try:
            path = unquote(urlsplit(self.path).path)
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        if not LOOPBACK.fullmatch(self.headers.get("Host", "")):
            self._answer(HTTPStatus.FORBIDDEN, b"this server answers this machine only", TEXT)
        elif f"{path}/" == self.base:
            self._elsewhere(self.base)
        elif not path.startswith(self.base):
            self._answer(HTTPStatus.NOT_FOUND, f"the site is at {self.base}".encode(), TEXT)
        else:
            self._file(path.removeprefix(self.base))

    do_HEAD = do_GET  # noqa: N815

    def _file(self, name: str) -> None:
        path = PurePosixPath(name)
        index = path / "index.html"
        whole = name == str(path)
        if name in ("", f"{path}/"):
            path, whole = index, True
        elif whole and path not in self.output and index in self.output:
            self._elsewhere(f"{self.base}{quote(name)}/")
            return
        if whole and path in self.output:
            self._answer(HTTPStatus.OK, self.output[path], path)
        else:
            missing = self.output.get(MISSING, b"there is no such page")
            self._answer(HTTPStatus.NOT_FOUND, missing, MISSING)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a bad request, with our headers, which the standard library's own page would lack."""
        status = HTTPStatus(code)
        self.close_connection = True  # the rest of the connection can't be parsed reliably
        self._answer(status, (message or status.phrase).encode(), TEXT)

    def _elsewhere(self, address: str) -> None:
        self._answer(HTTPStatus.MOVED_PERMANENTLY, b"", TEXT, {"Location": address})

    def _answer(
        self, status: HTTPStatus, body: bytes, path: PurePosixPath, more: Mapping[str, str] = NO_HEADERS
    ) -> None:
        kind = TYPES.get(path.suffix) or KINDS.get(path.suffix, "application/octet-stream")
        lines = {
            "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
            "Content-Length": str(len(body)),
            **PRIVATE,
            **headers(path, self._policy(), embeds=can_embed(self.output)),
            **more,
        }
        self._begin(status, lines)
        if self.command != "HEAD":
            with contextlib.suppress(ConnectionError):  # the browser has closed the connection
                self.wfile.write(body)

    def _begin(self, status: HTTPStatus, lines: Mapping[str, str]) -> None:
        """Send the status and the headers of an answer."""
        self.send_response(status)
        for name, text in lines.items():
            self.send_header(name, text)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def _policy(self) -> str:
        """One policy for all files, see loom.render.headers."""
        return SEARCH_CSP if INDEXED in self.output else CSP

    def log_message(self, *_: object) -> None:
        """Log nothing: the browser's developer tools show requests."""


class Server(ThreadingHTTPServer):
    """Answers each connection in its own thread. If there are too many, the oldest one is closed."""

    request_queue_size = 128  # a page with many pictures asks for all of them at once

    def __init__(self, *given: Any) -> None:
        self.lock, self.threads = threading.Lock(), 0
        self.connections: dict[Any, None] = {}  # open connections, the oldest first
        super().__init__(*given)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start a thread for a connection; refuse it if too many threads of closed connections still run."""
        with self.lock:
            self.threads += 1
            self.connections[request] = None
            oldest = next(iter(self.connections)) if len(self.connections) > CONNECTIONS else None
            self.connections.pop(oldest, None)
            refused = self.threads > 2 * CONNECTIONS
        if oldest:
            with contextlib.suppress(OSError):  # it is closed already
                oldest.shutdown(socket.SHUT_RDWR)
        if refused:
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection at the end of its thread."""
        with self.lock:
            self.threads -= 1
            self.connections.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that a browser has closed; print the traceback of other errors."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def server(output: Output, given: str, port: int, handler: type[Handler] = Handler, **more: Any) -> ThreadingHTTPServer:
    """A server for the site below the path `given`, not running yet; `more` are further attributes of the `handler`.

    Port 0 lets the system choose.
    """
    settings = {"output": output, "base": base_path(given), **more}
    if port not in PORTS:
        hint = "choose one up to 65535 with --port; 0 lets the system choose"
        raise LoomError(Problem("serve", 0, 0, f"{port} is not the number of a port", hint))
    try:
        return Server(("127.0.0.1", port), type("Site", (handler,), settings))
    except OSError as error:
        message = f"port {port} can't be had: {error.strerror}"
        raise LoomError(Problem("serve", 0, 0, message, "choose another with --port")) from None
