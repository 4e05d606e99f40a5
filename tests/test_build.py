"""A folder in, a mapping out: addresses, links, files, and pages that a strict parser accepts."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from loom.build.pipeline import Options
from loom.lint.run import lint
from loom.render.headers import CSP
from tests.sites import TOY, built, links, page, problems, site, text, toy_site, words

PART = """\
---
title: "Parts & <pieces>"
summary: What there is.
nav: Part
order: 2
---

## One

[up](../index.md) [there](../other.md#far-off) [here](#one) [state](../other.md#toy?count=3&step=2)
[table](../a%20b.csv) [out](https://example.org/?a=1&b=2) [mail](mailto:a@example.org) ![A line](line.svg)

## Two
"""
OTHER = """\
---
title: Other
order: 3
---

[part](deep/part.md), [back](index.md#top) and [this](other.md).

## Far off

:::{scene} toy
:::

[slowly](#toy?mode=slow%20way) and [again](#toy?count=3&step=2)
"""
FILES = {
    "site.yml": "title: The Site\ntagline: A line.\nurl: https://example.org/base/\nrepository: https://example.org/r\n",
    "index.md": "---\ntitle: Home\norder: 1\n---\n\n## Top\n",
    "other.md": OTHER,
    "deep/part.md": PART,
    "deep/index.md": "---\norder: 4\nlisted: false\n---\n\n# Deep *down*\n",
    "draft.md": "---\ntitle: Draft\ndraft: true\n---\n\n{term}`what is not there yet`\n",
    "_notes.md": "{nope}`x`",
    "deep/line.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "a b.csv": "1,2\n",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return built(toy_site(tmp_path_factory.mktemp("site"), **FILES))


def test_pages_have_clean_addresses_and_home_is_at_the_root(output):
    assert sorted(str(path) for path in output if path.name == "index.html") == [
        "deep/index.html", "deep/part/index.html", "index.html", "other/index.html",
    ]  # fmt: skip


def test_page_chosen_as_home_is_at_the_root(tmp_path):
    output = built(site(tmp_path, index="# Index\n", start="# Start\n", **{"site.yml": "home: start\n"}))
    assert words(page(output, "index.html").find(".//h1")) == "Start"
    assert words(page(output, "index/index.html").find(".//h1")) == "Index"


def test_every_page_is_parsed_without_errors_and_has_no_style_of_its_own(output):
    for path in output:
        if path.suffix == ".html":
            tree = page(output, str(path))
            assert not [node for node in tree.iter() if node.get("style") or node.tag == "style"]
            assert tree.find(".//{http://www.w3.org/2000/svg}svg") is not None
            policy = tree.find(".//meta[@http-equiv='Content-Security-Policy']")
            assert policy.get("content") == CSP


def test_policy_allows_nothing_inline_and_nothing_from_elsewhere():
    assert "default-src 'none'" in CSP and "unsafe" not in CSP and "http" not in CSP


@pytest.mark.parametrize("path", ["index.html", "other/index.html", "deep/part/index.html"])
def test_nothing_is_fetched_from_another_site_or_from_the_root(output, path):
    tree = page(output, path)
    fetched = [node.get(name) for node in tree.iter() for name in ("src", "href")
               if node.get(name) and node.tag in ("script", "link", "img")]  # fmt: skip
    assert fetched
    local = [address for address in fetched if address != f"https://example.org/base/{path.removesuffix('index.html')}"]
    assert not [address for address in local if re.match(r"/|[a-z]+:", address)]
    here = PurePosixPath(path).parent
    assert all(_resolved(here / address) in output for address in local)


def _resolved(path: PurePosixPath) -> PurePosixPath:
    parts: list[str] = []
    for part in path.parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return PurePosixPath(*parts)


def test_links_are_relative_from_a_nested_page(output):
    assert links(page(output, "deep/part/index.html")) == {
        "#": "#two",  # the last of the headings' own links
        "up": "../../",
        "there": "../../other/#far-off",
        "here": "#one",
        "state": "../../other/#toy?count=3&step=2",
        "table": "../../a%20b.csv",
        "out": "https://example.org/?a=1&b=2",
        "mail": "mailto:a@example.org",
    }


def test_links_between_pages_lead_to_addresses_not_files(output):
    found = links(page(output, "other/index.html"))
    assert (found["part"], found["back"], found["this"]) == ("../deep/part/", "../#top", "./")


def test_linked_states_are_anchors_in_their_scene(output):
    figure = page(output, "other/index.html").find(".//figure[@data-scene='toy']")
    states = [node.get("id") for node in figure.iter("span") if node.get("class") == "state"]
    assert states == ["toy?count=3&step=2", "toy?mode=slow%20way"]
    assert links(page(output, "other/index.html"))["slowly"] == "#toy?mode=slow%20way"


def test_files_beside_the_pages_are_copied(output):
    assert text(output, "deep/line.svg") == FILES["deep/line.svg"]
    assert text(output, "a b.csv") == "1,2\n"
    picture = page(output, "deep/part/index.html").find(".//img")
    assert (picture.get("src"), picture.get("alt"), picture.get("loading")) == ("../line.svg", "A line", "lazy")


def test_drafts_and_hidden_files_are_left_out(output, tmp_path):
    root = site(tmp_path, index="# H\n", draft="---\ndraft: true\n---\n# D\n")
    assert not [path for path in output if "draft" in path.parts or "_notes" in str(path)]
    assert PurePosixPath("draft/index.html") in built(root, drafts=True)


def test_link_to_a_draft_is_a_link_to_nowhere(tmp_path):
    root = site(tmp_path, index="[a](draft.md)\n", draft="---\ndraft: true\n---\n# D\n")
    assert problems(root)[0].message == "the page 'draft.md' is a draft"


def test_only_scenes_that_pages_show_are_computed(tmp_path):
    output = built(toy_site(tmp_path, index="# H\n", **{"scenes/other/scene.py": TOY}))
    assert not [path for path in output if path.suffix == ".json"]


def test_gallery_shows_every_scene_out_of_sight_of_search_engines(tmp_path):
    tree = page(built(toy_site(tmp_path, index="# H\n"), gallery=True), "gallery/index.html")
    assert tree.find(".//meta[@name='robots']").get("content") == "noindex, nofollow"
    assert [node.get("id") for node in tree.iter("h2")] == ["toy"]


def test_style_sheet_of_the_gallery_is_there_only_with_the_gallery(tmp_path):
    root = toy_site(tmp_path, index="# H\n")
    (sheet,) = [path for path in built(root, gallery=True) if path.name == "gallery.css"]
    links = page(built(root, gallery=True), "gallery/index.html").findall(".//link[@rel='stylesheet']")
    assert f"../{sheet}" in [link.get("href") for link in links]
    assert not [path for path in built(root) if path.name == "gallery.css"]


def test_two_pages_may_open_one_scene_in_different_states(tmp_path):
    shown = ":::{scene} toy\n:count: 3\n:::\n"
    output = built(toy_site(tmp_path, index="# A\n\n:::{scene} toy\n:::\n", other=f"# B\n\n{shown}"))
    assert len([path for path in output if path.suffix == ".csv"]) == 2


@pytest.mark.parametrize("name", ["a.md", "index/index", "-/x", "a..b", "v1.2/notes", "404", "index/x", "a-/index"])
def test_page_of_any_name_is_there_and_finds_its_way_back(tmp_path, name):
    up = "../" * name.count("/")
    pages = {"index": f"# Home\n\n[there]({name}.md)\n", f"content/{name}.md": f"# Page\n\n[back]({up}index.md#part)\n"}
    root = site(tmp_path, **{**pages, "index": pages["index"] + "\n## Part\n"})
    assert {problem.message for problem in lint(Options(root)).problems} == {"the page has no summary"}
    assert f"{name.removesuffix('/index')}/index.html" in map(str, built(root))
