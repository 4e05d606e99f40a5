"""Scenes in a documentation of Sphinx: a small real site, built and opened."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.other_generators import MYST, SLIPS, plays, slips, sphinx_site
from tests.sites import TOY, line_with


@pytest.mark.parametrize(("builder", "path"), [("html", "page.html"), ("dirhtml", "page/")])
def test_sphinx_shows_a_scene_of_a_myst_page(tmp_path, reader, builder, path):
    site, warned = sphinx_site(tmp_path, builder)
    assert warned == ""
    plays(reader(site, path), 2, 3)


def test_sphinx_shows_a_scene_of_a_page_in_restructuredtext_in_a_folder(tmp_path, reader):
    site, _ = sphinx_site(tmp_path)
    page = reader(site, "deep/down.html")
    expect(page.frame_locator("iframe.loom-scene").locator("#toy-mode")).to_have_value("1")
    plays(page, 1, 2)


def test_sphinx_tells_mistakes_at_their_line(tmp_path):
    text = (
        MYST.replace("{scene} toy", "{scene} toi")
        + "\n```{scene} toy\n:cuont: 3\n```\n\n```{scene} toy\n:step: 9\n```\n"
    )
    _, warned = sphinx_site(tmp_path, **{"page.md": text})
    assert re.search(rf"page\.md:{line_with(text, 'toi')}: ERROR: unknown scene 'toi'.*did you mean 'toy'", warned)
    assert re.search(rf"page\.md:{line_with(text, 'cuont') - 1}: ERROR: scene 'toy' has no parameter 'cuont'", warned)
    assert "there is no step 9" in warned


def test_sphinx_keeps_scenes_of_pages_that_were_not_read_again_and_drops_those_that_are_gone(tmp_path):
    site, _ = sphinx_site(tmp_path)
    before = (site / "_loom/scenes/toy/index.html").read_bytes()
    site, warned = sphinx_site(tmp_path, **{"page.md": "# No scene\n"})
    assert (site / "_loom/scenes/toy/index.html").read_bytes() == before and warned == ""


def test_sphinx_leaves_frames_out_of_plain_text(tmp_path):
    site, warned = sphinx_site(tmp_path, "text")
    assert "Words after." in (site / "page.txt").read_text() and warned == ""
    assert not (site / "_loom").exists()


def test_sphinx_tells_ordinary_slips_of_a_scene_with_its_line_and_goes_on(tmp_path):
    page = "# A page\n\n" + "\n".join(f"```{{scene}} {name}\n```\n" for name in SLIPS)
    conf = "extensions = ['myst_parser', 'loom.sphinx']\nloom_scene_timeout = 1\n"
    site, said = sphinx_site(tmp_path, **{"conf.py": conf, "page.md": page}, **slips())
    for name, (_, _, told) in SLIPS.items():
        line = line_with(page, f"{{scene}} {name}")
        assert re.search(rf"page\.md:{line}: ERROR: scenes/{name}/scene\.py{told}", said), name
    assert "Traceback" not in said and "--jobs" not in said and "loom_scene_timeout" in said
    assert (site / "deep/down.html").exists()


def test_sphinx_reads_pages_again_after_an_edit_of_their_scene(tmp_path):
    conf = "extensions = ['myst_parser', 'loom.sphinx']\nlanguage = 'de'\n"
    site, warned = sphinx_site(tmp_path, **{"conf.py": conf})
    (data,) = (site / "_loom/assets/data").iterdir()
    shown = (site / "_loom/scenes/toy/index.html").read_text()
    assert '<html lang="de">' in shown and "Als Daten zeigen" in shown and warned == ""
    edited = TOY.replace("(2, 3, 4)", "(2, 4)")
    _, warned = sphinx_site(tmp_path, **{"conf.py": conf, "scenes/toy/scene.py": edited})
    assert re.search(rf"page\.md:{line_with(MYST, 'toy')}: ERROR: 'count' can't be '3'", warned)
    assert data not in (site / "_loom/assets/data").iterdir()  # what is not shown any more takes no room


def test_sphinx_shows_a_scene_that_came_after_its_page(tmp_path):
    text = "# A page\n\n```{scene} later\n```\n"
    site, warned = sphinx_site(tmp_path, **{"page.md": text})
    assert "unknown scene 'later'" in warned
    site, warned = sphinx_site(tmp_path, **{"page.md": text, "scenes/later/scene.py": TOY})
    assert warned == "" and "_loom/scenes/later/" in (site / "page.html").read_text()
