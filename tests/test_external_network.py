"""Other sites are asked over the network: a server on this machine stands for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import loom.lint.external
from loom.cli import main
from loom.lint.external import LinkChecker
from loom.lint.fetch import fetch
from tests.servers import running
from tests.sites import site


class _Answers(BaseHTTPRequestHandler):
    """/gone is not there, /short refuses HEAD, /moved has moved."""

    asked: list[tuple[str, str, str]] = []

    def do_HEAD(self) -> None:
        self.asked.append((self.command, self.path, self.headers["User-Agent"]))
        status = {"/gone": 404, "/moved": 301, "/later": 429, "/loop": 302, "/file": 302, "/nowhere": 302}.get(
            self.path, 200
        )
        self.send_response(405 if self.path == "/short" and self.command == "HEAD" else status)
        if self.path != "/nowhere":
            self.send_header("Location", {"/loop": "/loop", "/file": "file:///etc/hosts"}.get(self.path, "/there"))
        self.send_header("Retry-After", "99")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(monkeypatch) -> Iterator[str]:
    monkeypatch.setenv("no_proxy", "*")
    _Answers.asked.clear()
    with running(ThreadingHTTPServer(("127.0.0.1", 0), _Answers)) as port:
        yield f"http://127.0.0.1:{port}"


def test_sites_are_asked_over_the_network_by_somebody_who_says_who_they_are(address):
    assert fetch(f"{address}/there", "HEAD", "Loom").status == 200
    assert fetch(f"{address}/moved", "HEAD", "Loom").status == 200
    assert fetch(f"{address}/größe", "HEAD", "Loom").status == 200
    assert fetch(f"{address}/gone", "HEAD", "Loom").wrong == "answers 404 Not Found"
    assert fetch(f"{address}/later", "HEAD", "Loom").later == "99"
    assert {agent for *_, agent in _Answers.asked} == {"Loom"}


@pytest.mark.parametrize("path", ["loop", "file", "nowhere"])
def test_redirection_that_leads_nowhere_is_no_good_answer_and_is_not_kept(address, path, tmp_path):
    memory = tmp_path / "external.json"
    found = LinkChecker(cache_file=memory, sleep=lambda _: None).check([f"{address}/{path}"])
    assert found[f"{address}/{path}"].startswith("answers 302 ")
    assert "\n" not in found[f"{address}/{path}"]
    assert json.loads(memory.read_text()) == {}


def test_name_and_password_in_a_link_are_refused_without_asking(address):
    assert (
        fetch(address.replace("//", "//me:secret@"), "HEAD", "Loom").wrong
        == "holds a name and a password, which do not belong in a link"
    )
    assert _Answers.asked == []


@pytest.mark.parametrize("bad", ["http://127.0.0.1:1/", "http://[x/", "http://a b/", "https://", "http://x:y/"])
def test_address_that_can_not_be_asked_is_an_answer_and_no_traceback(bad, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    assert fetch(bad, "HEAD", "Loom").wrong.startswith("can't be reached: ")


def test_command_asks_and_remembers(tmp_path, address, capsys, monkeypatch):
    monkeypatch.setattr(loom.lint.external, "PAUSE", 0)
    text = f"---\nsummary: One.\n---\n# Home\n\n[a]({address}/short) and [b]({address}/gone)\n"
    root = site(tmp_path, index=text, **{"site.yml": "url: https://own.example/\n"})
    for expected in (["/gone", "/gone", "/short", "/short"], ["/gone", "/gone"]):
        _Answers.asked.clear()
        assert main(["check", "--root", str(root), "--jobs", "1", "--external"]) == 1
        printed = capsys.readouterr().err
        assert f"content/index.md:6:43: '{address}/gone' answers 404 Not Found" in printed
        assert sorted(path for _, path, _ in _Answers.asked) == expected
    assert main(["check", "--root", str(root), "--external", "--max-age", "0"]) == 1
    assert len(_Answers.asked) == 6
    assert {agent for *_, agent in _Answers.asked} == {"Loom link check for https://own.example/"}
