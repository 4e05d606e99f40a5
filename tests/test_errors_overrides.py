"""Mistakes in a site's own templates and style sheets, and what they say in vain."""

from __future__ import annotations

import pytest

from loom.errors import Problem
from loom.paths import OWN
from loom.render import templates
from loom.render.style_sheet import compact
from tests.sites import faults, problem, site, toy_site

CALLS_ITSELF = "look for a template or a macro that calls itself"
TOO_MUCH = ("it writes or makes more than can be held", "look for a loop or a text that is far too long")


def test_missing_template_is_named(tmp_path):
    root = site(tmp_path, index="# Home\n", **{"templates/page.html": '{% include "nav.html" %}\n'})
    assert problem(root) == Problem(
        "templates/nav.html", 0, 0, "this template is missing", "templates/page.html asks for it in line 1"
    )


@pytest.mark.parametrize(
    ("template", "message", "hint"),
    [
        ("<p>\n{{ nope }}\n", "'nope' is undefined", "look which names Loom's own template uses"),
        ("<p>\n{{ confg.title }}\n", "'confg' is undefined", "did you mean 'config'?"),
        ("<p>\n{% if %}\n", "Expected an expression, got 'end of statement block'", ""),
        ("<p>\n{{ here | nope }}\n", "No filter named 'nope'.", ""),
        ("<p>\n{{ to(3) }}\n", "quote_from_bytes() expected bytes", ""),
        ('<p>\n{% include "page.html" %}\n', "too much lies in one another", CALLS_ITSELF),
        ("<p>\n{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}\n", "too much lies in one another", CALLS_ITSELF),
        ("<p>\n{% for _ in range(10**12) %}x{% endfor %}\n", *TOO_MUCH),
        ("<p>\n{{ 'x' * 10**17 }}\n", *TOO_MUCH),
        (
            "<p>\n{% for _ in range(10**12) %}{% endfor %}\n",
            "it takes longer than 0.2 s",
            "look for a loop that never ends",
        ),
    ],
)
def test_mistake_in_a_template_is_reported_with_its_line(tmp_path, monkeypatch, template, message, hint):
    if "longer" in message:  # the others have all the time that they need on a busy machine
        monkeypatch.setattr(templates, "LONGEST", 0.2)
    monkeypatch.setattr(templates, "MOST", 1_000_000)
    root = site(tmp_path, index="# Home\n", **{"templates/page.html": template})
    assert problem(root) == Problem("templates/page.html", 2, 0, message, hint)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", "too much lies in one another"),
        ("{% if 1 %}" * 150 + "{% endif %}" * 150, "too many blocks lie in one another"),
        ('{{ "\\ud800" }}', "it writes a code point that is no character"),
    ],
    ids=["brackets", "blocks", "half a character"],
)
def test_template_that_can_not_be_compiled_or_written_is_named(tmp_path, template, message):
    found = problem(site(tmp_path, index="# Home\n", **{"templates/page.html": template}))
    assert (found.path, found.message) == ("templates/page.html", message) and found.hint


@pytest.mark.parametrize(
    ("file", "text", "line", "message", "hint"),
    [
        ("templates/pages.html", "x", 0, "no page is made from this template", "did you mean 'page'?"),
        ("templates/my-own-sidebar.html", "{% if %}", 0, "no page is made from this template",
         "include it in another, or delete it"),
        ("templates/404.html", '{% extends "base.html" %}\n{% block bdoy %}x{% endblock %}', 2,
         "the block 'bdoy' is shown nowhere: no template that this one extends has it", "did you mean 'body'?"),
        ("templates/404.html", '{% extends "base.html" %}\n{% set a = 1 %}\n\n<p>\n{% block body %}{% endblock %}', 4,
         "this is shown nowhere: it is outside the blocks", "put it into a block"),
        ("templates/404.html", '{% extends "base.html" %}\n{% block body %}{% endblock %}\n {{ here }}', 3,
         "this is shown nowhere: it is outside the blocks", "put it into a block"),
        ("templates/words/fr.yaml", "Menu: Carte\n", 0, "no phrases are read from this file", "call it fr.yml"),
        ("static/css/mine.css", "p { color: red }", 0, "no page has this style sheet",
         "import it in static/css/main.css, or delete it"),
    ],
)  # fmt: skip
def test_file_that_says_something_in_vain_is_told_by_check(tmp_path, file, text, line, message, hint):
    found = faults(toy_site(tmp_path, index="# Home\n", **{file: text}))
    assert Problem(file, line, 0, message, hint) in found


