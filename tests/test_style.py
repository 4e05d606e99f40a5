"""What `build` shows and `check` tells: rules of style, which a site can switch off one by one."""

from __future__ import annotations

import pytest

from loom.model import Style
from tests.sites import built, faults, page, site, text, words

SAID = "---\nsummary: S.\n---\n\n"
# rule, a page that breaks it, the line, and what the page says all the same
BROKEN = [
    ("alt", f"{SAID}![](dot.svg)\n", 5, ""),
    ("foreign", f"{SAID}A [b](xref:C.D) c.\n", 5, "A b c."),
    ("foreign", f"{SAID}A <a href='tel:1'>b</a> c.\n", 5, "A b c."),
    ("foreign", f"{SAID}![p](dot.svg){{width=50%}}\n", 5, ""),
    ("foreign", f"{SAID}A\n{{: #a title=b }}\n", 6, "A"),
    ("foreign", f"{SAID}A\n\n{{{{< b >}}}}\n", 7, "A {{< b >}}"),
    ("foreign", f'{SAID}A\n\n--8<-- "b.md"\n', 7, "A --8<-- “b.md”"),
    ("foreign", f"{SAID}```text\nA\n{{{{#include b.rs}}}}\n```\n", 7, "A {{#include b.rs}}"),
    ("foreign", f'{SAID}=== "A"\n\n    B\n', 5, "A B"),
    ("html", f"{SAID}<a href='index.md'>\n\n## A\n\n</a>\n", 5, "A #"),
    ("front-matter", "---\nsummary: S.\nlayout: post\n---\n\nText.\n", 3, "Text."),
    ("heading", f"{SAID}## A\n\n#### B\n", 7, "A # B #"),
    ("heading", f"{SAID}# A\n\n## B\n\n# C\n", 9, "B # C"),
    ("html", f"{SAID}A <Note>b</Note>\n", 5, "A b"),
    ("language", f"{SAID}```pyhton\nx\n```\n", 5, "x"),
    ("reference", f"{SAID}A [b][c].\n", 5, "A [b][c]."),
    ("reference", f"{SAID}A[^nope].\n", 5, "A[^nope]."),
    ("foreign", f"{SAID}:::{{aside}}\nA\n:::\n\n:::\n", 9, "A :::"),
    ("reference", f"{SAID}A [b](JavaScript:c).\n", 5, "A [b](JavaScript:c)."),
    ("reference", f"{SAID}A[^a].\n\n[^a]: B\n\n[^a]: C\n", 9, "A[1]. C ↩︎"),
    ("table", f"{SAID}| a | b |\n|---|---|\n| c | d | |\n| e | `f|g` | h |\n", 8, "a b c d e `f"),
    ("table", f"{SAID}> a | b\n> --|--\n> c \\| d | e\n> f | g | h\n", 8, "a b c | d e f g"),
    ("title", "---\ntitle: A\nsummary: S.\n---\n\n# B\n\nText.\n", 6, "Text."),
    ("summary", "Text.\n", 1, "Text."),
    ("unused", f"{SAID}Text.\n\n[^a]: b\n", 7, "Text."),
    ("undrawn", f"{SAID}```dot\ng\n```\n", 5, "A diagram in Dot, which is not drawn here: this is its source.g"),
    ("orphan", "", 1, ""),
]  # fmt: skip


def with_page(tmp_path, body: str, settings: str = ""):
    """A site with one page that breaks something, to which the home page leads."""
    orphan = {"lone": "---\nsummary: S.\nlisted: false\n---\n"} if not body else {}
    return site(tmp_path, **{
        "site.yml": settings, "index": f"{SAID}# Home\n\n[it](part.md)\n", "part": body or f"{SAID}Text.\n",
        "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>', **orphan,
    })  # fmt: skip


@pytest.mark.parametrize(("rule", "body", "line", "shown"), BROKEN)
def test_style_is_told_once_by_check_and_stops_no_build(tmp_path, rule, body, line, shown):
    root = with_page(tmp_path, body)
    (found,) = faults(root)
    assert (found.rule, found.line) == (rule, line)
    assert not shown or words(page(built(root), "part/index.html").find(".//article")) == shown


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<div>\n<p>A</p> <b>B</b>\n</div>\n", []),
        ("<div>\n<b>A</b>\n\nB\n", ["'<div>' is never closed"]),
        ("<div>A</div>\n</b>\n", ["'</b>' closes nothing"]),
        ("<div>\n\nA\n\n</div>\n", []),
    ],
)
def test_elements_of_a_block_that_do_not_end_in_it_are_told(tmp_path, body, told):
    assert [one.message for one in faults(with_page(tmp_path, SAID + body))] == told


@pytest.mark.parametrize(("rule", "body", "line", "shown"), BROKEN)
def test_rule_that_is_switched_off_tells_nothing(tmp_path, rule, body, line, shown):
    assert faults(with_page(tmp_path, body, f"rules: {{{rule}: false}}\n")) == ()
    assert faults(with_page(tmp_path, body, f"rules: {{{rule}: true}}\n")) != ()


