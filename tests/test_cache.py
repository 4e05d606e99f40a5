"""What was computed before is used again when nothing has changed, and never otherwise."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from loom.cache import Cache, scene_key

from loom import cache as caching
from loom.build.pipeline import build_site
from loom.cli import main
from loom.options import Options
from tests.sites import TOY, altered, toy_site
from tests.test_architecture import MODULES, imports, room

SHOWN = "# Home\n\n:::{scene} toy\n:::\n"


@pytest.fixture
def root(tmp_path):
    return toy_site(tmp_path / "root", index=SHOWN)


def build(root: Path) -> tuple[dict, list[str]]:
    """The site, and what was computed for it."""
    said: list[str] = []
    output = build_site(Options(root, cache=root / ".cache"), said.append)
    return output, [line for line in said if line.startswith("scene")]


def test_second_build_computes_nothing_and_gives_the_same_bytes(root):
    first, computed = build(root)
    assert computed == ["scene toy (12 variants)"]
    again, nothing = build(root)
    assert nothing == []
    assert again == first == build_site(Options(root))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scenes/toy/scene.py", altered(TOY, ("A bar grows.", "A bar grows long."))),
        ("scenes/toy/model.py", "SIZE = 3\n"),
        ("scenes/toy/numbers/table.csv", "1,2\n"),
        ("scenes/_shared/machines.py", "SIZE = 3\n"),
    ],
)
def test_every_kind_of_edit_computes_the_scene_anew(root, name, text):
    build(root)
    toy_site(root, **{name: text, "scenes/toy/scene.py": text if name.endswith("scene.py") else TOY})
    output, computed = build(root)
    assert computed == ["scene toy (12 variants)"]
    assert output == build_site(Options(root))


def test_edit_of_loom_itself_or_of_numpy_computes_everything_anew(root, monkeypatch):
    build(root)
    caching.scene_digest.cache_clear()
    monkeypatch.setattr(caching, "installed", lambda: ["numpy-99.dist-info"])
    assert build(root)[1] == ["scene toy (12 variants)"]
    caching.scene_digest.cache_clear()


def hashed(digest, monkeypatch) -> set[str]:
    """The files of Loom that go into a digest, by their paths in `loom/`."""
    seen: list[Path] = []
    own = Path(caching.__file__).parent
    monkeypatch.setattr(caching, "_add", lambda _, base: seen.extend(caching._files([base])))
    digest.__wrapped__()
    return {path.relative_to(own).as_posix() for path in seen}


def test_every_file_of_loom_is_part_of_a_page_s_key(monkeypatch):
    own = Path(caching.__file__).parent
    every = {path.relative_to(own).as_posix() for path in own.rglob("*") if path.is_file()}
    assert hashed(caching.own_digest, monkeypatch) == {
        name for name in every if "__pycache__" not in name and not Path(name).name.startswith("test_")
    }


def test_every_module_that_computing_needs_is_part_of_a_scene_s_key(monkeypatch):
    """Found anew from the imports; drawings may import all of `loom/draw`."""
    needed, ahead = set(), ["scenes.run", *(name for name in MODULES if room(name) == "draw")]
    while ahead:
        name = ahead.pop()
        if name not in needed:
            needed.add(name)
            ahead += [one.removeprefix("loom.") for one in imports(MODULES[name]) if one.startswith("loom.")]
    files = {MODULES[name].relative_to(MODULES["__init__"].parent).as_posix() for name in needed}
    assert files <= hashed(caching.scene_digest, monkeypatch)


def test_edit_of_a_test_or_of_a_page_computes_nothing(root):
    build(root)
    toy_site(root, index=SHOWN + "\nMore.\n", **{"scenes/toy/test_toy.py": "def test(): pass\n"})
    assert build(root)[1] == []


DAMAGES = {
    "cut short": lambda raw: raw[:-1],
    "empty": lambda raw: b"",
    "one byte changed": lambda raw: raw[:40] + bytes([raw[40] ^ 1]) + raw[41:],
    "zeros": lambda raw: bytes(len(raw)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_result_is_computed_anew_and_mended(root, damage):
    first, _ = build(root)
    (file,) = (root / ".cache" / "scenes").iterdir()
    file.write_bytes(damage(file.read_bytes()))
    again, computed = build(root)
    assert (again, computed) == (first, ["scene toy (12 variants)"])
    assert build(root)[1] == []


def test_deleted_cache_costs_only_time(root):
    first, _ = build(root)
    shutil.rmtree(root / ".cache")
    assert build(root)[0] == first


def test_cache_that_can_not_be_written_costs_only_time(root):
    (root / ".cache").write_text("a file is in the way")
    first, _ = build(root)
    assert build(root) == (first, ["scene toy (12 variants)"])


def test_scene_with_a_mistake_is_not_kept(root):
    toy_site(root, **{"scenes/toy/scene.py": altered(TOY, ("Pen(width)", "Pen(1 / 0)"))})
    assert main(["build", "--root", str(root), "--out", str(root / "out"), "--jobs", "1"]) == 1
    assert not (root / ".cache" / "loom" / "scenes").exists()


def test_cache_keeps_what_was_used_last_within_its_limit(tmp_path):
    cache = Cache(tmp_path, limit=2500)
    for age, key in enumerate("abc"):
        cache.keep(key, os.urandom(1000))
        os.utime(tmp_path / key, (age, age)) if (tmp_path / key).exists() else None
    assert cache.recall("a") is None  # the oldest gave way to c
    assert cache.recall("b")  # is used, and so it is not the oldest any more
    cache.keep("d", os.urandom(1000))
    assert {path.name for path in tmp_path.iterdir()} == {"b", "d"}


def store(folder: Path, number: int) -> bool:
    """File a result many times, and read those of others."""
    cache = Cache(folder)
    for _ in range(50):
        cache.keep("one", [number] * 1000)
        found = cache.recall("one")
        if found is not None and found != found[:1] * 1000:
            return False
    return True


def test_processes_that_write_at_once_never_read_a_half_written_result(tmp_path):
    with ProcessPoolExecutor(2) as pool:
        assert all(pool.map(store, [tmp_path] * 4, range(4)))
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_commands_use_the_cache_of_the_site_unless_told_not_to(root, tmp_path):
    flags = ["--root", str(root), "--jobs", "1"]
    assert main(["check", *flags, "--no-cache"]) == 1  # its second source is cited nowhere
    assert not (root / ".cache").exists()
    assert main(["build", *flags, "--out", str(tmp_path / "out")]) == 0
    assert [path.name for path in (root / ".cache/loom/scenes").iterdir()] == [scene_key(root / "scenes/toy")]
