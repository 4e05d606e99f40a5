"""What is read otherwise than in common Markdown: comments go, text stays, captions and math find a place."""

from __future__ import annotations

import pytest

from loom.errors import Problem
from tests.sites import built, page, problem, site, words

MATH = "{http://www.w3.org/1998/Math/MathML}"


def article(tmp_path, body: str):
    return page(built(site(tmp_path, index=f"---\ntitle: Page\n---\n{body}"))).find(".//article")


def fault(tmp_path, body: str) -> Problem:
    return problem(site(tmp_path, index=f"---\ntitle: Page\n---\n{body}"))


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<!-- hidden --> *Text* behind.\n\nMore.", "Text behind. More."),
        ("<!-- hidden -->\nText below.", "Text below."),
        ("Text\n<!-- hidden --> that goes on.", "Text that goes on."),
        ("<!-- hidden --> <!-- hidden -->\n\nText.", "Text."),
        ("<!--\nhidden\n\n- hidden\n-->\nText.", "Text."),
        ("<!-- hidden --> Text <!-- hidden\nhidden --> and text.", "Text and text."),
        ("- <!-- hidden --> item", "item"),
        ("Note[^a].\n\n[^a]: <!-- hidden --> text", "Note[1]. text ↩︎"),
        ("Text <!-- hidden ---> stays --> here.", "Text stays --> here."),
        ("<!--> Text.", "Text."),
        ("    <!-- code --> x", "<!-- code --> x"),
    ],
)
def test_comment_is_left_out_and_the_text_around_it_stays(tmp_path, body, shown):
    assert words(article(tmp_path, body)) == shown


def test_comment_in_a_heading_is_in_no_list_of_headings(tmp_path):
    tree = page(built(site(tmp_path, index="# Page <!-- hidden -->\n\n## One <!-- hidden -->\n\n## Two\n")))
    assert words(tree.find(".//h1")) == "Page"
    assert [words(node) for node in tree.findall(".//nav[@class='toc']//li")] == ["One", "Two"]


def test_heading_of_two_lines_keeps_its_words_apart(tmp_path):
    tree = page(built(site(tmp_path, index="Two\nlines\n===\n")))
    assert words(tree.find(".//h1")) == "Two lines"


@pytest.mark.parametrize(
    ("body", "line", "column", "message", "hint"),
    [
        ("a\n\n<!--\nb\n--> c", 8, 5, "'c' stands behind the end of a comment", "put it on a line of its own"),
        ("a\n\n<!-- b\n\nc\n", 6, 1, "a comment that is never closed", "end it with '-->'"),
        ("> <!-- b\n\nc -->", 4, 3, "a comment that is never closed", "end it with '-->'"),
    ],
)
def test_comment_that_would_swallow_text_is_a_mistake(tmp_path, body, line, column, message, hint):
    assert fault(tmp_path, body) == Problem("content/index.md", line, column, message, hint)


def test_html_behind_a_comment_is_shown(tmp_path):
    assert words(article(tmp_path, "<!-- a --><b>x</b>\n").find(".//b")) == "x"


@pytest.mark.parametrize("gap", ["", "\n"])
def test_caption_belongs_to_the_block_below(tmp_path, gap):
    tree = article(tmp_path, f"{{caption='A \"small\" one'}}\n{gap}| a |\n|---|\n")
    assert words(tree.find(".//caption")) == 'A "small" one'


@pytest.mark.parametrize(
    "body", ['{caption="x"}\na', '> {caption="x"}\n\na', '{caption="x"}\n{caption="y"}\n```\n```\n']
)
def test_caption_of_nothing_is_a_mistake(tmp_path, body):
    expected = "a caption without a table or a code block", "put it on the line above one"
    assert fault(tmp_path, body) == Problem("content/index.md", 4, 0, *expected)


@pytest.mark.parametrize("line", ["{#name .kind onclick=1}", "{.kind} words {b}", "{caption=}"])
def test_other_attributes_are_text(tmp_path, line):
    assert words(article(tmp_path, f"{line}\n\nEnd.")) == f"{line} End."


@pytest.mark.parametrize("body", ["$n$ is 3", "$n$ \\", "| $n$ = 3 |\n|---|"])
def test_math_begins_a_text_whatever_ends_it(tmp_path, body):
    assert [node.get("alttext") for node in article(tmp_path, body).iter(f"{MATH}math")] == ["n"]


@pytest.mark.parametrize("body", ["as $$x$$ says", "so\n$$x$$\nthen", "- a $$x$$", "## A $$x$$"])
def test_equation_stands_in_a_paragraph_too(tmp_path, body):
    (equation,) = article(tmp_path, body).findall(".//span[@class='equation']")
    assert equation.find(f"{MATH}math").get("display") == "block"


@pytest.mark.parametrize(
    "latex",
    [r"\text{<script>alert(1)</script>}", r"\text{<b>}", r"\text{a \& b}", r"\big\langle", "<b>", r"\text{\&\#60;b>}"],
)
def test_math_brings_no_html(tmp_path, latex):
    (math,) = article(tmp_path, f"So ${latex}$.").iter(f"{MATH}math")
    assert math.get("alttext") == latex
    assert {node.tag.removeprefix(MATH) for node in math.iter()} <= {"math", "mrow", "mtext", "mi", "mo", "mstyle"}


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        (r"\href{javascript:1}{x}", r"unknown command '\href'"),
        (r"\style{color:red}{x}", r"unknown command '\style'"),
        (r"\class{a}{x}", r"unknown command '\class'"),
        (r"\textcolor{red}{x}", "it asks for a colour, a style or a stroke"),
    ],
)
def test_math_has_no_address_style_or_class(tmp_path, latex, reason):
    found = fault(tmp_path, f"So ${latex}$.")
    assert (found.line, found.message) == (4, f"this math can't be read: '{latex}' ({reason})")


def test_long_math_is_quoted_by_its_beginning(tmp_path):
    found = fault(tmp_path, "$$\n" + "a + " * 90 + "\\sqrt{\n$$")
    assert len(found.message) < 120 and " … " not in found.message and "…'" in found.message


def test_text_may_end_anywhere(tmp_path):
    assert fault(tmp_path, ":::{aside}\n>").message == "the directive 'aside' is never closed"
