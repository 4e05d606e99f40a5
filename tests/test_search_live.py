"""The search under `serve`: its index is made when somebody searches, of the site as it is, and never for an edit."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import PurePosixPath

import pagefind.service
import pytest

from loom.build.pipeline import build_site
from loom.dev.live import Live
from loom.dev.serve import open_server
from loom.options import Options
from loom.render import search
from loom.render.headers import CSP, SEARCH_CSP
from tests.servers import running
from tests.sites import text, toy_site
from tests.test_search import FILES
from tests.test_serve import ask

OPENED = "/pagefind/pagefind.js"


@pytest.fixture
def live(tmp_path):
    started = Live(Options(toy_site(tmp_path / "site", **FILES), cache=tmp_path / "cache"))
    assert not started.follow().problems
    return started


@pytest.fixture
def made(monkeypatch) -> list[int]:
    """One entry for each time that an index is made: of how many pages."""
    times, make = [], search.made
    monkeypatch.setattr(search, "made", lambda pages: times.append(len(pages)) or make(pages))
    return times


def served(live: Live) -> AbstractContextManager[int]:
    return running(open_server(live, "/", 0))


def edit(live: Live, old: str, new: str) -> None:
    path = live.options.root / "content/index.md"
    path.write_text(path.read_text().replace(old, new))
    assert live.follow().pages == {"index.html"}


def indexed(port: int, live: Live) -> bytes:
    """What the index says of the pages, file by file as a browser asks for them."""
    names = [path for path in live.index.files if path.suffix == ".pf_fragment"]
    return b"".join(gzip.decompress(ask(port, f"/{path}")[1]) for path in names)


def test_site_is_the_finished_one_and_its_index_comes_when_it_is_asked_for(live):
    finished = build_site(live.options)
    index = sorted(path for path in finished if path.parts[0] == "pagefind")
    assert live.output == {path: raw for path, raw in finished.items() if path not in index}
    with served(live) as port:
        assert {path: ask(port, f"/{path}")[1] for path in index} == {path: finished[path] for path in index}
        assert ask(port, "/pagefind/nope.js")[0].status == 404
        for path in ("/", "/search/"):
            assert ask(port, path)[0].headers["Content-Security-Policy"].startswith(SEARCH_CSP)


def test_edit_makes_no_index_keeps_the_link_and_is_found_by_who_searches_next(live, made):
    with served(live) as port:
        ask(port, OPENED)
        edit(live, "zebra", "okapi")
        assert '<a href="search/">Search</a>' in text(live.output, "index.html")
        assert made == [3]
        assert b"zebra" in indexed(port, live)  # a page that was opened before goes on with its index
        ask(port, OPENED)
        assert b"okapi" in indexed(port, live) and b"zebra" not in indexed(port, live)
    assert made == [3, 3]


def test_index_is_made_once_however_many_ask_and_as_long_as_no_page_changes(live, made):
    with served(live) as port, ThreadPoolExecutor(8) as askers:
        assert {answer.status for answer, _ in askers.map(lambda _: ask(port, OPENED), range(8))} == {200}
        ask(port, OPENED)
    assert made == [3]


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/pagefind", None])
def test_index_that_fails_is_told_once_and_the_server_goes_on(live, monkeypatch, capsys, program):
    get = pagefind.service.get_executable
    monkeypatch.setattr(pagefind.service, "get_executable", lambda: program)
    with served(live) as port:
        for _ in range(3):
            assert ask(port, OPENED)[0].status == 404
        assert ask(port, "/search/")[0].status == 200
        monkeypatch.setattr(pagefind.service, "get_executable", get)
        edit(live, "zebra", "okapi")
        assert ask(port, OPENED)[0].status == 200
    told_to_the_terminal = capsys.readouterr().err
    assert told_to_the_terminal.count("the index can't be made") == 1
    assert "Traceback" not in told_to_the_terminal


@pytest.mark.parametrize("why", ["not wanted", "not installed"])
def test_site_without_search_has_no_trace_of_it(tmp_path, monkeypatch, why):
    if why == "not installed":
        monkeypatch.setattr(search, "NEEDS", ("pagefind_that_is_not_there",))
    live = Live(Options(toy_site(tmp_path, **(FILES | ({"site.yml": ""} if why == "not wanted" else {})))))
    live.follow()
    assert live.output == build_site(live.options)
    assert PurePosixPath("search/index.html") not in live.output
    with served(live) as port:
        answer, _ = ask(port, OPENED)
        assert (answer.status, answer.headers["Content-Security-Policy"].split(";")[:2]) == (404, CSP.split(";")[:2])