def test_style_sheet_that_is_imported_or_takes_the_place_of_ours_is_read(tmp_path):
    main = (OWN / "static/css/main.css").read_text() + '@import url("mine.css");\n'
    sheets = {"static/css/main.css": main, "static/css/mine.css": "p { color: red }", "static/css/print.css": ""}
    found = faults(toy_site(tmp_path, index="# Home\n", **sheets))
    assert [one for one in found if one.path.startswith("static/")] == []


def test_templates_that_extend_each_other_in_a_circle_end_no_check(tmp_path):
    files = {"templates/page.html": '{% extends "mine.html" %}', "templates/mine.html": '{% extends "page.html" %}'}
    assert any(one.path.startswith("templates/") for one in faults(toy_site(tmp_path, index="# Home\n", **files)))


def test_templates_that_others_include_extend_or_work_out_are_left_alone(tmp_path):
    files = {"404.html": '{% extends "mine.html" %}{% block body %}x{% block part %}{% endblock %}{% endblock %}',
             "mine.html": '{% extends "base.html" %}{% block body %}{% include "part.svg" %}{% endblock %}',
             "part.svg": "<svg/>"}  # fmt: skip
    root = toy_site(tmp_path, index="# Home\n", **{f"templates/{name}": text for name, text in files.items()})
    assert [one for one in faults(root) if one.rule == "unused" and "templates" in one.path] == []
    (root / "templates/404.html").write_text("{% set name = 'no' ~ 'where.html' %}{% include name ignore missing %}")
    assert [one for one in faults(root) if one.rule == "unused" and "templates" in one.path] == []


def test_missing_style_sheet_is_named(tmp_path):
    root = site(tmp_path, index="# Home\n", **{"static/css/main.css": '@import url("nope.css");\n'})
    assert problem(root) == Problem("static/css/main.css", 0, 0, "there is no style sheet 'nope.css'", "")


@pytest.mark.parametrize(
    ("sheet", "line", "message"),
    [("p { margin: 0 }\nb { color: 'red }\n", 2, "bad string"), ("p { margin: 0 }\n\n )\n", 3, "unmatched )")],
)
def test_style_sheet_of_which_a_browser_would_lose_a_part(tmp_path, sheet, line, message):
    found = problem(site(tmp_path, index="# Home\n", **{"static/css/print.css": sheet}))
    assert (found.path, found.line) == ("static/css/print.css", line)
    assert found.message.startswith("this style sheet can't be read: ")
    assert message in found.message


@pytest.mark.parametrize(
    ("sheet", "line", "column", "what"),
    [
        ("b { margin: 0 }\n@media print { p { margin: 0 }\ni { color: red }\n", 2, 14, "bracket"),
        ("p { margin: 0 }\n /* b { margin: 0 }\n", 2, 2, "comment"),
        ("p {\n/* b { margin: 0 }\n", 2, 1, "comment"),
        ("/*", 1, 1, "comment"),
        ('@import "a.css"; /* b\n', 1, 18, "comment"),
    ],
)
def test_what_a_style_sheet_leaves_open_is_named(tmp_path, sheet, line, column, what):
    found = problem(site(tmp_path, index="# Home\n", **{"static/css/print.css": sheet}))
    assert found == Problem("static/css/print.css", line, column, f"this {what} is never closed", found.hint)


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("", ""),
        ("/* p */\n", ""),
        ("p { margin: 0 }\n", "p{margin:0}"),
        ('@import "a.css";\n', '@import "a.css";'),
        ('@import "a.css"', '@import "a.css"'),
    ],
)
def test_style_sheet_that_leaves_nothing_open_says_what_it_said(sheet, expected):
    assert compact(sheet.encode(), "print.css") == expected


def test_links_to_folders_and_files_in_place_of_folders_are_told_since_nothing_in_them_is_read(tmp_path):
    root = site(tmp_path / "site", index="---\nsummary: Home.\n---\n# Home\n", **{"part/a.txt": "a"})
    (root / "content/round").symlink_to(root / "content", target_is_directory=True)
    for unread in (".hidden", "_private"):
        (root / "content" / unread).symlink_to(root / "content", target_is_directory=True)
    (root / "content/part/b.txt").symlink_to(root / "content/part/a.txt")  # links to files are followed
    (root / "static").write_text("")
    assert faults(root) == (
        Problem("content/round", 0, 0, "this link to a folder is not followed",
                "copy the folder, or link each of its files"),
        Problem("static", 0, 0, "this is a file, and not read", "make static a folder, or delete it"),
    )  # fmt: skip
