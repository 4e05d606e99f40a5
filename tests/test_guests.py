"""Scenes in the documentation of others: a small real site of Sphinx and of MkDocs, built and opened."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError
from playwright.sync_api import Page, expect

from loom.build.scenes import compute_all
from loom.errors import LoomError
from loom.guests import Guests
from loom.mkdocs import LoomPlugin, _line
from loom.paths import OWN
from tests.sites import TOY, line_with
from tests.test_survey import odd

MYST = """# A page

Words before.

```{scene} toy
:count: 3
:step: 2
```

Words after.
"""
RST = """
Down here
=========

.. scene:: toy
   :mode: slow way
"""
INDEX = "# Docs\n\nSee.\n\n```{toctree}\npage\ndeep/down\n```\n"
MKDOCS = """# A page

Words before.

:::{scene} toy
:count: 3
:step: 2

Words after.

```markdown
:::{scene} toy
:::
```
"""


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def sphinx_site(folder: Path, builder: str = "html", **files: str) -> tuple[Path, str]:
    """A site, and what Sphinx warned of."""
    conf = "extensions = ['myst_parser', 'loom.sphinx']\nproject = 'Docs'\n"
    pages = {"conf.py": conf, "index.md": INDEX, "page.md": MYST, "deep/down.rst": RST, "scenes/toy/scene.py": TOY}
    written(folder, **{**pages, **files})
    command = ["sphinx", "-q", "--no-color", "-b", builder, "-d", folder / "trees", folder, folder / "out"]
    return folder / "out", ran(folder, *command).stderr


def mkdocs_site(folder: Path, **files: str) -> tuple[Path, str]:
    """A site, and what MkDocs says; it finds the plugin by the entry point that the project names."""
    pages = {"mkdocs.yml": "site_name: Docs\nplugins: [loom]\n", "docs/index.md": "# Docs\n\n[On](deep/page.md)\n",
             "docs/deep/page.md": MKDOCS, "scenes/toy/scene.py": TOY}  # fmt: skip
    project = tomllib.loads((OWN / "pyproject.toml").read_text())["project"]
    ((group, points),) = project["entry-points"].items()
    lines = [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    told = {"METADATA": "Metadata-Version: 2.1\nName: loom-here\nVersion: 0\n", "entry_points.txt": "\n".join(lines)}
    written(folder, **{**pages, **files}, **{f"loom_here-0.dist-info/{name}": text for name, text in told.items()})
    done = ran(folder, "mkdocs", "build", "-q", "-f", folder / "mkdocs.yml")
    assert (done.returncode == 0) == (folder / "site/index.html").exists()
    return folder / "site", done.stderr


def ran(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(OWN), str(folder)])
    settings = {**os.environ, "PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run([sys.executable, "-m", *command], env=settings, capture_output=True, text=True, check=False)


@pytest.fixture
def reader(chromium):
    """Opens a page of a built site as a plain host sends it, without any headers of ours."""
    import functools
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    from tests.servers import running

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Quiet."""

    closing = []
    context = chromium.new_context(reduced_motion="reduce", viewport={"width": 1000, "height": 900})
    faults: list[str] = []

    def read(site: Path, path: str) -> Page:
        server = running(ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))))
        closing.append(server)
        page = context.new_page()
        page.on("response", lambda answer: faults.append(answer.url) if answer.status >= 400 else None)
        page.on("pageerror", lambda error: faults.append(f"{error}: {error.stack}"))
        page.goto(f"http://127.0.0.1:{server.__enter__()}/{path}")
        return page

    yield read
    context.close()
    for server in closing:
        server.__exit__(None, None, None)
    assert [one for one in faults if "_loom/" in one] == []  # themes have faults of their own


def plays(page: Page, step: int, count: int) -> None:
    """The frame shows the state that was asked for, is as tall as its scene, and answers a control and keys."""
    frame = page.frame_locator("iframe.loom-scene")
    page.locator("iframe.loom-scene").scroll_into_view_if_needed()
    expect(frame.locator("[data-part=play]")).to_be_enabled()
    expect(frame.locator("[data-part=count]")).to_have_text(f"{step} / {count}")
    page.wait_for_function("document.querySelector('iframe').style.height !== '700px'")
    assert frame.locator("html").evaluate("html => html.scrollHeight <= innerHeight + 1")
    frame.locator("#toy-count").fill("2")
    expect(frame.locator("[data-part=count]")).to_have_text(re.compile(" / 4$"))
    frame.locator("[data-scene]").press("Home")
    expect(frame.locator("[data-part=count]")).to_have_text("1 / 4")


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


@pytest.mark.parametrize("directories", [True, False])
def test_mkdocs_shows_a_scene(tmp_path, reader, directories):
    settings = f"site_name: Docs\nplugins: [loom]\nuse_directory_urls: {str(directories).lower()}\n"
    site, said = mkdocs_site(tmp_path, **{"mkdocs.yml": settings})
    assert said == ""
    page = reader(site, "deep/page/" if directories else "deep/page.html")
    plays(page, 2, 3)
    expect(page.get_by_text("Words after.")).to_be_visible()
    expect(page.locator("code", has_text=":::{scene} toy")).to_have_count(1)  # code stays code


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


