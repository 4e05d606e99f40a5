"""`check` looks at everything of a run together, and does not report what only follows from something else."""

from __future__ import annotations

import random
import string
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.lint.html_reader import read_document
from loom.lint.link_rules import LinkedPage
from loom.lint.output import budget_problems
from loom.lint.page_rules import page_problems
from loom.paths import OWN
from tests.sites import GLOSSARY, REFERENCES, TOY, altered, faults, site, toy_site

HOME = """\
---
title: Home
summary: Where it begins.
---

A {term}`warp`, a {term}`cache line` and {cite}`pair2021`; see [another](other.md).
"""
OTHER = "---\ntitle: Other\nsummary: What else.\nlisted: true\n---\n\n## Part\n\n:::{scene} toy\n:::\n"
SOUND = {"site.yml": "claims: true\n", "index": HOME, "other": OTHER}
PAGE = (OWN / "templates/page.html").read_text(encoding="utf-8")


def told(root) -> list[tuple[str, str]]:
    return [(one.rule, one.path) for one in faults(root)]


FOLLOWS = {
    "a scene that fails leaves its page unbuilt": (
        {"scenes/toy/scene.py": altered(TOY, ("    return Table(", "    return Tabel("))},
        [("scene", "scenes/toy/scene.py")],
    ),
    "a scene that can't be imported names no sources": (
        {"scenes/toy/scene.py": "import nope\n"},
        [("scene", "scenes/toy/scene.py")],
    ),
    "references that can't be read": (
        {"references.yml": altered(REFERENCES, ("year: 2020", "yaer: 2020"))},
        [("content", "content/references.yml")],
    ),
    "a glossary that can't be read": (
        {"glossary.yml": altered(GLOSSARY, ("aliases", "alias"))},
        [("content", "content/glossary.yml")],
    ),
    "a paragraph that can't be read holds the only citation": (
        {"index": altered(HOME, ("A {term}", "A <video> {term}"))},
        [("markup", "content/index.md")],
    ),
    "a page whose front matter can't be read has text all the same": (
        {"other": altered(OTHER, ("listed: true", "listed: maybe"), ("## Part", "[a](nope.md)"))},
        [("content", "content/other.md"), ("link", "content/other.md")],
    ),
    "an unknown source of a scene": (
        {"scenes/toy/scene.py": altered(TOY, ('"toy2020"', '"toy2020", "nope"'))},
        [("citation", "scenes/toy/scene.py")],
    ),
    "an unknown source of a scene that no page shows": (
        {"scenes/other/scene.py": altered(TOY, ('"toy2020"', '"toy2020", "nope"'))},
        [("citation", "scenes/other/scene.py")],
    ),
    "an unknown source of a term": (
        {"glossary.yml": GLOSSARY + "  sources: [nope]\n", "list": "# List\n\n:::{glossary}\n:::\n"},
        [("citation", "content/glossary.yml"), ("summary", "content/list.md")],
    ),
    "a misspelt summary": (
        {"other": altered(OTHER, ("summary:", "sumary:"))},
        [("front-matter", "content/other.md")],
    ),
    "front matter that is not read": (
        {"other": f"\n{OTHER}"},
        [("front-matter", "content/other.md")],
    ),
    "a page in UTF-16": (
        {"index": HOME.encode("utf-16")},
        [("content", "content/index.md")],
    ),
    "a heading that can't be read is linked to": (
        {
            "other": altered(OTHER, ("## Part", "## Part <video>")),
            "index": altered(HOME, ("other.md", "other.md#part")),
        },
        [("markup", "content/other.md")],
    ),
    "a footnote that can't be read": (
        {"index": HOME + "\nA note[^1].\n\n[^1]: With <video>.\n"},
        [("markup", "content/index.md")],
    ),
    "a template that fails": (
        {"templates/page.html": altered(PAGE, ("</article>", "{{ nope }}</article>"))},
        [("template", "templates/page.html")],
    ),
    "a dead link with words in it": (
        {"index": altered(HOME, ("see [another]", "see [*one*](nope.md), [another]"))},
        [("link", "content/index.md")],
    ),
    "a page that lies on another, and a file on a page": (
        {"other/index": "---\ntitle: A\nsummary: B.\n---\n", "index.html": "<p>"},
        [("address", "content/index.html"), ("address", "content/other/index.md")],
    ),
}


@pytest.mark.parametrize("what", FOLLOWS)
def test_what_follows_from_a_mistake_is_not_reported_with_it(tmp_path, what):
    files, expected = FOLLOWS[what]
    found = told(toy_site(tmp_path, **{**SOUND, **files}))
    assert (sorted(set(found)) if found[0][0] == "scene" else found) == expected  # each variant may say why it failed


