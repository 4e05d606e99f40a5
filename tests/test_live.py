"""The site in memory follows its folder: only what an edit touches, and the last good state through every mistake."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from loom.build.pipeline import build_site
from loom.dev.live import Live
from loom.errors import LoomError, Problem
from loom.options import Options
from loom.progress import ProgressEvent, Stage
from loom.reporting import excerpt
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
    assert started.follow().everything
    return started


def computed(events: list[ProgressEvent]) -> list[str]:
    """The scenes that were computed."""
    return [one.subject for one in events if one.stage is Stage.SCENE_COMPUTED]


def edit(live: Live, **files: str):
    """Write files, and let the site follow."""
    toy_site(live.options.root, **{**PAGES, "scenes/toy/scene.py": TOY, **files})
    return live.follow()


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


RICH = {
    "index": "# Home\n\nTo [a part](part.md#end). It is {value}`toy.size`.\n\n"
    ":::{scene} toy\n:count: 3\n:::\n\n## Low\n",
    "part.md": "# Part\n\nSee [step 2](index.md#toy?step=2) of {value}`toy.count | 3`.\n\n## End\n\nMore.\n",
    "plain.md": "# Plain\n\nA {term}`warp`. It was so {cite}`toy2020`. [Down](index.md#low)\n",
    "list.md": "# Lists\n\n:::{references}\n:::\n\n:::{glossary}\n:::\n",
}


@pytest.mark.parametrize(("name", "old", "new", "pages"), [
    ("index", "To [a", "Over to [a", {"index.html"}),
    ("index", "## Low", "## Lower\n\n## Low", {"index.html"}),
    ("index", "It is {value}`toy.size`.", "It is {value}`toy.size twice=on`.", {"index.html"}),
    ("index", "It is {value}`toy.size`.", "Nothing.", {"index.html"}),
    ("part.md", "More.", "Less.", {"part/index.html"}),
    ("part.md", "## End", "## End\n\n## Far end", {"part/index.html"}),
    ("part.md", "More.", "[step 1](index.md#toy?count=4&step=1)", {"part/index.html", "index.html"}),
    ("part.md", "See [step 2](index.md#toy?step=2)", "See", {"part/index.html", "index.html"}),
    ("part.md", "More.", "More, {cite}`pair2021`.", {"part/index.html", "list/index.html"}),
    ("plain.md", "It was", "It never was", {"plain/index.html", "list/index.html"}),
    ("plain.md", "[Down]", "{value}`toy.third` [Down]", {"plain/index.html"}),
    ("plain.md", "A {term}`warp`.", "", {"plain/index.html", "list/index.html"}),
    ("list.md", "# Lists", "# Lists\n\nAll of them.", {"list/index.html"}),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_edit_of_a_page_that_leans_on_scenes_makes_it_anew_and_what_shows_it(tmp_path, name, old, new, pages):
    events: list[ProgressEvent] = []
    root = toy_site(tmp_path, **RICH)
    live = Live(Options(root, cache=root / ".cache"), events.append)
    assert not live.follow().problems
    events.clear()
    toy_site(root, **{name: altered(RICH[name], (old, new))})
    news = live.follow()
    assert (news.pages, news.everything) == (pages, False)
    assert computed(events) == []
    assert live.output == build_site(live.options)
    toy_site(root, **RICH)
    assert live.follow().pages == pages
    assert live.output == build_site(live.options)


@pytest.mark.parametrize(("name", "old", "new"), [
    ("index", ":count: 3", ":count: 4"),
    ("index", ":count: 3", ":step: 2"),
    ("index", ":::{scene} toy\n:count: 3\n:::\n", ""),
    ("plain.md", "[Down](index.md#low)", ":::{scene} second\n:::\n"),
    ("plain.md", "[Down](index.md#low)", "{value}`second.size`"),
    ("list.md", ":::{references}\n:::\n", ""),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_edit_that_others_may_show_otherwise_makes_everything_anew(tmp_path, name, old, new):
    root = toy_site(tmp_path, **RICH, **{"scenes/second/scene.py": TOY})
    live = Live(Options(root, cache=root / ".cache"))
    assert not live.follow().problems
    toy_site(root, **{name: altered(RICH[name], (old, new))})
    live.follow()
    if live.problems:  # links to a scene that has gone
        with pytest.raises(LoomError) as caught:
            build_site(live.options)
        assert caught.value.problems == live.problems
        toy_site(root, **RICH)
        live.follow()
    assert live.output == build_site(live.options)


@pytest.mark.parametrize(("name", "old", "new"), [
    ("index", "It is", "{term}`nope`"),
    ("index", "`toy.size`", "`toy.nope`"),
    ("index", "## Low", "## High"),
    ("part.md", "?step=2", "?step=9"),
    ("part.md", "| 3`", "| 7`"),
    ("plain.md", "[Down]", "{value}`nope.size` [Down]"),
    ("list.md", "# Lists", "# Lists\n\n{cite}`nope`"),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_mistake_on_a_page_that_leans_on_scenes_is_that_of_a_build_from_nothing(tmp_path, name, old, new):
    root = toy_site(tmp_path, **RICH)
    live = Live(Options(root, cache=root / ".cache"))
    live.follow()
    good = dict(live.output)
    toy_site(root, **{name: altered(RICH[name], (old, new))})
    news = live.follow()
    with pytest.raises(LoomError) as caught:
        build_site(live.options)
    assert news.problems == caught.value.problems
    assert live.output == good


def test_edited_scene_is_computed_and_no_other(root):
    events: list[ProgressEvent] = []
    live = Live(Options(root, cache=root / ".cache"), events.append)
    toy_site(root, **{**PAGES, "scenes/second/scene.py": TOY, "other.md": "# Other\n\n:::{scene} second\n:::\n"})
    live.follow()
    events.clear()
    (root / "scenes/toy/scene.py").write_text(altered(TOY, ("A bar grows.", "A bar grows long.")))
    live.follow()
    assert computed(events) == ["toy"]
    assert b"grows long" in live.output[PurePosixPath("index.html")]


def test_folder_that_comes_brings_its_files(live):
    toy_site(live.options.root, **PAGES, **{"more/new.md": "# New\n"})
    assert live.follow().pages
    assert live.output[PurePosixPath("more/new/index.html")]
    toy_site(live.options.root, **PAGES, **{"static/css/main.css": "p { color: red }\n"})
    assert live.follow().style
    assert live.output == build_site(live.options)


def test_folder_without_files_changes_nothing(live):
    (live.options.root / "static/css").mkdir(parents=True)
    news = live.follow()
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
    news = edit(live, **{"part.md": "# Part\n\nMended.\n\n## End\n"})
    assert (news.problems, news.mended, live.follow().mended) == ((), True, False)
    assert b"Mended." in live.output[PurePosixPath("part/index.html")]


def test_edits_made_while_something_is_wrong_are_not_forgotten(live):
    edit(live, **{"part.md": "# Part\n\n{nope}`x`\n\n## End\n"})
    toy_site(live.options.root, **{**PAGES, "other.md": "# Other\n\nMeanwhile.\n"})
    live.follow()
    assert b"Meanwhile." in live.output[PurePosixPath("other/index.html")]
    assert live.output == build_site(live.options)


def test_site_that_can_not_be_built_at_first_comes_when_it_is_mended(root):
    live = Live(Options(root))
    toy_site(root, **{**PAGES, "part.md": "{nope}`x`\n"})
    assert live.follow().problems
    assert live.output == {}
    toy_site(root, **PAGES)
    assert live.follow().everything
    assert live.output == build_site(live.options)


def test_deleted_page_goes(live):
    (live.options.root / "content/other.md").unlink()
    live.follow()
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


def test_excerpt_counts_lines_as_everything_else_does(tmp_path):
    (tmp_path / "page.md").write_text("one\u2028still one\ntwo\x0cstill two\n", encoding="utf-8")
    assert excerpt(Problem("page.md", 2, 0, "wrong"), tmp_path).splitlines()[-1].startswith("> 2 | two")


def test_file_is_not_read_for_a_problem_without_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: pytest.fail("read"))
    assert excerpt(Problem("page.md", 0, 0, "this file has 20,000.0 MB, and may have 10"), tmp_path) == ""


def test_excerpt_of_a_long_line_is_the_part_around_the_mistake(tmp_path):
    line = "".join(f"{at:>9} " for at in range(10, 10_000, 10))  # each number ends one place before itself
    (tmp_path / "page.md").write_text(f"{line}\nnext\n")
    head, caret, _ = excerpt(Problem("page.md", 1, 5000, "wrong"), tmp_path).splitlines()
    assert len(head) < 220 and head.startswith("> 1 | …") and head.endswith("…")
    assert head[caret.index("^")] == line[4999]
    assert head[caret.index("^") - 2 :].startswith(line[4997:5005])
    (tmp_path / "page.md").write_text("x" * 500)
    assert excerpt(Problem("page.md", 1, 20, "wrong"), tmp_path).splitlines()[0] == f"> 1 | {'x' * 200}…"


def test_excerpt_commands_no_terminal(tmp_path):
    (tmp_path / "page.md").write_text("\tA \x1b[31mred\x07 \u202eword\n")
    assert excerpt(Problem("page.md", 1, 0, "wrong"), tmp_path) == "> 1 |  A \ufffd[31mred\ufffd \ufffdword"


def test_problem_without_a_file_has_no_excerpt(tmp_path):
    assert excerpt(Problem("nope.md", 1, 1, "wrong"), Path(tmp_path)) == ""
