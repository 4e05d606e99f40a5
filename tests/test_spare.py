"""The site that was replaced last is what the next one is made of, and whatever lies in it, nobody sees any of it."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from loom.build import spare as spares
from loom.cli import main
from tests.interrupted import interrupted
from tests.sites import site

PAGES = {"index": "# Home\n\n[A part](part.md)\n", "part": "# Part\n", "deep/down": "# Down\n", "dot.svg": "<svg/>"}


@pytest.fixture
def root(tmp_path):
    """A site that was built and edited, so that there is a spare."""
    made = site(tmp_path / "root", **PAGES)
    build(made)
    edit(made, "First.")
    assert spare(made).is_dir()
    return made


def build(root: Path, name: str = "out", *flags: str) -> dict[str, bytes]:
    time.sleep(0.03)  # or files would count as changed just now
    out = root.with_name(name)
    assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1", *flags]) == 0
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def edit(root: Path, text: str, **more: str) -> dict[str, bytes]:
    site(root, part=f"# Part\n\n{text}\n", **more)
    return build(root)


def fresh(root: Path) -> dict[str, bytes]:
    shutil.rmtree(root.with_name("fresh"), ignore_errors=True)
    return build(root, "fresh", "--no-cache")


def spare(root: Path) -> Path:
    return root / ".cache" / spares.SPARE


def folders(out: Path) -> dict[str, int]:
    return {str(path.relative_to(out)): path.stat().st_ino for path in [out, *out.rglob("*")] if path.is_dir()}


def test_edit_makes_no_folder_that_was_there_before_the_last_one(root):
    out, seen = root.with_name("out"), []
    for text in ("Second.", "Third.", "Fourth."):
        edit(root, text)
        seen.append(folders(out))
    assert seen[0] == seen[2] != seen[1]


def test_two_sites_take_turns_and_only_the_last_two_are_kept(root):
    for text in ("Second.", "Third."):
        edit(root, text)
    texts = [(folder / "part/index.md").read_text()[-8:] for folder in (root.with_name("out"), spare(root))]
    assert [text.split()[-1] for text in texts] == ["Third.", "Second."]
    assert sorted(path.name for path in (root / ".cache").iterdir()) == ["loom", spares.SPARE]
    assert sorted(path.name for path in root.parent.iterdir()) == ["out", "root"]


def spoilt(folder: Path, elsewhere: Path) -> None:
    """Whatever may lie in a spare that others had their hands on."""
    (folder / "index.html").unlink()
    (folder / "index.html").write_text("old")
    shutil.rmtree(folder / "part")
    (folder / "part").symlink_to(elsewhere)
    shutil.rmtree(folder / "deep")
    (folder / "deep").write_text("a file in the place of a folder")
    (folder / "dot.svg").unlink()
    (folder / "dot.svg/deeper").mkdir(parents=True)
    (folder / "dot.svg/deeper/file").write_text("in the place of a file")
    (folder / "more").write_text("more")
    (folder / "nowhere").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")


def test_nothing_of_what_lies_in_a_spare_is_seen_or_followed(root, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "index.html").write_text("years of work")
    spoilt(spare(root), elsewhere)
    assert edit(root, "Second.") == fresh(root)
    assert (elsewhere / "index.html").read_text() == "years of work"
    assert not any(path.is_symlink() for path in root.with_name("out").rglob("*"))


@pytest.mark.parametrize("kind", ["link", "file", "writable by others"])
def test_what_is_no_spare_is_not_taken_for_one(root, tmp_path, kind):
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(spare(root), elsewhere)
    if kind == "writable by others":
        spare(root).chmod(0o777)
    else:
        shutil.rmtree(spare(root))
        spare(root).symlink_to(elsewhere) if kind == "link" else spare(root).write_text("a file")
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    assert edit(root, "Second.") == fresh(root)
    assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before
    assert root.with_name("out").stat().st_mode & 0o777 == 0o755
    assert not root.with_name("out").is_symlink()


def test_spare_of_another_folder_serves_as_well(root):
    edit(root, "Second.")
    assert build(root, "other") == fresh(root)
    site(root, part="# Part\n\nThird.\n")
    assert build(root, "other") == fresh(root)


def test_file_and_folder_of_one_name_take_turns(root):
    for turn in range(4):
        path = root / "content/thing"
        if turn % 2:
            path.unlink()
            path.mkdir()
            (path / "inner.txt").write_text("inner")
        else:
            shutil.rmtree(path, ignore_errors=True)
            path.write_text("a file")
        assert edit(root, f"Turn {turn}.") == fresh(root)


def test_site_s_file_that_was_edited_in_its_place_is_written_again(root):
    """Its spare has the same file under another name, and so the same edit."""
    with (root.with_name("out") / "index.html").open("a") as file:
        file.write("in the way")
    assert edit(root, "Second.") == fresh(root)


@pytest.mark.parametrize("flags", [(), ("--compress",)], ids=["plain", "compressed"])
@pytest.mark.parametrize("edited", [True, False], ids=["before an edit", "without one"])
def test_file_that_was_altered_and_given_its_size_and_time_back_is_mended(root, edited, flags):
    whole = build(root, "out", *flags)
    file = root.with_name("out") / "part/index.html"
    found = file.stat()
    file.write_bytes(file.read_bytes().replace(b"First", b"Worst"))
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    if edited:
        site(root, index="# Home\n\n[A part](part.md), and more\n")
    again = build(root, "out", *flags)
    assert again == (build(root, "anew", "--no-cache", *flags) if edited else whole)


def test_site_whose_files_got_another_link_is_not_written_again(root):
    out = root.with_name("out")
    os.link(out / "index.html", root.with_name("a-backup.html"))
    before = (out / "part/index.html").stat().st_ctime_ns
    build(root)
    assert (out / "part/index.html").stat().st_ctime_ns == before


def test_where_a_disk_knows_no_links_files_are_copied(root, monkeypatch):
    def no_link(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", no_link)
    for text in ("Second.", "Third."):
        assert edit(root, text) == fresh(root)


def test_spare_that_can_t_be_read_is_in_nobody_s_way_for_long(root, monkeypatch, capsys):
    def unreadable(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(spares, "Tree", unreadable)
        site(root, part="# Part\n\nSecond.\n")
        assert main(["build", "--root", str(root), "--out", str(root.with_name("out")), "--jobs", "1"]) == 1
        assert "can't write the site: Permission denied" in capsys.readouterr().err
    assert build(root) == fresh(root)


def test_without_a_cache_no_site_is_kept(tmp_path):
    made = site(tmp_path / "root", **PAGES)
    for text in ("First.", "Second."):
        site(made, part=f"# Part\n\n{text}\n")
        build(made, "out", "--no-cache")
    assert not (made / ".cache").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "root"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_build_killed_at_any_change_of_a_spare_leaves_one_site_whole(root, tmp_path):
    """Between every two changes of the disk, where each build begins with the spare of the one before."""
    last, ended = 0, False
    new = edit(root, "New.", added="# Added\n")
    (root / "content/added.md").unlink()
    old = edit(root, "Old.")
    while not ended:
        last += 1
        site(root, part="# Part\n\nNew.\n", added="# Added\n")
        time.sleep(0.03)
        child = os.fork()
        if child == 0:
            os._exit(interrupted("kill", last, root, root.with_name("out")))
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        out = root.with_name("out")
        found = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        assert found in (old, new), last
        assert build(root) == new
        (root / "content/added.md").unlink()
        assert edit(root, "Old.") == old
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "root"], last
    assert last > 20
