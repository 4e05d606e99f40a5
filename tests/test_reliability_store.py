"""What lies in the cache is never run, what others put beside the site is never lost, and Ctrl+C ends a build."""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from loom.build.pipeline import build_site
from loom.options import Options
from loom.paths import OWN
from tests import engine
from tests.apart import Apart
from tests.poison import _Poison, poisoned_build
from tests.sites import TOY, altered, toy_site

BASE = (OWN / "templates/base.html").read_text()
PAGES = {
    "index": "# Home\n\n[A part](part.md)\n\n:::{scene} toy\n:::\n",
    "part": "# Part\n\nText.\n",
    "site.yml": "url: https://example.org/\n",
    "templates/base.html": BASE,
}
PLAIN = {**PAGES, "index": "# Home\n\n[A part](part.md)\n", "site.yml": "title: Site\n"}
EDITS = {
    "nothing": {},
    "a page": {"part": "# Part\n\nMore.\n"},
    "a template": {"templates/base.html": BASE + "<!-- New. -->\n"},
    "the settings": {"site.yml": "title: Another\n"},
}


@pytest.fixture
def site(apart: Apart, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[engine.Site]:
    pages = getattr(request, "param", PLAIN)
    made = engine.Site(apart, toy_site(tmp_path / "site", **pages))
    yield made
    made.close()


with_scenes = pytest.mark.parametrize("site", [PAGES], indirect=True, ids=["scenes and cards"])


def assert_whole(seen: engine.Built, site: engine.Site) -> None:
    """It is the site that a build from nothing makes."""
    wanted = site.fresh()
    assert (seen.problems, seen.code) == (wanted.problems, wanted.code) == ("", 0)
    assert {name for name, raw in seen.files.items() if wanted.files.get(name) != raw} == set()
    assert seen.files.keys() == wanted.files.keys()


def test_cache_that_can_not_be_written_costs_only_time(tmp_path, monkeypatch):
    monkeypatch.setattr("loom.build.engine.BATCH", 1)  # so that nothing waits in memory for the end
    monkeypatch.setattr("loom.build.store.Store.write", lambda *_: False)
    root = toy_site(tmp_path / "site", **PAGES)
    assert build_site(Options(root, cache=tmp_path / "cache")) == build_site(Options(root))


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("site", [PAGES, PLAIN], indirect=True, ids=["scenes and cards", "plain"])
def test_code_in_the_cache_is_not_run_though_its_checksums_are_right(site, apart, tmp_path, edit):
    trace = tmp_path / "trace"
    apart.call(poisoned_build, site.root, site.out, ["--jobs", "1"], trace)
    toy_site(site.root, **edit)
    if edit == {}:
        shutil.rmtree(site.out)  # or nothing would be done
    assert_whole(site.build(), site)
    assert_whole(site.serve(), site)
    assert not trace.exists()


@with_scenes
def test_code_that_is_put_in_the_place_of_a_file_of_the_cache_is_not_run(site, tmp_path):
    trace = tmp_path / "trace"
    site.build()
    for path in (site.root / ".cache").rglob("*"):
        if path.is_file():
            path.write_bytes(pickle.dumps(_Poison(pickle.dumps(None), str(trace))))
    assert_whole(site.build(), site)
    assert not trace.exists()


@with_scenes
def test_flipped_bits_in_the_cache_cost_only_time(site):
    site.build()
    shutil.copytree(site.root / ".cache", site.root / "kept")
    for share in range(1, 12):
        shutil.rmtree(site.root / ".cache")
        shutil.copytree(site.root / "kept", site.root / ".cache")
        shutil.rmtree(site.out)
        for path in (site.root / ".cache").rglob("*"):
            if path.is_file() and (raw := bytearray(path.read_bytes())):
                raw[len(raw) * share // 12] ^= 1
                path.write_bytes(raw)
        assert_whole(site.build(), site)


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_what_others_put_into_the_site_s_folder_is_there_after_the_next_build(site, edit):
    """Whether the build keeps it or refuses to build."""
    site.build()
    others = [site.out / name for name in (".git/config", "CNAME", "part/notes.txt", "new/deep.txt")]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("years of work")
    toy_site(site.root, **edit)
    site.build()
    assert [path.read_text() for path in others] == ["years of work"] * 4


@pytest.mark.parametrize("mark", ["", "thread=cotton\n"])
def test_folder_with_a_file_that_is_called_as_loom_s_mark_is_not_replaced(site, mark):
    site.out.mkdir()
    (site.out / ".loom").write_text(mark)
    (site.out / "thesis.txt").write_text("years of work")
    assert site.build().code == 1
    assert sorted(path.name for path in site.out.iterdir()) == [".loom", "thesis.txt"]


ENDLESS = altered(TOY, ("def steps(count, mode, twice):\n", "def steps(count, mode, twice):\n    wait()\n"))
ENDLESS += "\nimport pathlib\n\ndef wait():\n    pathlib.Path(__file__).with_name('begun').touch()\n    while True:\n"
ENDLESS += "        __import__('time').sleep(0.1)\n"


@pytest.mark.parametrize("everybody", [False, True], ids=["the build alone", "all of its processes"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_build_whose_scene_never_ends_and_tells_which_one_it_is(tmp_path, jobs, everybody):
    root = toy_site(tmp_path / "root", index=PAGES["index"], part="# Part\n", **{"scenes/toy/scene.py": ENDLESS})
    command = [sys.executable, str(OWN / "build.py"), "--root", str(root), "--out", str(tmp_path / "out")]
    build = subprocess.Popen(
        [*command, "--jobs", str(jobs)], stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test in the background ignores it
    )  # fmt: skip
    try:
        for _ in range(3000):
            if (root / "scenes/toy/begun").exists():
                break
            time.sleep(0.02)
        (os.killpg if everybody else os.kill)(build.pid, signal.SIGINT)
        _, said = build.communicate(timeout=20)
        assert build.returncode == 130
        assert "Traceback" not in said
        assert "scene 'toy'" in said
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(build.pid, signal.SIGKILL)
        build.communicate()
