"""The command `serve`: what it says, that it takes its port first, and that no edit of any folder is missed."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import pytest

from loom.cli import main
from loom.dev import serve as dev
from loom.dev.live import Live, News
from loom.dev.serve import print_news
from loom.dev.watch import edits
from loom.options import Options
from tests.sites import site, toy_site
from tests.test_serve import ask

PAGES = {
    "index": "# Home\n\n:::{scene} toy\n:::\n",
    "part": "# Part\n\nText.\n",
    "static/css/main.css": "p { margin: 0 }\n",
}


@contextmanager
def following(live: Live) -> Iterator[None]:
    """A site that follows its folder."""
    stop = threading.Event()
    edited = edits(live.options, stop)
    assert next(edited) == set()
    live.follow()
    thread = threading.Thread(target=lambda: [live.follow() for paths in edited if paths])
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def until(true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("it never came")


def serve(root: Path, out: Path, *more: str) -> int:
    return main(["serve", "--root", str(root), "--out", str(out), "--port", "0", "--jobs", "1", *more])


@pytest.mark.parametrize("pause", [0.0, 0.4])
def test_folder_that_is_made_anew_is_followed(tmp_path, pause):
    root = toy_site(tmp_path / "root", **PAGES)
    live = Live(Options(root, cache=root / ".cache"))
    page, style = PurePosixPath("part/index.html"), root / "static/css/main.css"
    with following(live):
        for name in ("content", "scenes", "static"):
            shutil.copytree(root / name, tmp_path / name)
            shutil.rmtree(root / name)
            time.sleep(pause)
            shutil.copytree(tmp_path / name, root / name)
        until(lambda: not live.problems)
        for text in ("Second.", "Third."):
            (root / "content/part.md").write_text(f"# Part\n\n{text}\n")
            until(lambda text=text: text.encode() in live.output[page])
        scene = root / "scenes/toy/scene.py"
        scene.write_text(scene.read_text().replace("A bar grows.", "A bar grows long."))
        until(lambda: b"grows long" in live.output[PurePosixPath("index.html")])
        style.write_text("p { color: red }\n")
        until(lambda: any(b"color:red" in raw for path, raw in live.output.items() if path.suffix == ".css"))


def test_folder_that_another_takes_the_place_of_brings_what_differs(tmp_path):
    root = toy_site(tmp_path / "root", **PAGES)
    live = Live(Options(root))
    with following(live):
        shutil.copytree(root / "content", tmp_path / "next")
        (tmp_path / "next/part.md").unlink()
        (root / "content").rename(tmp_path / "before")
        (tmp_path / "next").rename(root / "content")
        until(lambda: PurePosixPath("part/index.html") not in live.output)
        assert PurePosixPath("index.html") in live.output


def test_name_that_is_not_utf8_ends_no_watching(tmp_path):
    root = site(tmp_path / "root", index="# Home\n")
    stop, said, seen = threading.Event(), [], set()
    watching = edits(Options(root), stop, said.append)
    assert next(watching) == set()
    for number in range(2):
        Path(os.fsdecode(os.fsencode(root / "content") + b"/caf\xe9%d.js" % number)).touch()
        while root / "content" not in seen:  # all of it is built anew
            seen |= next(watching)
        seen.clear()
    (root / "content/index.md").write_text("# House\n")
    while root / "content/index.md" not in seen:
        seen |= next(watching)
    assert len(said) == 1 and "watching again" in said[0]


def test_where_nothing_can_be_watched_stamps_are_compared(tmp_path, monkeypatch):
    def refused(*_: object, **__: object) -> Iterator[set[object]]:
        raise OSError("no more watches")
        yield set()

    monkeypatch.setattr("watchfiles.watch", refused)
    monkeypatch.setattr("loom.dev.watch.POLL", 0.02)
    root = site(tmp_path / "root", index="# Home\n")
    stop, said = threading.Event(), []
    watching = edits(Options(root), stop, said.append)
    assert next(watching) == set()
    (root / "content/index.md").write_text("# A longer home\n")
    assert next(watching) == {root / "content/index.md"}
    (root / "content/new.md").write_text("# New\n")
    assert next(watching) == {root / "content/new.md"}
    (root / "content/new.md").unlink()
    assert next(watching) == {root / "content/new.md"}
    assert len(said) == 2 and said[1].endswith("files are looked through instead, twice a second")


def test_edit_during_the_first_build_is_seen(tmp_path, monkeypatch):
    root = site(tmp_path / "root", index="# Home\n")
    seen = []

    def edited(live: Live) -> News:
        (root / "content/index.md").write_text("# House\n")
        return News()

    monkeypatch.setattr(Live, "follow", edited)
    monkeypatch.setattr(dev, "follow_edits", lambda live, running, news: seen.append(next(news)))
    assert serve(root, tmp_path / "out") == 0
    assert seen == [{root / "content/index.md"}]


def test_serve_tells_of_mistakes_and_serves_all_the_same(tmp_path, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(dev, "follow_edits", lambda live, running, news: asked.append(ask(running.server_port, "/")))
    root = site(tmp_path / "root", index="{nope}`x`\n")
    assert serve(root, tmp_path / "out") == 0
    ((answer, body),) = asked
    assert (answer.status, b"live.js" in body) == (404, True)  # there is no page yet, but one that listens
    told = capsys.readouterr().err
    assert "content/index.md:1:1: unknown role 'nope'" in told
    assert "> 1 | {nope}`x`" in told


def test_port_is_taken_before_anything_is_built(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Live, "follow", lambda live: pytest.fail("built"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert (
            serve(site(tmp_path / "root", index="# Home\n"), tmp_path / "out", "--port", str(taken.getsockname()[1]))
            == 1
        )
    assert "can't be had" in capsys.readouterr().err


def test_serve_says_that_it_builds_and_where_the_site_is(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(dev, "follow_edits", lambda *_: None)
    assert serve(site(tmp_path / "root", index="# Home\n"), tmp_path / "out") == 0
    told = capsys.readouterr()
    assert told.err.splitlines()[0] == "building …" and told.err.splitlines()[1].endswith(" files")
    assert told.out.startswith("http://127.0.0.1:") and told.out.count("\n") == 1
    assert (tmp_path / "out/index.html").exists()


def test_site_that_can_not_be_written_is_served_all_the_same(tmp_path, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(dev, "follow_edits", lambda live, running, news: asked.append(ask(running.server_port, "/")))
    (tmp_path / "file").touch()
    assert serve(site(tmp_path / "root", index="# Home\n"), tmp_path / "file" / "out") == 0
    assert asked[0][0].status == 200
    told = capsys.readouterr().err
    assert "can't write here" in told and "the site is served all the same" in told


@pytest.mark.parametrize(("news", "said"), [
    (News(frozenset(["b.html", "a.html"])), "a.html, b.html"),
    (News(frozenset(map(str, range(9))), everything=True), "0, 1, 2, 3, 4, and 4 more"),
    (News(everything=True), "files beside the pages"),
    (News(style="assets/style.css"), "assets/style.css"),
    (News(), "no change"),
    (News(mended=True), "mended"),
])  # fmt: skip
def test_edit_is_told_by_the_pages_that_changed(tmp_path, capsys, news, said):
    print_news(news, Live(Options(tmp_path)))
    assert capsys.readouterr().err == f"{said}\n"
