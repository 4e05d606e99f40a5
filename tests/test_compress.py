"""Text files are compressed beside themselves, and come out as they went in."""

from __future__ import annotations

import gzip
from pathlib import Path, PurePosixPath

import brotli

from loom.build.folder import TEXT, compressed
from loom.cli import main
from tests.sites import site


def built_into(out: Path, root: Path, *flags: str) -> dict[PurePosixPath, bytes]:
    assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1", "--no-cache", *flags]) == 0
    files = [path for path in out.rglob("*") if path.is_file()]
    return {PurePosixPath(path.relative_to(out)): path.read_bytes() for path in files}


def test_every_text_file_is_there_three_times_and_the_same(tmp_path):
    root = site(tmp_path / "root", index="# Größe\n", **{"dot.png": b"\x89PNG", "rows.csv": "1\r\n"})
    plain, files = built_into(tmp_path / "plain", root), built_into(tmp_path / "out", root, "--compress")
    added = set(files) - set(plain)
    assert {path: files[path] for path in plain} == plain
    assert added == {path.with_name(path.name + end) for path in plain if path.suffix in TEXT for end in (".br", ".gz")}
    for path in added:
        undo = brotli.decompress if path.suffix == ".br" else gzip.decompress
        assert undo(files[path]) == files[path.with_suffix("")]
    kinds = {path.suffix for path in plain if path.suffix in TEXT}
    assert kinds >= {".html", ".css", ".js", ".svg", ".txt", ".md", ".csv", ".webmanifest"}


def test_what_is_compressed_holds_no_time():
    found = compressed({PurePosixPath("a.html"): b"text"})
    assert found[PurePosixPath("a.html.gz")][4:8] == bytes(4)
    assert found == compressed({PurePosixPath("a.html"): b"text"})


def test_sizes_that_the_build_tells_are_those_of_the_plain_files(tmp_path, capsys):
    root = site(tmp_path / "root", index="# Home\n")
    built_into(tmp_path / "plain", root)
    plain = capsys.readouterr().out.splitlines()[0]
    built_into(tmp_path / "out", root, "--compress")
    assert capsys.readouterr().out.splitlines()[0] == plain