def test_every_rule_of_style_can_be_broken():
    of_scenes = {"contrast", "narration", "order", "overlap", "start"}  # see the tests that are called so
    assert {rule for rule, *_ in BROKEN} | of_scenes == set(Style.__args__)


def test_rule_that_is_none_is_told(tmp_path):
    (found,) = faults(with_page(tmp_path, "", "rules: {hedaing: false}\n"))
    assert (found.path, found.line, found.rule) == ("content/site.yml", 1, "content")


def test_build_that_is_refused_says_nothing_of_style(tmp_path):
    root = with_page(tmp_path, f"{SAID}[^nope] <script>\n", "rules: {reference: false}\n")
    assert [one.rule for one in faults(root)] == ["markup"]


def test_page_whose_heading_differs_is_called_by_its_title_and_headed_by_its_heading(tmp_path):
    output = built(with_page(tmp_path, "---\ntitle: Short\n---\n\n# The long one\n\nText.\n"))
    tree = page(output, "part/index.html")
    assert words(tree.find(".//h1")) == "The long one" and words(tree.find(".//title")) == "Short · Loom"
    assert text(output, "part/index.md").startswith("# The long one\n")


@pytest.mark.parametrize(
    ("front", "found"),
    [
        ("description: D.", ("D.", 1000, "", None, False)),
        ("description: D.\nsummary: S.", ("S.", 1000, "", None, False)),
        ("weight: 30\nlinkTitle: Short", ("", 30, "Short", None, False)),
        ("sidebar_position: 2\nsidebar_label: Short", ("", 2, "Short", None, False)),
        ("weight: first", ("", 1000, "", None, False)),
        ("date: 2026-11-20 10:00:00 +0100", ("", 1000, "", "2026-11-20", False)),
        ("date: 2026-11-20T10:00:00Z", ("", 1000, "", "2026-11-20", False)),
        ("date: 2026/1/2", ("", 1000, "", "2026-01-02", False)),
        ("date: November 20, 2026", ("", 1000, "", "2026-11-20", False)),
        ("date: some day", ("", 1000, "", None, False)),
        ("published: false", ("", 1000, "", None, True)),
        ("tags: [a, b]\nlayout: post\ncategories:\n  - x\nparams: {a: 1}", ("", 1000, "", None, False)),
    ],
)
def test_front_matter_of_other_generators_is_understood_or_left(front, found):
    from loom.content.source import load_source

    meta = load_source(f"---\n{front}\n---\nText.\n".encode(), "page").meta
    date = str(meta.date) if meta.date else None
    assert (meta.summary, meta.order, meta.nav, date, meta.draft) == found


@pytest.mark.parametrize(
    ("front", "message", "hint"),
    [
        ("sumary: S.", "unknown key 'sumary'", "did you mean 'summary'?"),
        ("[a, b]: c", "unknown key '…'", "delete it, or leave it to another generator"),
        ("layout: post", "unknown key 'layout'", "delete it, or leave it to another generator"),
        ("date: some day", "'date' is not read: 'some day' is no day that Loom understands",
         "write it as YYYY-MM-DD"),
        ("weight: first", "'weight' is not read: it can't be 'order' here",
         "delete it, or leave it to another generator"),
        ("summary: S.\ndescription: D.", "'description' is not read: there is 'summary'",
         "delete it, or leave it to another generator"),
    ],
)  # fmt: skip
def test_front_matter_that_is_not_read_is_told_by_check(tmp_path, front, message, hint):
    root = with_page(tmp_path, f"---\n{front}\n---\n\nText.\n", "rules: {summary: false}\n")
    (found,) = faults(root)
    assert (found.message, found.rule, found.line) == (message, "front-matter", front.count("\n") + 2)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n\n---\ntitle: Part\n---\n\nText.\n", 3, "this front matter is not read"),
        ('+++\ntitle = "Part"\n+++\n\nText.\n', 1, "front matter of TOML is not read"),
    ],
)
def test_front_matter_that_does_not_begin_its_file_or_is_no_yaml_is_told_by_check(tmp_path, text, line, message):
    (found,) = faults(with_page(tmp_path, text, "rules: {summary: false}\n"))
    assert (found.path, found.line, found.message, found.rule) == ("content/part.md", line, message, "front-matter")


@pytest.mark.parametrize("text", ["\n---\n\nA line above, and one below.\n\n---\n", "\n---\nJust: words in it.\n"])
def test_line_that_parts_the_text_is_no_front_matter(tmp_path, text):
    assert faults(with_page(tmp_path, text, "rules: {summary: false}\n")) == ()


def test_figure_without_words_is_told_how_to_write_them(tmp_path):
    root = with_page(tmp_path, f"{SAID}:::{{figure}} dot.svg\nA\n:::\n\n![](dot.svg)\n")
    assert [(one.line, one.hint) for one in faults(root)] == [
        (5, "write :alt: what it shows"), (9, "write ![what it shows](…)"),
    ]  # fmt: skip
