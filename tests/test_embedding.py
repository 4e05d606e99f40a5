"""Scenes in the documentation of others: what holds for Sphinx and for MkDocs alike."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from loom.build.scenes import compute_all
from loom.embedding import EmbeddedScenes
from loom.errors import LoomError
from tests.other_generators import mkdocs_site, slips, sphinx_site, written
from tests.sites import TOY
from tests.test_preflight import odd


def test_scene_with_a_mistake_is_told_by_both(tmp_path):
    broken = TOY.replace("40 * (state[3] + 1)", "1 / 0")
    _, warned = sphinx_site(tmp_path / "sphinx", **{"scenes/toy/scene.py": broken})
    assert re.search(r"scenes/toy/scene\.py:\d+: scene 'toy' failed in draw: ZeroDivisionError", warned)
    _, said = mkdocs_site(tmp_path / "mkdocs", **{"scenes/toy/scene.py": broken})
    assert "scene 'toy' failed in draw: ZeroDivisionError" in said


@pytest.mark.parametrize(("root", "told"), [("nowhere", "there is no folder"), ("other", "there are no scenes in")])
def test_folder_without_scenes_is_a_mistake_at_its_line(tmp_path, root, told):
    conf = f"extensions = ['myst_parser', 'loom.sphinx']\n\nloom_root = '{root}'\n"
    empty = {"other/scenes/readme.txt": "None yet."}
    site, said = sphinx_site(tmp_path / "sphinx", **{"conf.py": conf, **empty})
    assert re.search(rf"conf\.py:3: {told} .*{root}/scenes\n\s*hint: name the folder that holds scenes/", said)
    assert not site.exists() or not (site / "page.html").exists()
    settings = f"site_name: Docs\nplugins:\n  - search\n  - loom:\n      root: {root}\n"
    _, said = mkdocs_site(tmp_path / "mkdocs", **{"mkdocs.yml": settings, **empty})
    assert re.search(rf"mkdocs\.yml:5: {told} .*{root}/scenes\n\s*hint: name the folder", said)
    assert "Traceback" not in said


def test_file_of_a_scene_whose_name_is_not_utf8_is_told_by_both_before_anything_is_read(tmp_path):
    for folder in (tmp_path / "sphinx", tmp_path / "mkdocs"):
        odd(folder / "scenes/toy", b"caf\xe9.py")
    site, said = sphinx_site(tmp_path / "sphinx")
    assert said.replace("ERROR: ", "").startswith("scenes/toy/caf\\xe9.py: this name is not UTF-8\n  hint: rename it")
    assert not (site / "page.html").exists() and "Traceback" not in said
    _, said = mkdocs_site(tmp_path / "mkdocs")
    assert "scenes/toy/caf\\xe9.py: this name is not UTF-8\n  hint: rename it" in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("files", "settings", "told"),
    [
        ({}, {"timeout": -1}, "conf:7: 'scene_timeout' is -1\n  hint: write a number of seconds"),
        ({}, {"timeout": "long"}, "conf:7: 'scene_timeout' is 'long'"),
        ({"templates/words/de.yml": "Play: [1\n"}, {"language": "de"}, "templates/words/de.yml:2:1: not valid YAML"),
    ],
)
def test_settings_and_words_that_are_wrong_are_told_before_anything_is_read(tmp_path, files, settings, told):
    with pytest.raises(LoomError) as caught:
        EmbeddedScenes(written(tmp_path, **{"scenes/toy/scene.py": TOY}, **files), **settings).begin(
            "conf", lambda _: 7
        )
    assert str(caught.value).startswith(told)


def test_scene_with_a_mistake_is_computed_once_however_many_pages_show_it(tmp_path, monkeypatch):
    scenes, asked = EmbeddedScenes(written(tmp_path, **slips())), []
    monkeypatch.setattr("loom.embedding.compute_all", lambda *given: asked.append(given) or compute_all(*given))
    for _ in range(3):
        with pytest.raises(LoomError, match="unknown role 'dat'"):
            scenes.frame("role", {}, "")
    assert len(asked) == 1


def test_scene_that_no_page_shows_may_be_unfinished(tmp_path):
    scenes = EmbeddedScenes(written(tmp_path, **{"scenes/toy/scene.py": TOY, "scenes/later/scene.py": "1 / 0\n"}))
    assert "_loom/scenes/toy/" in scenes.frame("toy", {}, "")


def test_folders_of_a_documentation_are_not_taken_for_those_of_a_site(tmp_path):
    files = {"templates/embed.html": "Not ours.", "static/secret.txt": "Not to be shown."}
    scenes = EmbeddedScenes(written(tmp_path, **files, **{"scenes/toy/scene.py": TOY}))
    output = scenes.output("Docs", {"toy"})
    assert b"A toy" in output[PurePosixPath("_loom/scenes/toy/index.html")]
    assert not [path for path in output if path.name == "secret.txt"]
