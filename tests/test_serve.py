"""The development server: this machine only, strict headers, clean addresses, any base path."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import PurePosixPath

import pytest

from loom.dev.server import CONNECTIONS, Handler, server
from loom.errors import LoomError
from loom.model import Output
from tests.servers import running

OUTPUT = {
    PurePosixPath(name): raw
    for name, raw in {
        "index.html": "<p>Größe".encode(),
        "deep/part/index.html": b"<p>part",
        "assets/main.js": b"go()",
        "assets/style.css": b"p {}",
        "assets/data.json": b"{}",
        "favicon.svg": b"<svg/>",
        "sans.woff2": b"font",
        "odd.thing": b"?",
    }.items()
}


Answer = tuple[http.client.HTTPResponse, bytes]


@contextmanager
def serving(base: str = "/", output: Output = OUTPUT) -> Iterator[int]:
    """A server in a thread; gives its port."""
    with running(server(output, base, 0)) as port:
        yield port


def ask(port: int, path: str, host: str = "127.0.0.1", method: str = "GET", *, bare: bool = False) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request(method, path, headers={"Host": host if bare else f"{host}:{port}"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as number:
        yield number


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("/", "index.html", "text/html; charset=utf-8"),
        ("/?a=1", "index.html", "text/html; charset=utf-8"),
        ("/deep/part/", "deep/part/index.html", "text/html; charset=utf-8"),
        ("/deep/part/index.html", "deep/part/index.html", "text/html; charset=utf-8"),
        ("/deep/p%61rt/", "deep/part/index.html", "text/html; charset=utf-8"),
        ("/assets/main.js", "assets/main.js", "text/javascript; charset=utf-8"),
        ("/assets/style.css", "assets/style.css", "text/css; charset=utf-8"),
        ("/assets/data.json", "assets/data.json", "application/json"),
        ("/favicon.svg", "favicon.svg", "image/svg+xml"),
        ("/sans.woff2", "sans.woff2", "font/woff2"),
        ("/odd.thing", "odd.thing", "application/octet-stream"),
    ],
)
def test_files_are_served_with_their_types(port, path, name, kind):
    answer, body = ask(port, path)
    assert (answer.status, body) == (200, OUTPUT[PurePosixPath(name)])
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/nope", "/assets/main.js"])
def test_every_answer_carries_a_strict_policy(port, path):
    policy = ask(port, path)[0].headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy


def test_address_of_a_page_without_slash_leads_to_the_one_with(port):
    answer, body = ask(port, "/deep/part")
    assert (answer.status, answer.headers["Location"], body) == (301, "/deep/part/", b"")


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/deep/",
        "/assets",
        "/../index.html",
        "/%2e%2e/loom/dev/server.py",
        "//etc/passwd",
        "/index.html/",
        "/favicon.svg/",
        "/assets//main.js",
        "/./favicon.svg",
    ],
)
def test_what_is_not_in_the_site_is_not_found(port, path):
    answer, body = ask(port, path)
    assert (answer.status, body) == (404, b"there is no such page")


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org", "localhost.evil", ""])
def test_other_names_of_this_machine_are_refused(port, host):
    # A page elsewhere may let its own name point here: DNS rebinding.
    answer, body = ask(port, "/", host=host)
    assert answer.status == 403 and "Größe".encode() not in body


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
@pytest.mark.parametrize("bare", [True, False])
def test_loopback_names_are_answered(port, host, bare):
    assert ask(port, "/", host=host, bare=bare)[0].status == 200


def test_head_has_the_headers_and_no_body(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head, _, body = b"".join(iter(lambda: connection.recv(4096), b"")).partition(b"\r\n\r\n")
    assert b"200 OK" in head and b"Content-Length: 10" in head and body == b""


def test_what_comes_with_a_request_is_not_taken_for_another(port):
    inner = b"GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner)
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.count(b"HTTP/1.1 200") == 1 and b"<svg/>" not in answer


@pytest.mark.parametrize("path", ["/%00", "/deep%00/", "/%2e%2e%2fserver.py", "/..%2f..%2fetc/hosts", "/%ff%fe"])
def test_addresses_that_mean_no_file_of_the_site_are_not_found(port, path):
    assert ask(port, path)[0].status == 404
    assert ask(port, "/")[0].status == 200


def test_a_hundred_connections_that_say_nothing_keep_nobody_waiting(port):
    with ExitStack() as idle:
        for number in range(100):
            connection = idle.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
            connection.sendall(b"GET / HTTP/1.1\r\n"[: number % 17])
        assert ask(port, "/")[0].status == 200


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"], ids=["idle", "kept"])
def test_many_connections_make_no_endless_threads_and_the_next_is_answered(port, begun):
    before = threading.active_count()
    with ExitStack() as idle:
        for _ in range(3 * CONNECTIONS):
            connection = idle.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
            connection.sendall(begun)
            assert settled(2 * CONNECTIONS, before)
        assert settled(CONNECTIONS, before)
        assert ask(port, "/")[0].status == 200
        assert settled(CONNECTIONS, before)


def settled(most: int, before: int) -> bool:
    """Whether no more than so many threads have been added, once those of closed connections have had time to end."""
    until = time.monotonic() + 10
    while (over := threading.active_count() - before > most) and time.monotonic() < until:
        time.sleep(0.02)
    return not over


def raw(port: int, request: bytes) -> tuple[bytes, bytes]:
    """What comes back for a request that no client would send: headers and body."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(request)
        head, _, body = b"".join(iter(lambda: connection.recv(4096), b"")).partition(b"\r\n\r\n")
    return head, body


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        (b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400", b"Bad Request"),
        (b"PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"501", b"Unsupported method"),
        (b"GET /deep/part HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"301", b""),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414", b"URI Too Long"),
    ],
    ids=["address", "method", "elsewhere", "length"],
)
def test_whatever_is_asked_is_answered_with_the_same_policy(port, capfd, request_, status, words):
    head, body = raw(port, request_)
    assert head.split()[1] == status and words.lower() in body.lower()
    assert b"Content-Security-Policy: default-src 'none'" in head
    assert b"Cross-Origin-Resource-Policy: same-origin" in head
    assert "Traceback" not in capfd.readouterr().err


