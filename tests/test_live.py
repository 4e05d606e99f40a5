"""The site in memory follows its folder: only what an edit touches, and the last good state through every mistake."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from loom.errors import Problem
from loom.excerpt import excerpt
from loom.live import Live
from loom.options import Options
from loom.pipeline import build_site
from tests.sites import TOY, altered, toy_site

PAGES = {
    "index": "# Home\n\nTo [a part](part.md#end).\n\n:::{scene} toy\n:::\n",
    "part.md": "# Part\n\nText.\n\n## End\n\nMore.\n",
    "other.md": "# Other\n\nSee [the end](part.md#end).\n",
}


@pytest.fixture
def root(tmp_path):
    return toy_site(tmp_path / "root", **PAGES)


@pytest.fixture(params=[True, False], ids=["cache", "no cache"])
def live(root, request):
    started = Live(Options(root, cache=root / ".cache" if request.param else None))
    assert started.start().everything
    return started


def edit(live: Live, **files: str):
    """Write files, and tell the site."""
    toy_site(live.options.root, **{**PAGES, "scenes/toy/scene.py": TOY, **files})
    folder = {True: "content", False: ""}
    return live.follow({live.options.root / folder["/" not in name] / name for name in files})


def test_edit_of_a_plain_page_changes_that_page(live):
    news = edit(live, **{"part.md": "# Part\n\nNew.\n\n## End\n"})
    assert (news.pages, news.everything) == ({"part/index.html"}, False)
    assert live.output == build_site(live.options)


@pytest.mark.parametrize("files", [
    {"part.md": "# Portion\n\n## End\n"},
    {"scenes/toy/scene.py": altered(TOY, ("A bar grows.", "A bar grows long."))},
    {"templates/mark.html": "{% macro threads() %}<b>#</b>{% endmacro %}\n"},
    {"site.yml": "title: Another\n"},
    {"new.md": "# New\n"},
], ids=["title", "scene", "template", "settings", "new page"])  # fmt: skip
def test_after_any_other_edit_the_site_is_that_of_a_build_from_nothing(live, files):
    edit(live, **files)
    assert live.output == build_site(live.options)


def test_edited_scene_is_computed_and_no_other(root):
    said: list[str] = []
    live = Live(Options(root, cache=root / ".cache"), said.append)
    toy_site(root, **{**PAGES, "scenes/second/scene.py": TOY, "other.md": "# Other\n\n:::{scene} second\n:::\n"})
    live.start()
    said.clear()
    (root / "scenes/toy/scene.py").write_text(altered(TOY, ("A bar grows.", "A bar grows long.")))
    live.follow({root / "scenes/toy/scene.py"})
    assert [line for line in said if line.startswith("scene")] == ["scene toy (12 variants)"]
    assert b"grows long" in live.output[PurePosixPath("index.html")]


def test_folder_that_comes_brings_its_files(live):
    toy_site(live.options.root, **PAGES, **{"more/new.md": "# New\n"})
    assert live.follow({live.options.root / "content/more"}).pages
    assert live.output[PurePosixPath("more/new/index.html")]
    toy_site(live.options.root, **PAGES, **{"static/css/main.css": "p { color: red }\n"})
    assert live.follow({live.options.root / "static"}).style
    assert live.output == build_site(live.options)


def test_folder_without_files_changes_nothing(live):
    (live.options.root / "static/css").mkdir(parents=True)
    news = live.follow({live.options.root / "static/css"})
    assert (news.pages, news.style, news.everything) == (frozenset(), "", False)


def test_style_sheet_alone_is_exchanged_without_touching_a_page(live):
    news = edit(live, **{"static/css/main.css": "p { color: red }\n"})
    assert news.style.startswith("assets/style.")
    assert not news.pages
    assert news.style in live.output[PurePosixPath("part/index.html")].decode()
    assert live.output == build_site(live.options)


def test_mistake_leaves_the_last_good_site_and_mending_it_brings_the_page_back(live):
    good = dict(live.output)
    news = edit(live, **{"part.md": "# Part\n\n{nope}`x`\n\n## End\n"})
    assert [problem.message for problem in news.problems] == ["unknown role 'nope'"]
    assert live.output == good
    assert edit(live, **{"part.md": "# Part\n\nMended.\n\n## End\n"}).problems == ()
    assert b"Mended." in live.output[PurePosixPath("part/index.html")]


def test_edits_made_while_something_is_wrong_are_not_forgotten(live):
    edit(live, **{"part.md": "# Part\n\n{nope}`x`\n\n## End\n"})
    toy_site(live.options.root, **{**PAGES, "other.md": "# Other\n\nMeanwhile.\n"})
    live.follow({live.options.root / "content/other.md"})
    assert b"Meanwhile." in live.output[PurePosixPath("other/index.html")]
    assert live.output == build_site(live.options)


def test_site_that_can_not_be_built_at_first_comes_when_it_is_mended(root):
    live = Live(Options(root))
    toy_site(root, **{**PAGES, "part.md": "{nope}`x`\n"})
    assert live.start().problems
    assert live.output == {}
    toy_site(root, **PAGES)
    assert live.follow({root / "content/part.md"}).everything
    assert live.output == build_site(live.options)


def test_deleted_page_goes(live):
    path = live.options.root / "content/other.md"
    path.unlink()
    live.follow({path})
    assert PurePosixPath("other/index.html") not in live.output


@pytest.mark.parametrize(("line", "column", "shown"), [
    (2, 3, "  1 | one\n> 2 | two\n        ^\n  3 | three"),
    (1, 0, "> 1 | one\n  2 | two"),
    (3, 1, "  2 | two\n> 3 | three\n      ^"),
    (0, 0, ""),
    (9, 1, ""),
])  # fmt: skip
def test_excerpt_shows_the_line_and_its_neighbours(tmp_path, line, column, shown):
    (tmp_path / "page.md").write_text("one\ntwo\nthree\n")
    assert excerpt(Problem("page.md", line, column, "wrong"), tmp_path) == shown


def test_problem_without_a_file_has_no_excerpt(tmp_path):
    assert excerpt(Problem("nope.md", 1, 1, "wrong"), Path(tmp_path)) == ""
