"""A large site: sections from its folders, a sidebar, the way to each page, and the order from page to page."""

from __future__ import annotations

from itertools import pairwise

import pytest

from loom.dev.live import Live
from loom.dev.serve import _write
from loom.options import Options
from tests.sites import built, faults, page, site, words


def said(title: str, front: str = "", text: str = "Text.") -> str:
    return f"---\ntitle: {title}\nsummary: About {title}.\n{front}---\n\n{text}\n"


LARGE = {
    "index": said("Home"),
    "about": said("About", "order: 90\n"),
    "guide/index": said("The guide", "order: 10\n"),
    **{f"guide/g{at}": said(f"Guide {at}", f"order: {20 - at}\n") for at in range(1, 6)},
    "guide/deep/one": said("Deep one", "order: 30\n"),
    "guide/deep/two": said("Deep two", "order: 31\n"),
    **{f"user-tasks/t{at}": said(f"Task {at}", "order: 50\n") for at in range(1, 6)},
    "user-tasks/hidden": said("Hidden", "listed: false\n"),
}
ORDER = [
    "index", "guide/index", "guide/g5", "guide/g4", "guide/g3", "guide/g2", "guide/g1", "guide/deep/one",
    "guide/deep/two", *(f"user-tasks/t{at}" for at in range(1, 6)), "about",
]  # fmt: skip


def file(name: str) -> str:
    return "index.html" if name == "index" else f"{name.removesuffix('/index')}/index.html"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    more = {"user-tasks/t1": said("Task 1", "order: 50\n", "[h](hidden.md)")}
    root = site(tmp_path_factory.mktemp("large"), **{**LARGE, **more})
    assert faults(root) == ()  # no page is an orphan: the sidebars lead to all of them
    return built(root)


def shown(tree, at: str = ".//nav[@class='sections']") -> list[object]:
    """A sidebar as nested lists, the present page with a star."""

    def items(node) -> list[object]:
        found: list[object] = []
        for item in node.findall("li"):
            link = item.find("a")
            found.append(words(link) + "*" * (link.get("aria-current") == "page"))
            found += [items(inner) for inner in item.findall("ol")]
        return found

    return items(tree.find(at).find(".//ol"))


def test_sidebar_shows_the_top_and_the_folders_on_the_way_to_a_page(large):
    guides = ["Guide 5", "Guide 4", "Guide 3", "Guide 2", "Guide 1"]
    assert shown(page(large)) == ["The guide", "User tasks", "About"]
    assert shown(page(large, file("guide/g1"))) == [
        "The guide",
        [*guides[:4], "Guide 1*", "Deep"],
        "User tasks",
        "About",
    ]
    assert shown(page(large, file("guide/index"))) == ["The guide*", [*guides, "Deep"], "User tasks", "About"]
    deep = ["The guide", [*guides, "Deep", ["Deep one", "Deep two*"]], "User tasks", "About"]
    assert shown(page(large, file("guide/deep/two"))) == deep


def test_sidebar_of_an_unlisted_page_marks_no_other_as_the_present_one(tmp_path):
    more = {"guide/aside": said("Aside", "listed: false\n")}
    output = built(site(tmp_path, **{**LARGE, **more}))
    assert shown(page(output, file("guide/aside")))[0] == "The guide"


def test_folder_without_a_page_leads_to_its_first(large):
    links = {words(link): link.get("href") for link in page(large).find(".//nav[@class='sections']").iter("a")}
    assert links == {"The guide": "guide/", "User tasks": "user-tasks/t1/", "About": "about/"}


def test_head_of_a_large_site_names_its_sections(large):
    links = [words(link) for link in page(large, file("about")).find(".//nav[@aria-label='Pages']").iter("a")]
    assert links == ["Home", "The guide", "User tasks", "About"]


def test_next_and_previous_go_through_the_sections(large):
    for before, after in pairwise(ORDER):
        following = page(large, file(before)).find(".//footer//a[@rel='next']")
        title = words(page(large, file(after)).find(".//h1"))
        assert words(following) == f"After this {title}"


