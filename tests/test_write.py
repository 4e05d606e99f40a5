"""Writing is all or nothing: the last good site stays, foreign folders are left alone, nothing is left lying about."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

import pytest

from loom.build.write import MARK, write_site
from loom.cli import main
from loom.errors import LoomError
from tests.sites import TOY, altered, site, toy_site

OUTPUT = {PurePosixPath("index.html"): b"<p>", PurePosixPath("deep/a.txt"): b"a"}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def build(root: Path, out: Path) -> int:
    return main(["build", "--root", str(root), "--out", str(out), "--jobs", "1"])


def test_folder_becomes_the_site_and_old_files_go(tmp_path):
    out = tmp_path / "new" / "site"
    write_site({**OUTPUT, PurePosixPath("old.txt"): b"old"}, out)
    write_site(OUTPUT, out)
    assert files(out).keys() == {"index.html", "deep/a.txt", MARK}
    assert files(out)["deep/a.txt"] == b"a"


def test_empty_folder_may_be_taken(tmp_path):
    write_site(OUTPUT, tmp_path)
    assert "index.html" in files(tmp_path)


def test_site_can_be_read_by_others(tmp_path):
    write_site(OUTPUT, tmp_path / "site")
    assert (tmp_path / "site").stat().st_mode & 0o777 == 0o755


def test_folder_that_is_replaced_leaves_its_rights_to_the_next_one(tmp_path):
    out = tmp_path / "site"
    for mode in (0o750, 0o705):
        write_site(OUTPUT, out)
        out.chmod(mode)
        write_site({**OUTPUT, PurePosixPath(f"{mode}.txt"): b"new"}, out)
        assert stat.S_IMODE(out.stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives folders away")
def test_folder_that_is_replaced_leaves_its_owner_to_the_next_one(tmp_path):
    out = tmp_path / "site"
    write_site(OUTPUT, out)
    os.chown(out, 1234, 1235)
    write_site({**OUTPUT, PurePosixPath("new.txt"): b"new"}, out)
    assert (out.stat().st_uid, out.stat().st_gid) == (1234, 1235)


def test_foreign_folder_is_refused_before_its_files_are_looked_at(tmp_path, capsys, monkeypatch):
    """It may be a whole disk."""
    place, seen = tmp_path / "disk", []
    place.mkdir()
    (place / "thesis.txt").write_text("years of work")
    monkeypatch.setattr("loom.build.folder.outputs", seen.append)
    assert build(toy_site(tmp_path / "root"), place) == 1
    assert seen == [] and "files that Loom did not write" in capsys.readouterr().err


def test_foreign_folder_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(LoomError) as caught:
        write_site(OUTPUT, tmp_path)
    (problem,) = caught.value.problems
    assert (problem.path, problem.message) == (str(tmp_path), "this folder has files that Loom did not write")
    assert problem.hint == "choose another --out, or empty it yourself"
    assert files(tmp_path) == {"thesis.txt": b"years of work"}


def test_nothing_temporary_is_left(tmp_path):
    for _ in range(2):
        write_site(OUTPUT, tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_link_to_the_folder_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    link = tmp_path / "site"
    link.symlink_to(tmp_path / "far" / "site")
    for _ in range(2):  # at first it leads nowhere
        write_site(OUTPUT, link)
    assert link.is_symlink()
    assert files(tmp_path / "far" / "site")["index.html"] == b"<p>"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["far", "site"]
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["site"]


def test_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "site").write_text("a file")
    with pytest.raises(LoomError):
        write_site(OUTPUT, tmp_path / "site")


def test_mounted_disk_in_the_place_of_the_folder_is_refused_before_the_work(tmp_path, monkeypatch, capsys):
    root = site(tmp_path / "site", index="# Site\n")
    (tmp_path / "disk").mkdir()
    monkeypatch.setattr(os.path, "ismount", lambda path: Path(path) == tmp_path / "disk")
    monkeypatch.setattr("loom.build.pipeline.Builder.build", lambda *_: pytest.fail("it was begun"))
    assert build(root, tmp_path / "disk") == 1
    told = capsys.readouterr().err
    assert "disk: this is a mounted disk" in told and "hint: choose a folder within it as --out" in told


def test_place_below_a_file_is_refused_in_words(tmp_path):
    (tmp_path / "file").write_text("a file")
    with pytest.raises(LoomError, match="can't write here"):
        write_site(OUTPUT, tmp_path / "file" / "site")


def test_write_that_fails_half_way_leaves_the_last_site(tmp_path):
    write_site(OUTPUT, tmp_path / "site")
    before = files(tmp_path / "site")
    clash = {PurePosixPath("a"): b"a file", PurePosixPath("a/b"): b"below it"}
    with pytest.raises(LoomError, match="can't write the site"):
        write_site(clash, tmp_path / "site")
    assert files(tmp_path / "site") == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_name_that_the_disk_has_no_room_for_is_told(tmp_path):
    with pytest.raises(LoomError, match=r"File name too long: 'cupcup.*…'") as caught:
        write_site({PurePosixPath("cup" * 100): b"x"}, tmp_path / "site")
    assert "a shorter name" in caught.value.problems[0].hint


@pytest.mark.parametrize(
    "broken",
    [
        {"index.md": "# Home\n\n{term}`nope`\n"},
        {"index.md": "---\norder: x\n---\n"},
        {"index.md": b"\xff"},
        {"index.md": "# Home\n\n[a](nope.md)\n"},
        {"index.md": "# Home\n\n:::{nope}\n:::\n"},
        {"scenes/toy/scene.py": altered(TOY, ("    return Table(", "    return Tabel("))},
        {"templates/page.html": "{{ nope }}"},
        {"index.md": "# Home\n\n{value}`toy.count | 17`\n"},
    ],
    ids=["term", "front-matter", "encoding", "link", "directive", "scene", "template", "assertion"],
)
def test_failing_build_leaves_the_last_good_site(tmp_path, capsys, broken):
    out = tmp_path / "out"
    good = toy_site(tmp_path / "good", index="# Home\n\n:::{scene} toy\n:::\n")
    assert build(good, out) == 0
    before = {name: (raw, (out / name).stat().st_mtime_ns) for name, raw in files(out).items()}
    bad = toy_site(tmp_path / "bad", **{"index.md": "# Home\n\n:::{scene} toy\n:::\n", **broken})
    assert build(bad, out) == 1
    assert {name: (raw, (out / name).stat().st_mtime_ns) for name, raw in files(out).items()} == before
    assert "nothing was written" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad", "good", "out"]


def test_failing_first_build_makes_no_folder(tmp_path):
    assert build(site(tmp_path / "root", index="{term}`nope`\n"), tmp_path / "out") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_may_not_be_written_is_refused_in_words(tmp_path):
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(LoomError, match="can't write here"):
            write_site(OUTPUT, tmp_path / "site")
    finally:
        tmp_path.chmod(0o755)
