"""Scenes in a documentation of MkDocs: a small real site, built and opened, and what the plugin makes of a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError
from playwright.sync_api import expect

from loom.embedding import EmbeddedScenes
from loom.errors import LoomError
from loom.mkdocs import LoomPlugin, _line
from tests.other_generators import SLIPS, mkdocs_site, plays, slips, written
from tests.sites import TOY


def page_of(root: Path, text: str, **settings: float) -> str:
    """What the plugin of MkDocs makes of a page."""
    plugin, file = LoomPlugin(), root / "docs/part/page.md"
    plugin.scenes, plugin.shown = EmbeddedScenes(root, **settings), set()
    written(root, **{"docs/part/page.md": text})
    markdown = text.split("---\n")[-1].lstrip("\n")
    shown = SimpleNamespace(file=SimpleNamespace(src_uri="part/page.md", abs_src_path=str(file)), url="part/page/")
    return plugin.on_page_markdown(markdown, shown, None, None)


@pytest.mark.parametrize("directories", [True, False])
def test_mkdocs_shows_a_scene(tmp_path, reader, directories):
    settings = f"site_name: Docs\nplugins: [loom]\nuse_directory_urls: {str(directories).lower()}\n"
    site, said = mkdocs_site(tmp_path, **{"mkdocs.yml": settings})
    assert said == ""
    page = reader(site, "deep/page/" if directories else "deep/page.html")
    plays(page, 2, 3)
    expect(page.get_by_text("Words after.")).to_be_visible()
    expect(page.locator("code", has_text=":::{scene} toy")).to_have_count(1)  # code stays code


def test_frame_names_no_place_to_which_a_browser_would_scroll_the_page(tmp_path):
    written(tmp_path, **{"scenes/toy/scene.py": TOY})
    assert ' src="../../_loom/scenes/toy/" ' in page_of(tmp_path, ":::{scene} toy\n:::\n")
    assert ' src="../../_loom/scenes/toy/#toy?step=2" ' in page_of(tmp_path, ":::{scene} toy\n:step: 2\n:::\n")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("# A\n\n:::{scene} toi\n:::\n", 3, "unknown scene 'toi'"),
        ("# A\n\nB\n\n:::{scene} toy\n:count: 9\n:::\n", 5, "'count' can't be '9'"),
    ],
)
def test_mkdocs_stops_at_a_mistake_with_its_page_and_line(tmp_path, text, line, told):
    _, said = mkdocs_site(tmp_path, **{"docs/deep/page.md": text})
    assert f"deep/page.md:{line}: {told}" in said and "Traceback" not in said


def test_folder_without_scenes_is_told_where_the_plugin_is_named(tmp_path):
    settings = "site_name: Docs\ndocs_dir: docs\nplugins: [search, loom]\n"
    folder = written(tmp_path, **{"mkdocs.yml": settings, "docs/index.md": "# Docs\n"})
    with pytest.raises(LoomError, match=r"mkdocs\.yml:3: there is no folder"):
        EmbeddedScenes(folder).begin("mkdocs.yml", partial(_line, folder / "mkdocs.yml"))


@pytest.mark.parametrize(("setting", "line"), [("root", 5), ("scene_timeout", 6), ("other", 4)])
def test_setting_of_mkdocs_has_its_line(tmp_path, setting, line):
    text = "site_name: D\nplugins:\n  - search\n  - loom:\n      root: a\n      scene_timeout: 1\n"
    assert _line(written(tmp_path, **{"mkdocs.yml": text}) / "mkdocs.yml", setting) == line


@pytest.mark.parametrize(
    ("plugins", "line"),
    [
        ("[search, loom: {root: a}]", 3),
        ("\n  search: {}\n  loom:\n    # root: here it is no setting\n    root: a", 7),
        ("\n  - meta:\n      root: a\n  - loom", 6),
        ("[search]", 0),
    ],
)
def test_setting_of_mkdocs_has_its_line_however_plugins_are_written(tmp_path, plugins, line):
    text = f"site_name: loom\nextra: {{root: !ENV ROOT}}\nplugins: {plugins}\n"
    assert _line(written(tmp_path, **{"mkdocs.yml": text}) / "mkdocs.yml", "root") == line


@pytest.mark.parametrize("name", SLIPS)
def test_mkdocs_tells_ordinary_slips_of_a_scene_with_its_line(tmp_path, name):
    root = written(tmp_path, **slips())
    with pytest.raises(PluginError, match=rf"^part/page\.md:3: scenes/{name}/scene\.py{SLIPS[name][2]}") as told:
        page_of(root, f"# A\n\n:::{{scene}} {name}\n:::\n", timeout=1)
    assert "--jobs" not in str(told.value) and "--scene-timeout" not in str(told.value)


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (":::{scene}", "no scene is named"),
        (":::{scene} toy car", "'toy car' is more than the name of a scene"),
        (":::{scene} toy\n:step 2", "':step 2' is no option of scene 'toy'"),
        (":::{scene} toy\n:step: 2\nmore\n:::", "'more' is no option of scene 'toy'"),
        (":::{scene} toy\n:step:", "the step '' is not a whole number"),
    ],
)
def test_mkdocs_tells_what_is_wrong_with_a_block_at_its_line_of_the_file(tmp_path, block, told):
    root = written(tmp_path, **{"scenes/toy/scene.py": TOY})
    with pytest.raises(PluginError, match=f"^part/page.md:7: {told}"):
        page_of(root, f"---\ntitle: A\n---\n\nText.\n\n{block}\n")


def test_scene_in_a_list_or_a_call_out_of_mkdocs_is_shown_and_code_stays_code(tmp_path):
    root = written(tmp_path, **{"scenes/toy/scene.py": TOY})
    scene = "    :::{scene} toy\n    :step: 2\n    :::\n"
    for head in ("- item\n  that goes on", "1. item", "!!! note\n    Text.", '=== "Tab"'):
        made = page_of(root, f"{head}\n\n{scene}\n    After.\n")
        assert made.startswith(f"{head}\n\n    <iframe") and made.endswith("</iframe>\n\n    After.\n")
    fenced = f"- item\n\n    ```markdown\n{scene}    ```\n"
    assert page_of(root, fenced) == fenced
    code = f"- item\n\nCode:\n\n{scene}"
    assert page_of(root, code) == code


def test_scenes_of_mkdocs_speak_the_theme_s_language(tmp_path):
    settings = "site_name: Docs\nplugins: [loom]\ntheme: {name: mkdocs, locale: de}\n"
    site, _ = mkdocs_site(tmp_path, **{"mkdocs.yml": settings})
    shown = (site / "_loom/scenes/toy/index.html").read_text()
    assert '<html lang="de">' in shown and "Als Daten zeigen" in shown
