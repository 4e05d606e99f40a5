"""One scene can be worked at alone: a small site shows it, made of its very files."""

from __future__ import annotations

import threading
import time

import pytest

from loom.build.pipeline import build_site
from loom.cli import main
from loom.dev.single_scene import scene_site
from loom.dev.watch import edits
from loom.errors import LoomError
from loom.options import Options
from tests.sites import REFERENCES, TOY, site

PAGE = "---\nsummary: All.\n---\n# Home\n\n:::{scene} toy\n:::\n"


@pytest.fixture
def root(tmp_path):
    scenes = {name: {"scene.py": TOY} for name in ("toy", "other_toy")}
    made = site(
        tmp_path / "root", index=PAGE, **{"references.yml": REFERENCES, "site.yml": "title: All\nsearch: true\n"}
    )
    for name, files in scenes.items():
        (made / "scenes" / name).mkdir(parents=True)
        for file, text in files.items():
            (made / "scenes" / name / file).write_text(text, encoding="utf-8")
    return made


def test_site_of_one_scene_has_that_scene_and_its_sheet_and_no_other(root):
    options = Options(scene_site(root, "toy"), gallery=True)
    output = {str(path): raw.decode() for path, raw in build_site(options).items()
              if path.suffix == ".html"}  # fmt: skip
    assert 'data-scene="toy"' in output["index.html"]
    assert 'id="toy"' in output["gallery/index.html"]
    assert "other-toy" not in "".join(output.values())


def test_scene_may_be_called_as_its_folder(root):
    assert scene_site(root, "other_toy") == scene_site(root, "other-toy")


def test_edit_of_the_scene_itself_is_seen(root):
    options, stop, seen = Options(scene_site(root, "toy")), threading.Event(), set()
    watching = edits(options, stop)
    next(watching)
    threading.Timer(0.2, lambda: (root / "scenes/toy/scene.py").write_text(TOY.replace("A toy", "Another toy"))).start()
    until = time.monotonic() + 20
    while not seen and time.monotonic() < until:
        seen |= next(watching)
    stop.set()
    assert any(path.name == "scene.py" for path in seen)
    assert "Another toy" in str(build_site(Options(scene_site(root, "toy"))))


def test_unknown_scene_is_told_with_the_nearest(root, capsys):
    with pytest.raises(LoomError, match="unknown scene 'tyo'"):
        scene_site(root, "tyo")
    assert main(["scene", "tyo", "--root", str(root)]) == 1
    assert "did you mean 'toy'?" in capsys.readouterr().err


def test_nothing_of_the_site_itself_is_changed(root):
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    scene_site(root, "toy")
    scene_site(root, "toy")
    assert {path: raw for path, raw in before.items() if path.read_bytes() != raw} == {}


@pytest.mark.parametrize("option", [["--out", "elsewhere"], ["--gallery"]])
def test_options_that_a_scene_alone_has_no_use_for_are_refused(root, capsys, option):
    with pytest.raises(SystemExit):
        main(["scene", "toy", "--root", str(root), *option])
    assert f"unrecognized arguments: {option[0]}" in capsys.readouterr().err