def test_folder_without_scenes_is_told_where_the_plugin_is_named(tmp_path):
    settings = "site_name: Docs\ndocs_dir: docs\nplugins: [search, loom]\n"
    folder = written(tmp_path, **{"mkdocs.yml": settings, "docs/index.md": "# Docs\n"})
    with pytest.raises(LoomError, match=r"mkdocs\.yml:3: there is no folder"):
        Guests(folder).begin("mkdocs.yml", partial(_line, folder / "mkdocs.yml"))


@pytest.mark.parametrize(("setting", "line"), [("root", 5), ("scene_timeout", 6), ("other", 4)])
def test_setting_of_mkdocs_has_its_line(tmp_path, setting, line):
    text = "site_name: D\nplugins:\n  - search\n  - loom:\n      root: a\n      scene_timeout: 1\n"
    assert _line(written(tmp_path, **{"mkdocs.yml": text}) / "mkdocs.yml", setting) == line


# By a slip's name: what is another in the toy, and what is told of it.
SLIPS = {
    "bracket": ('f"Step', 'f("Step', r":16:13: not valid Python: '\(' was never closed"),
    "module": ("from loom.draw", "import nupmy\nfrom loom.draw", r":1: .*ModuleNotFoundError: No module named 'nupmy'"),
    "name": ("* (state[3]", "* (stat[3]", r":11: .*NameError: name 'stat' is not defined"),
    "role": ('"data", set', '"dat", set', r":9: .*has the unknown role 'dat' (?s:.*)did you mean 'data'"),
    "field": ("title=", "titel=", r":28: .*unexpected keyword argument 'titel'"),
    "empty": ('"A toy"', '""', r":28: .*'title' is empty"),
    "options": ("(2, 3, 4)", "()", r":28: .*'count' has no options"),
    "nan": ("40 * (state[3] + 1)", "float('nan')", r":9: .*its width is nan"),
    "nothing": ("SCENE = Scene", "SCENES = Scene", r": .*defines no SCENE"),
    "endless": ("pen = Pen(width)\n", "pen = Pen(width)\n    while True: pass\n", r":11: .*takes longer than 1 s"),
    "exit": ("pen = Pen(width)", "import os; os._exit(3)", r": a worker process has ended"),
}


def slips() -> dict[str, str]:
    return {f"scenes/{name}/scene.py": TOY.replace(old, new) for name, (old, new, _) in SLIPS.items()}


def test_sphinx_tells_ordinary_slips_of_a_scene_with_its_line_and_goes_on(tmp_path):
    page = "# A page\n\n" + "\n".join(f"```{{scene}} {name}\n```\n" for name in SLIPS)
    conf = "extensions = ['myst_parser', 'loom.sphinx']\nloom_scene_timeout = 1\n"
    site, said = sphinx_site(tmp_path, **{"conf.py": conf, "page.md": page}, **slips())
    for name, (_, _, told) in SLIPS.items():
        line = line_with(page, f"{{scene}} {name}")
        assert re.search(rf"page\.md:{line}: ERROR: scenes/{name}/scene\.py{told}", said), name
    assert "Traceback" not in said and "--jobs" not in said and "loom_scene_timeout" in said
    assert (site / "deep/down.html").exists()


def page_of(root: Path, text: str, **settings: float) -> str:
    """What the plugin of MkDocs makes of a page."""
    plugin, file = LoomPlugin(), root / "docs/part/page.md"
    plugin.guests, plugin.shown = Guests(root, **settings), set()
    written(root, **{"docs/part/page.md": text})
    markdown = text.split("---\n")[-1].lstrip("\n")
    shown = SimpleNamespace(file=SimpleNamespace(src_uri="part/page.md", abs_src_path=str(file)), url="part/page/")
    return plugin.on_page_markdown(markdown, shown, None, None)


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
        Guests(written(tmp_path, **{"scenes/toy/scene.py": TOY}, **files), **settings).begin("conf", lambda _: 7)
    assert str(caught.value).startswith(told)


def test_scene_with_a_mistake_is_computed_once_however_many_pages_show_it(tmp_path, monkeypatch):
    guests, asked = Guests(written(tmp_path, **slips())), []
    monkeypatch.setattr("loom.guests.compute_all", lambda *given: asked.append(given) or compute_all(*given))
    for _ in range(3):
        with pytest.raises(LoomError, match="unknown role 'dat'"):
            guests.frame("role", {}, "")
    assert len(asked) == 1


def test_scene_that_no_page_shows_may_be_unfinished(tmp_path):
    guests = Guests(written(tmp_path, **{"scenes/toy/scene.py": TOY, "scenes/later/scene.py": "1 / 0\n"}))
    assert "_loom/scenes/toy/" in guests.frame("toy", {}, "")


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


def test_scenes_of_mkdocs_speak_the_theme_s_language(tmp_path):
    settings = "site_name: Docs\nplugins: [loom]\ntheme: {name: mkdocs, locale: de}\n"
    site, _ = mkdocs_site(tmp_path, **{"mkdocs.yml": settings})
    shown = (site / "_loom/scenes/toy/index.html").read_text()
    assert '<html lang="de">' in shown and "Als Daten zeigen" in shown


def test_folders_of_a_documentation_are_not_taken_for_those_of_a_site(tmp_path):
    files = {"templates/embed.html": "Not ours.", "static/secret.txt": "Not to be shown."}
    guests = Guests(written(tmp_path, **files, **{"scenes/toy/scene.py": TOY}))
    output = guests.output("Docs", {"toy"})
    assert b"A toy" in output[PurePosixPath("_loom/scenes/toy/index.html")]
    assert not [path for path in output if path.name == "secret.txt"]
