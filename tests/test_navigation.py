"""What leads a reader through the site: titles, navigation, contents; and whose templates and files are used."""

from __future__ import annotations

import shutil
from pathlib import PurePosixPath

import pytest

from tests.sites import built, page, site, text, words

PART = """\
---
title: "Parts & <pieces>"
summary: What there is.
nav: Part
order: 2
---

## One

## Two
"""
FILES = {
    "site.yml": "title: The Site\nurl: https://example.org/base/\n",
    "index.md": "---\ntitle: Home\norder: 1\n---\n\n## Top\n",
    "other.md": "---\ntitle: Other\norder: 3\n---\n\nText.\n",
    "deep/part.md": PART,
    "deep/index.md": "---\norder: 4\nlisted: false\n---\n\n# Deep down\n",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return built(site(tmp_path_factory.mktemp("site"), **FILES))


def test_front_matter_becomes_title_summary_and_canonical_address(output):
    tree = page(output, "deep/part/index.html")
    assert words(tree.find(".//title")) == "Parts & <pieces> · The Site"
    assert words(tree.find(".//h1")) == "Parts & <pieces>"
    assert tree.find(".//meta[@name='description']").get("content") == "What there is."
    assert tree.find(".//link[@rel='canonical']").get("href") == "https://example.org/base/deep/part/"


def test_page_without_front_matter_takes_its_first_heading_as_title(tmp_path):
    tree = page(built(site(tmp_path, index="# First words\n\nText.\n")))
    assert [words(node) for node in tree.iter("h1")] == ["First words"]
    assert words(tree.find(".//title")) == "First words · Loom"


def test_page_without_any_heading_takes_the_name_of_its_file(tmp_path):
    output = built(site(tmp_path, **{"index.md": "Text.\n", "two-words.md": "Text.\n"}))
    assert words(page(output, "two-words/index.html").find(".//h1")) == "Two words"


def test_navigation_lists_pages_in_their_order_and_marks_the_present_one(output):
    items = page(output, "other/index.html").find(".//nav[@aria-label='Pages']").findall(".//a")
    assert [(words(item), item.get("href"), item.get("aria-current")) for item in items] == [
        ("Home", "../", None), ("Part", "../deep/part/", None), ("Other", "./", "page"),
    ]  # fmt: skip


def test_pages_lead_to_the_one_before_and_the_one_after(output):
    found = {}
    for path in ("index.html", "deep/part/index.html", "other/index.html", "deep/index.html"):
        ends = page(output, path).findall(".//footer//a[@rel]")
        found[path] = {node.get("rel"): node.get("href") for node in ends}
    assert found == {
        "index.html": {"next": "deep/part/"},
        "deep/part/index.html": {"prev": "../../", "next": "../../other/"},
        "other/index.html": {"prev": "../deep/part/"},
        "deep/index.html": {},
    }


def test_contents_list_the_headings_of_a_page_with_several(output):
    assert page(output, "index.html").find(".//nav[@class='toc']") is None
    contents = page(output, "deep/part/index.html").find(".//nav[@class='toc']")
    assert [(words(node), node.get("href")) for node in contents.iter("a")] == [("One", "#one"), ("Two", "#two")]


def test_site_without_templates_static_or_scenes_uses_looms_own(tmp_path):
    root = site(tmp_path, index="# Home\n", **{"static/own.txt": "mine"})
    shutil.rmtree(root / "scenes")
    output = built(root)
    assert text(output, "own.txt") == "mine"
    assert PurePosixPath("favicon.svg") in output
    assert [path.name for path in output if path.parts[0] == "assets" and path.name == "main.js"] == ["main.js"]


def test_own_templates_and_static_files_stand_for_looms(tmp_path):
    own = '{% extends "base.html" %}{% block title %}T{% endblock %}{% block body %}<h1>Own</h1>{% endblock %}'
    output = built(site(tmp_path, index="# H\n", **{"templates/page.html": own, "static/favicon.svg": "<svg/>"}))
    assert words(page(output).find(".//body")) == "Own"
    assert text(output, "favicon.svg") == "<svg/>"


def test_assets_are_named_by_their_content(tmp_path):
    first = built(site(tmp_path / "a", index="# H\n"))
    second = built(site(tmp_path / "b", index="# H\n", **{"static/css/print.css": "p { color: red }\n"}))
    style = {path.name for path in first if path.suffix == ".css"} ^ {
        path.name for path in second if path.suffix == ".css"
    }
    player = {path.parent.name for path in first if path.suffix == ".js"} ^ {
        path.parent.name for path in second if path.suffix == ".js"
    }
    assert len(style) == 2 and not player


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Two words\n=========\n", "Two words"),
        ("# A `b` *c*\n", "A b c"),
        ("# A &amp; b\n", "A & b"),
        ("# Closed #\n", "Closed"),
        ("\n\n#   Wide\n\nText.\n", "Wide"),
    ],
)
def test_title_is_what_the_first_heading_says(tmp_path, text, title):
    tree = page(built(site(tmp_path, index=text)))
    assert [words(node) for node in tree.iter("h1")] == [title]
    assert words(tree.find(".//title")) == f"{title} · Loom"
