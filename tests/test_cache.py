"""What was computed before is used again when nothing has changed, and never otherwise."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path, PurePosixPath

import pytest

from loom.build import files
from loom.build.pipeline import build_site
from loom.build.record import database
from loom.build.store import Row, Store
from loom.cli import main
from loom.options import Options
from loom.paths import PACKAGE
from loom.progress import ProgressEvent, Stage
from tests.sites import TOY, altered, toy_site

SHOWN = "# Home\n\n:::{scene} toy\n:::\n"


@pytest.fixture
def root(tmp_path):
    return toy_site(tmp_path / "root", index=SHOWN)


def build(root: Path) -> tuple[dict, list[tuple[str, int]]]:
    """The site, and what was computed for it: scenes, and how many variants each has."""
    events: list[ProgressEvent] = []
    output = build_site(Options(root, cache=root / ".cache"), events.append)
    return output, [(one.subject, one.total) for one in events if one.stage is Stage.SCENE_COMPUTED]


def test_second_build_computes_nothing_and_gives_the_same_bytes(root):
    first, computed = build(root)
    assert computed == [("toy", 12)]
    again, nothing = build(root)
    assert nothing == []
    assert again == first == build_site(Options(root))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scenes/toy/scene.py", altered(TOY, ("A bar grows.", "A bar grows long."))),
        ("scenes/toy/model.py", "SIZE = 3\n"),
        ("scenes/toy/numbers/table.csv", "1,2\n"),
    ],
)
def test_every_kind_of_edit_computes_the_scene_anew(root, name, text):
    build(root)
    toy_site(root, **{name: text, "scenes/toy/scene.py": text if name.endswith("scene.py") else TOY})
    output, computed = build(root)
    assert computed == [("toy", 12)]
    assert output == build_site(Options(root))


def test_module_that_no_scene_imports_computes_nothing(root):
    toy_site(root, **{"scenes/_shared/machines.py": "SIZE = 2\n"})
    build(root)
    toy_site(root, **{"scenes/_shared/machines.py": "SIZE = 3\n"})
    assert build(root)[1] == []


def test_edit_of_loom_itself_or_of_numpy_computes_everything_anew(root, monkeypatch):
    build(root)
    monkeypatch.setattr(files, "environment", lambda: {"site-packages": (99,)})
    assert build(root)[1] == [("toy", 12)]


def test_every_file_of_loom_is_part_of_what_results_depend_on(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "loom", ignore=shutil.ignore_patterns("__pycache__"))
    first, versions = files.loom_version([str(tmp_path / "loom")]), set()
    for path in sorted((tmp_path / "loom").rglob("*.py")):
        raw = path.read_bytes()
        path.write_bytes(raw + b"#")
        versions.add(files.loom_version([str(tmp_path / "loom")]))
        path.write_bytes(raw)
    assert first not in versions and len(versions) > 100


def test_where_loom_lies_is_no_part_of_what_results_depend_on(tmp_path):
    for place in ("here", "there"):
        shutil.copytree(PACKAGE, tmp_path / place, ignore=shutil.ignore_patterns("__pycache__"))
    assert files.loom_version([str(tmp_path / "here")]) == files.loom_version([str(tmp_path / "there")])


def test_edit_of_a_test_or_of_a_page_computes_nothing(root):
    build(root)
    toy_site(root, index=SHOWN + "\nMore.\n", **{"scenes/toy/test_toy.py": "def test(): pass\n"})
    assert build(root)[1] == []


def test_what_python_and_editors_put_beside_scenes_computes_nothing(root):
    listing = "from pathlib import Path\n\nBESIDE = [*Path(__file__).parents[1].iterdir()]\n" + TOY
    toy_site(root, **{"scenes/toy/scene.py": listing})
    build(root)
    (root / "scenes/__pycache__").mkdir()
    (root / "scenes/.DS_Store").write_bytes(b"")
    assert build(root)[1] == []
    (root / "scenes/_new").mkdir()
    assert build(root)[1] == [("toy", 12)]


DAMAGES = {
    "cut short": lambda raw: raw[:-1],
    "empty": lambda raw: b"",
    "one byte changed": lambda raw: raw[:40] + bytes([raw[40] ^ 1]) + raw[41:],
    "zeros": lambda raw: bytes(len(raw)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_result_is_computed_anew_and_mended(root, damage):
    first, _ = build(root)
    with database(root / ".cache/store.sqlite") as base:
        for task, reads, result in base.execute("SELECT task, reads, result FROM traces").fetchall():
            base.execute("UPDATE traces SET result = ? WHERE task = ? AND reads = ?", (damage(result), task, reads))
    again, computed = build(root)
    assert (again, computed) == (first, [("toy", 12)])
    assert build(root)[1] == []


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_database_costs_only_time(root, damage):
    first, _ = build(root)
    file = root / ".cache/store.sqlite"
    file.write_bytes(damage(file.read_bytes()))
    assert build(root)[0] == first
    assert build(root)[0] == first
    assert build(root) == (first, [])  # by then there is a sound one again


def test_database_that_others_may_write_is_not_read(root):
    first, _ = build(root)
    (root / ".cache/store.sqlite").chmod(0o666)
    assert build(root) == (first, [("toy", 12)])


def test_deleted_cache_costs_only_time(root):
    first, _ = build(root)
    shutil.rmtree(root / ".cache")
    assert build(root)[0] == first


def test_cache_that_can_not_be_written_costs_only_time(root):
    (root / ".cache").write_text("a file is in the way")
    first, _ = build(root)
    assert build(root) == (first, [("toy", 12)])


def test_scene_with_a_mistake_is_not_kept(root):
    toy_site(root, **{"scenes/toy/scene.py": altered(TOY, ("Pen(width)", "Pen(1 / 0)"))})
    assert main(["build", "--root", str(root), "--out", str(root / "out"), "--jobs", "1"]) == 1
    assert not list(Store(root / ".cache/loom").rows(["scene toy"]))


def test_later_build_reads_only_the_files_that_have_changed_since(root, monkeypatch):
    def age() -> None:
        time.sleep(0.05)  # a file that changed just now could change again without another stamp

    read: list[str] = []
    digested = files.digest_of_file
    monkeypatch.setattr(
        files, "digest_of_file", lambda path: read.append(os.path.relpath(path, root)) or digested(path)
    )
    age()
    build(root)
    assert {"content/index.md", "scenes/toy/scene.py"} <= set(read)
    read.clear()
    build(root)
    assert read == []
    before = (root / "content/index.md").stat()
    toy_site(root, index=SHOWN.replace("Home", "Work"))
    os.utime(root / "content/index.md", ns=(before.st_atime_ns, before.st_mtime_ns))  # of the same size, too
    age()
    output, _ = build(root)
    assert read == ["content/index.md"] and b"Work" in output[PurePosixPath("index.html")]


def row(task: str, size: int = 10) -> Row:
    return Row(task, b"", b"", os.urandom(size))


def test_connection_that_reads_files_is_closed_when_nobody_holds_the_store(tmp_path, monkeypatch):
    opened, connect = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: opened.append(connect(*args, **more)) or opened[-1])
    store = Store(tmp_path)
    store.write([row("read", 10)])
    assert store.files(row("read"))
    opened[-1].execute("SELECT 1")
    del store
    for base in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            base.execute("SELECT 1")


def test_store_keeps_what_was_used_last_within_its_limit(tmp_path):
    for turn, task in enumerate("abcd"):
        store = Store(tmp_path, limit=200_000)
        store.write([row(task, 60_000)], used=list(store.rows(["a"])) if turn == 2 else [])
    kept = [one.task for one in Store(tmp_path).rows(list("abcd"))]
    assert "d" in kept and "b" not in kept
    assert Store(tmp_path).path.stat().st_size < 200_000


def test_store_that_is_full_lets_go_first_of_what_no_build_is_known_to_have_used(tmp_path):
    Store(tmp_path).write([row("lost", 250_000)])
    with database(Store(tmp_path).path) as base:
        base.execute("DELETE FROM uses")
    Store(tmp_path, limit=200_000).write([row("new", 60_000)])
    with database(Store(tmp_path).path) as base:
        assert base.execute("SELECT task FROM traces").fetchall() == [("new",)]


def write_often(folder: Path, number: int) -> bool:
    """Keep a result many times, and read those of others."""
    store = Store(folder)
    for _ in range(50):
        store.write([Row("one", b"", bytes([number]) * 1000)])
        if any(one.result != one.result[:1] * 1000 for one in store.rows(["one"])):
            return False
    return True


def test_processes_that_write_at_once_never_read_a_half_written_result(tmp_path):
    with ProcessPoolExecutor(2) as pool:
        assert all(pool.map(write_often, [tmp_path] * 4, range(4)))


def test_commands_use_the_cache_of_the_site_unless_told_not_to(root, tmp_path):
    flags = ["--root", str(root), "--jobs", "1"]
    assert main(["check", *flags, "--no-cache"]) == 1  # its second source is cited nowhere
    assert not (root / ".cache").exists()
    assert main(["build", *flags, "--out", str(tmp_path / "out")]) == 0
    assert [row.task for row in Store(root / ".cache/loom").rows(["scene toy"])] == ["scene toy"]