def test_breadcrumbs_are_the_folders_that_a_page_lies_in(large):
    def crumbs(name: str) -> list[str]:
        found = page(large, file(name)).find(".//nav[@aria-label='Breadcrumbs']")
        return [] if found is None else [words(link) for link in found.iter("a")]

    assert crumbs("index") == crumbs("about") == crumbs("guide/index") == []
    assert crumbs("guide/g1") == ["Home", "The guide"]
    assert crumbs("guide/deep/two") == ["Home", "The guide", "Deep"]
    assert crumbs("user-tasks/hidden") == ["Home", "User tasks"]


def test_every_page_of_a_long_flat_site_is_in_its_sidebar(tmp_path):
    numbered = {f"p{at:02}": said(f"P {at}") for at in range(40)}
    output = built(site(tmp_path, index=said("Home"), **numbered))
    assert shown(page(output, "p07/index.html"))[7] == "P 7*"
    assert len(shown(page(output))) == 40
    head = page(output).find(".//nav[@aria-label='Pages']")
    assert [words(link) for link in head.iter("a")] == ["Home"]


def test_folder_of_hundreds_of_pages_is_shown_in_ranges_with_that_of_the_page_open(tmp_path):
    numbered = {f"p{at:03}": said(f"P {at}") for at in range(1, 225)}
    root = site(tmp_path, index=said("Home"), about=said("About", "order: 1\n"), **numbered)
    assert faults(root) == ()  # no page is an orphan: each range leads to its first page, and that to the others
    output = built(root)
    ranges = ["About – P 14", *(f"P {at} – P {at + 14}" for at in range(15, 225, 15))]
    assert shown(page(output)) == ranges
    opened = shown(page(output, "p031/index.html"))
    assert opened == [*ranges[:2], *(f"P {at}{'*' * (at == 31)}" for at in range(30, 45)), *ranges[3:]]
    links = [link.get("href") for link in page(output, "p031/index.html").find(".//nav[@class='sections']").iter("a")]
    assert links[:4] == ["../about/", "../p015/", "../p030/", "./"]


def test_small_site_names_all_its_pages_in_the_head_and_has_no_sidebar(tmp_path):
    pages = {f"folder/p{at:02}": said(f"P {at}") for at in range(11)}
    tree = page(built(site(tmp_path, index=said("Home"), **pages)), "folder/p03/index.html")
    assert len(tree.find(".//nav[@aria-label='Pages']").findall(".//a")) == 12
    assert tree.find(".//nav[@class='sections']") is None
    assert tree.find(".//nav[@aria-label='Breadcrumbs']") is None


DRAFT = said("Begun", "draft: true\n")


def test_drafts_are_served_and_marked_and_in_no_built_site(tmp_path):
    root = site(tmp_path, index=said("Home", text="[it](begun.md)"), begun=DRAFT, other=said("Other"))
    live = Live(Options(root, drafts=True))
    live.follow()
    tree = page(live.output, "begun/index.html")
    assert words(tree.find(".//h1")) == "Begun (draft)"
    assert "A draft" in words(tree.find(".//header[@class='title']"))
    named = [words(link) for link in page(live.output).find(".//nav[@aria-label='Pages']").iter("a")]
    assert "Begun (draft)" in named
    (found,) = faults(root)
    assert found.message == "the page 'begun.md' is a draft"


def test_site_with_drafts_is_served_and_not_written(tmp_path, capsys):
    root = site(tmp_path / "a", index=said("Home"), begun=DRAFT)
    live = Live(Options(root, drafts=True))
    live.follow()
    _write(live, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert "nothing is written to out/: begun" in capsys.readouterr().err
    site(root, begun=said("Begun"))
    live.follow()
    _write(live, tmp_path / "out")
    assert (tmp_path / "out/begun/index.html").exists()


def test_hint_says_what_it_means_to_list_a_page(tmp_path):
    (found,) = faults(site(tmp_path, index=said("Home"), lone=said("Lone", "listed: false\n")))
    assert found.hint == "link to it from another page, or delete its line 'listed: false': then the navigation does"


def test_folder_stands_where_its_own_page_says(tmp_path):
    late = {"late/index": said("Late", "order: 95\n"), "late/first": said("First", "order: 1\n")}
    output = built(site(tmp_path, **{**LARGE, **late}))
    assert shown(page(output)) == ["The guide", "User tasks", "About", "Late"]
    ends = page(output, file("about")).find(".//footer//a[@rel='next']")
    assert words(ends) == "After this Late"
