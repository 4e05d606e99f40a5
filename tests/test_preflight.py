"""What lies in a site's folders and can be neither named, read nor held is a problem, before anything is read."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from loom.build import preflight
from loom.cli import main
from loom.content.files import read_bytes
from loom.dev.live import Live
from loom.errors import LoomError, Problem
from loom.options import Options
from tests.sites import built, faults, problem, problems, site, toy_site

INDEX = "# Home\n"
FOLDERS = ["content", "content/part", "static", "static/player", "templates", "scenes", "scenes/toy"]


def odd(folder: Path, name: bytes = b"caf\xe9.js") -> Path:
    """A file whose name is not UTF-8."""
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
    try:
        path.write_text("x")
    except OSError:
        pytest.skip("this disk has no such names")
    return path


def sparse(path: Path, size: int) -> None:
    """A file of a size that takes no room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)


@pytest.mark.parametrize("folder", FOLDERS)
def test_name_that_is_not_utf8_is_told(tmp_path, folder):
    root = toy_site(tmp_path, index=INDEX)
    odd(root / folder)
    assert problem(root) == Problem(f"{folder}/caf\\xe9.js", 0, 0, "this name is not UTF-8", preflight.RENAME)
    assert faults(root) == problems(root)
    live = Live(Options(root))
    live.follow()
    assert live.problems == problems(root)


@pytest.mark.parametrize("command", ["build --no-cache", "check", "check --format json", "check --format github"])
def test_name_that_is_not_utf8_can_be_printed(tmp_path, command, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    root = site(tmp_path / "root", index=INDEX)
    odd(root / "content", b"caf\xe9.md")
    assert main([*command.split(), "--root", str(root)]) == 1
    told = capsys.readouterr()
    assert "xe9.md" in (told.out + told.err).encode().decode()


def test_folder_whose_name_is_not_utf8_is_told_once(tmp_path):
    root = site(tmp_path, index=INDEX)
    odd(Path(os.fsdecode(os.fsencode(root / "static") + b"/\xff")))
    assert problem(root).path == "static/\\xff"


def test_what_is_ignored_may_be_called_anything(tmp_path):
    root = site(tmp_path, index=INDEX)
    odd(root / "content", b".caf\xe9")
    odd(root / "content/_drafts")
    built(root)


@pytest.mark.parametrize(
    "name", ["content/site.yml", "content/glossary.yml", "content/references.yml", "content/references.bib",
             "templates/page.html", "templates/words/de.yml", "static/css/main.css", "static/player/main.js"]
)  # fmt: skip
def test_folder_in_the_place_of_a_file_is_told(tmp_path, name):
    root = site(tmp_path, index=INDEX)
    (root / name).mkdir(parents=True)
    hint = "put a file in the place of this folder"
    assert problem(root) == Problem(name, 0, 0, f"this file can't be read: {os.strerror(errno.EISDIR)}", hint)
    assert faults(root) == problems(root)


def test_folder_may_be_called_as_a_script_where_none_is_looked_for(tmp_path):
    built(site(tmp_path, index=INDEX, **{"static/three.js/readme.txt": "x", "part.md/a.md": "# A\n"}))


@pytest.mark.parametrize("name", ["content/page.md", "content/data.csv", "static/robots.txt", "templates/page.html"])
def test_file_that_may_not_be_read_is_told(tmp_path, name, monkeypatch):
    root = site(tmp_path, index=INDEX, **{name: "# A\n"})
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != str(root / name) and access(path, mode))
    hint = "let the one who builds read it"
    assert problem(root) == Problem(name, 0, 0, f"this file can't be read: {os.strerror(errno.EACCES)}", hint)


@pytest.mark.parametrize(
    "name", ["content/part", "static/part", "static/css", "templates/words", "scenes/toy", "content"]
)
def test_folder_that_may_not_be_read_is_told(tmp_path, name, monkeypatch):
    root = toy_site(tmp_path, index=INDEX)
    (root / name).mkdir(parents=True, exist_ok=True)
    listed = os.scandir

    def refused(place: str | Path) -> object:
        if str(place).rstrip("/") == str(root / name):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
        return listed(place)

    monkeypatch.setattr(os, "scandir", refused)
    hint = "let the one who builds read it"
    assert problem(root) == Problem(name, 0, 0, f"this folder can't be read: {os.strerror(errno.EACCES)}", hint)
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out")]) == 1


def test_file_that_fails_while_it_is_read_is_told_by_its_name(tmp_path):
    with pytest.raises(LoomError, match=r"^content/a\.png: this file can't be read: "):
        read_bytes(tmp_path / "a.png", "content/a.png")


def test_reading_that_fails_is_not_told_as_a_site_that_can_not_be_written(tmp_path, monkeypatch, capsys):
    root = site(tmp_path / "root", index=INDEX, **{"static/robots.txt": "x"})
    read = Path.read_bytes

    def failing(path: Path) -> bytes:
        if path.name == "robots.txt":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", failing)
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert f"static/robots.txt: this file can't be read: {os.strerror(errno.EIO)}" in told and "--out" not in told


@pytest.mark.parametrize(
    ("name", "limit"),
    [("content/page.md", 10), ("content/glossary.yml", 10), ("content/references.bib", 10), ("templates/page.html", 10),
     ("static/player/main.js", 10), ("content/a.png", 50), ("content/data.csv", 50), ("static/film.mp4", 50),
     ("static/bundle.js", 50)],
)  # fmt: skip
def test_file_that_is_larger_than_its_limit_is_told_and_not_read(tmp_path, name, limit, monkeypatch):
    root = site(tmp_path, index=INDEX)
    sparse(root / name, 20_000_000_000)
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail("read") if path == root / name else read(path))
    found = problem(root)
    assert (found.path, found.message) == (name, f"this file has 20,000.0 MB, and may have {limit}")
    assert found.hint
    sparse(root / name, limit * 1_000_000)
    assert list(preflight.input_problems(root)) == []


def test_file_of_a_scene_may_have_any_size(tmp_path):
    root = toy_site(tmp_path, index=INDEX)
    sparse(root / "scenes/toy/data.bin", 20_000_000_000)
    assert list(preflight.input_problems(root)) == []


@pytest.mark.parametrize("name", ["static/secret.txt", "static/part/secret.js", "templates/page.html", "static/etc"])
def test_link_out_of_the_site_is_told(tmp_path, name):
    root, secret = site(tmp_path / "site", index=INDEX), tmp_path / "secret"
    secret.mkdir()
    target = secret if name == "static/etc" else secret / "file"
    (secret / "file").write_text("secret")
    (root / name).parent.mkdir(parents=True)
    (root / name).symlink_to(target)
    hint = f"copy the file: what lies in {name.split('/')[0]}/ is published"
    assert problem(root) == Problem(name, 0, 0, f"this is a link to {target}, outside the site", hint)


def test_links_within_the_site_and_folders_that_are_links_are_followed(tmp_path):
    root = toy_site(tmp_path / "site", index=INDEX + "\n:::{scene} toy\n:::\n", **{"static/a.txt": "a"})
    for name in ("static", "scenes", "content"):
        (root / name).rename(tmp_path / name)
        (root / name).symlink_to(tmp_path / name)
    (tmp_path / "scenes/toy").rename(tmp_path / "toy")
    (tmp_path / "scenes/toy").symlink_to(tmp_path / "toy")
    (root / "static/b.txt").symlink_to(tmp_path / "static/a.txt")
    (root / "static/nowhere.txt").symlink_to("nowhere.txt")
    assert {"a.txt", "b.txt"} <= {str(path) for path in built(root)}