def test_mistakes_of_the_author_do_not_hide_those_of_the_finished_page(tmp_path):
    files = {
        "index": altered(HOME, ("see [another]", "see [one](nope.md), [another]"), ("summary: Where it begins.\n", "")),
        "templates/page.html": altered(PAGE, ("</article>", "<b>x</article>")),
    }
    assert told(toy_site(tmp_path, **{**SOUND, **files})) == [
        ("summary", "content/index.md"),
        ("link", "content/index.md"),
        ("markup", "index.html"),
        ("markup", "other/index.html"),
    ]


def test_links_of_a_template_are_judged_also_on_a_page_with_mistakes(tmp_path):
    links = '<a href="#nope">x</a><a href="nope/">x</a><img src="nope.png" alt="x"></article>'
    files = {
        "index": altered(HOME, ("see [another]", "see [one](nope.md), [another]")),
        "lost": "<video>\n",
        "templates/page.html": altered(PAGE, ("</article>", "{% if here.id == 'index' %}" + links + "{% endif %}")),
    }
    found = [one for one in told(toy_site(tmp_path, **{**SOUND, **files})) if one[1] == "index.html"]
    assert sorted(found) == [("anchor", "index.html"), ("image", "index.html"), ("link", "index.html")]


@pytest.mark.parametrize(
    "raw", [b"\xff", b"", b"<![nope[x", b"<!doctype html><a href='//['>", b"<p data-scene data-config=5>"]
)
def test_odd_html_file_beside_the_pages_is_a_problem_and_no_traceback(tmp_path, raw):
    found = told(toy_site(tmp_path, **{**SOUND, "odd.html": raw}))
    assert found and {path for _, path in found} == {"content/odd.html"}


@settings(max_examples=300, deadline=None)
@given(st.text("<>/!&;='\" [-]?#apli:0", max_size=60))
def test_any_text_is_read_without_a_traceback(text):
    document = read_document(text.encode(), "index.html")
    assert page_problems(document)  # there is no policy, to begin with
    assert LinkedPage(document).path == "index.html"


# Pages that nobody meets.


def page(title: str, more: str = "", front: str = "") -> str:
    return f"---\ntitle: {title}\nsummary: A page.\n{front}---\n\n{more}\n"


UNLISTED = "listed: false\n"


def many(**pages: str) -> dict[str, str]:
    """Pages that no navigation names; each leads to the next."""
    numbered = {f"p{at:02}": page(f"P {at}", f"[next](p{at + 1:02}.md)", UNLISTED) for at in range(12)}
    return {"index": page("Home", "[first](p00.md)"), **numbered, "p12": page("P 12", front=UNLISTED), **pages}


def orphans(tmp_path, **files: str) -> list[str]:
    found = faults(site(tmp_path, **files))
    assert {one.rule for one in found} <= {"orphan"}
    return [one.path for one in found]


def test_page_that_only_its_neighbours_in_the_order_lead_to_is_an_orphan(tmp_path):
    assert orphans(tmp_path, **many()) == []
    assert orphans(tmp_path, **many(p05=page("P 5", front=UNLISTED))) == [f"content/p{at:02}.md" for at in range(6, 13)]


def test_pages_that_lead_only_to_each_other_are_orphans(tmp_path):
    front = "listed: false\n"
    pages = {"a": page("A", "[b](b.md)", front), "b": page("B", "[a](a.md) [home](index.md)", front)}
    assert orphans(tmp_path, index=page("Home"), **pages) == ["content/a.md", "content/b.md"]


def test_link_back_from_the_glossary_does_not_lead_to_a_page(tmp_path):
    pages = {"lone": page("Lone", "{term}`warp`", "listed: false\n"), "list": page("List", ":::{glossary}\n:::")}
    assert orphans(tmp_path, index=page("Home"), **pages, **{"glossary.yml": GLOSSARY}) == ["content/lone.md"]


@pytest.mark.parametrize("name", ["404", "404/index"])
def test_page_for_lost_readers_need_not_be_linked(tmp_path, name):
    assert orphans(tmp_path, index=page("Home"), **{name: page("Lost", "", "listed: false\n")}) == []


def test_player_that_only_brotli_makes_small_is_too_heavy():
    noise = "".join(random.Random(1).choices(string.ascii_letters, k=7000))
    text = " ".join(noise + " " * 40_000 for _ in range(3))  # what is alike lies further apart than gzip looks back
    (found,) = budget_problems({PurePosixPath("player.js"): text.encode()})
    assert found.message.startswith("the player takes 15,") and found.message.endswith(" bytes of 12,800 in gzip")


def test_weight_of_german_words_in_the_player_is_not_the_authors(tmp_path):
    settings = {"site.yml": "claims: true\nbudgets: true\nlanguage: de\n"}
    assert faults(toy_site(tmp_path, **{**SOUND, **settings})) == ()