def test_connection_that_nobody_uses_is_closed(port, monkeypatch):
    monkeypatch.setattr(Handler, "timeout", 0.2)
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        assert connection.recv(1) == b""


def test_nothing_but_reading_is_offered(port):
    assert ask(port, "/", method="POST")[0].status == 501


@pytest.mark.parametrize("base", ["/loom/", "loom", "/loom", "//loom//"])
def test_site_lies_below_its_base_path_however_it_is_written(base):
    with serving(base) as port:
        assert ask(port, "/loom/")[1] == OUTPUT[PurePosixPath("index.html")]
        assert ask(port, "/loom/deep/part")[0].headers["Location"] == "/loom/deep/part/"
        outside, body = ask(port, "/deep/part/")
        assert (outside.status, body) == (404, b"the site is at /loom/")


def test_base_path_of_two_folders_is_kept():
    with serving("/a/b/") as port:
        assert ask(port, "/a/b/favicon.svg")[0].status == 200
        assert ask(port, "/a/favicon.svg")[0].status == 404


def test_base_path_without_slash_leads_to_the_one_with():
    with serving("/loom/") as port:
        answer, _ = ask(port, "/loom")
        assert (answer.status, answer.headers["Location"]) == (301, "/loom/")


def test_port_that_is_taken_is_a_problem_with_a_way_out():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(LoomError) as caught:
            server(OUTPUT, "/", number)
    (problem,) = caught.value.problems
    assert problem.message.startswith(f"port {number} can't be had: ")
    assert problem.hint == "choose another with --port"


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_number_that_is_no_port_is_a_problem(port):
    with pytest.raises(LoomError, match=f"{port} is not the number of a port"):
        server(OUTPUT, "/", port)


@pytest.mark.parametrize("error", [ConnectionResetError, BrokenPipeError, ZeroDivisionError])
def test_browser_that_hangs_up_is_no_news_but_a_bug_is(monkeypatch, capfd, error):
    def fails(self: object, name: str) -> None:
        raise error

    monkeypatch.setattr("loom.dev.server.Handler._file", fails)
    with serving() as port, pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        ask(port, "/")
    assert ("Traceback" in capfd.readouterr().err) == (error is ZeroDivisionError)
