"""Whatever ends a build, at whatever moment: the folder is the old site or the new one, whole; the next build mends."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
import traceback
from pathlib import Path

import pytest

from benchmarks.pages import write_pages
from loom.build.leftovers import STAGING
from loom.cli import main
from loom.paths import OWN
from tests.interrupted import interrupted
from tests.sites import site

BASE = (OWN / "templates/base.html").read_text()
OLD = {"index": "# Home\n\nOld. [A part](part.md)\n", "part": "# Part\n\nOld.\n", "deep/down": "# Down\n",
       "templates/base.html": BASE}  # fmt: skip
LAID = {"templates/base.html": BASE + "<!-- New. -->\n"}  # only HTML is written anew
PAGE = {**OLD, "part": "# Part\n\nNew.\n"}  # only this page is written anew
ALL = {"index": "# Home\n\nNew. [A part](part.md)\n", "part": "# Portion\n", "deep/down": "# Down\n\nNew.\n"}


def start(what: str, last: int, root: Path, out: Path) -> tuple[int, Path]:
    """Begin a build in a process that ends at its n-th change of the disk; its number, and where it says what."""
    said = root.with_name(f"{root.name}-said")
    child = os.fork()
    if child == 0:
        with said.open("w") as file:
            sys.stderr = file
            code = 99
            try:
                code = interrupted(what, last, root, out)
            except BaseException:  # noqa: BLE001 - told by the parent
                traceback.print_exc(file=file)
            finally:
                file.flush()
                os._exit(code)
    return child, said


def run(what: str, last: int, root: Path, out: Path) -> tuple[int, str]:
    """Such a build; how it ended, and what it said."""
    child, said = start(what, last, root, out)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), said.read_text()


def build(root: Path, out: Path, *flags: str) -> dict[str, bytes]:
    assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1", *flags]) == 0
    return files(out)


def files(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def beside(out: Path) -> list[str]:
    """What lies where the site does."""
    return sorted(path.name for path in out.parent.iterdir())


class Ground:
    """A built site, and the same with edits, to be built again and again from the same state."""

    def __init__(self, base: Path, edited: dict[str, str]) -> None:
        self.base, self.edited = base, edited
        self.root, self.out = base / "root", base / "place" / "out"
        site(self.root, **OLD)
        time.sleep(0.03)  # or the files would count as changed just now
        self.old = build(self.root, self.out)
        site(self.root, **edited)
        self.new = build(self.root, base / "new" / "out", "--no-cache")

    def reset(self) -> None:
        """The old site as a build left it, so that its record holds; and the edit, not yet built."""
        site(self.root, **OLD)
        shutil.rmtree(self.out.parent)
        time.sleep(0.03)
        assert build(self.root, self.out) == self.old
        site(self.root, **self.edited)
        time.sleep(0.03)


@pytest.fixture(scope="module", params=[PAGE, LAID, ALL], ids=["a page", "a template", "everything"])
def ground(request, tmp_path_factory):
    return Ground(tmp_path_factory.mktemp("ground"), request.param)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_build_killed_at_any_change_of_the_disk_leaves_one_site_whole(ground):
    ended, last = [], 0
    while True:
        last += 3 if ground.edited is ALL else 1
        ground.reset()
        code, said = run("kill", last, ground.root, ground.out)
        ended.append(files(ground.out) == ground.new)
        assert code in (0, -9), said
        assert ended[-1] or (code and files(ground.out) == ground.old), last
        assert build(ground.root, ground.out) == ground.new
        assert beside(ground.out) == ["out"], last
        assert [path.name for path in (ground.root / ".cache/loom").iterdir()] == ["store.sqlite"], last
        if code == 0:
            break
    assert last > 8
    assert ended == sorted(ended) and ended.count(True) > 2  # once it is the new site, it stays so


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("error", ["ENOSPC", "EROFS", "EACCES"])
def test_disk_that_refuses_at_any_moment_is_told_in_words(ground, error):
    hint = "make room on the disk" if error == "ENOSPC" else "choose another --out, or make it yours to write"
    told = rf"\S+/out: can't write (the site|here): [A-Z][\w -]+\n  hint: {hint}(; the site .*)?\n1 problem.*\n"
    refused = 0
    ground.reset()
    for last in range(1, 200, 4):
        code, said = run(error, last, ground.root, ground.out)
        if code == 0:  # what failed was the cache alone
            break
        refused += 1
        assert re.fullmatch(told, said), said
        assert files(ground.out) == ground.old
        assert beside(ground.out) == ["out"]
    assert refused > 1
    assert files(ground.out) == ground.new
    assert build(ground.root, ground.out) == ground.new


def test_leavings_are_cleared_away_even_if_nothing_else_is_to_do(tmp_path):
    root, out = site(tmp_path / "root", **OLD), tmp_path / "place" / "out"
    time.sleep(0.03)
    before = build(root, out)
    half = out.parent / ".out-a_half_0"
    (half / "new/deep").mkdir(parents=True)
    (half / "new/index.html").write_text("half")
    (half / STAGING).touch()
    (out.parent / ".out-unmarked").mkdir()  # killed before it could be marked
    assert build(root, out) == before
    assert beside(out) == ["out"]


@pytest.mark.parametrize("flags", [(), ("--no-cache",)])
def test_folders_of_others_beside_the_site_are_left_alone(tmp_path, flags):
    root, out = site(tmp_path / "root", **OLD), tmp_path / "place" / "out"
    before = build(root, out)
    for name in (".out-backup", ".out-old", ".out-thesis_1", ".out-x-old"):
        shutil.copytree(out, out.parent / name)  # with the mark of a site that Loom wrote
    (out.parent / ".out-12345678/new").mkdir(parents=True)
    (out.parent / ".out-12345678/new/thesis.txt").write_text("years of work")
    (out.parent / ".out-letters_").symlink_to(out)
    names = beside(out)
    for text in ("Other.", "Another."):
        site(root, part=f"# Part\n\n{text}\n")
        build(root, out, *flags)
    assert beside(out) == names
    assert files(out.parent / ".out-backup") == before
    assert (out.parent / ".out-12345678/new/thesis.txt").read_text() == "years of work"


def test_site_between_two_renames_comes_back(tmp_path):
    """Where a system can't exchange two folders, a build may be killed when neither is there."""
    root, out = site(tmp_path / "root", **OLD), tmp_path / "place" / "out"
    before = build(root, out)
    staging = out.with_name(".out-a_staged")
    staging.mkdir()
    (staging / STAGING).touch()
    out.rename(staging / "old")
    site(root, index="{term}`nope`\n")
    assert main(["build", "--root", str(root), "--out", str(out), "--jobs", "1"]) == 1
    assert files(out) == before
    assert beside(out) == ["out"]


@pytest.mark.parametrize("exchange", [True, False], ids=["exchange", "two renames"])
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_two_builds_at_once_leave_one_of_two_sites_whole(tmp_path, monkeypatch, exchange):
    if not exchange:
        monkeypatch.setattr("loom.build.write._at_once", lambda *_: False)
    roots = [tmp_path / "a", tmp_path / "b"]
    for count, root in enumerate(roots, 3):
        write_pages(root / "content", count)
        (root / "scenes").mkdir()
    wanted = [build(root, tmp_path / "apart" / root.name) for root in roots]
    out = tmp_path / "place" / "out"
    for _ in range(5):
        children = [start("kill", 0, root, out) for root in roots]
        assert [os.waitpid(child, 0)[1] for child, _ in children] == [0, 0], [said.read_text() for _, said in children]
        assert files(out) in wanted
        assert beside(out) == ["out"]
    for root, one in zip(roots, wanted, strict=True):  # neither takes the other's work for its own
        assert build(root, out) == one
        assert build(roots[1 - roots.index(root)], out) == wanted[1 - roots.index(root)]
        assert build(root, out) == one
