"""A page as plain Markdown: the author's text, with nothing in it that only Loom understands."""

from __future__ import annotations

import html
import posixpath
import re
import time
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from markdown_it import MarkdownIt

from loom.content.source import Source
from loom.markdown.dialect import dialect
from loom.markdown.env import Env
from loom.markdown.parse import parse_page
from loom.model import Meta, Output
from loom.paths import OWN
from loom.render.markdown_export import replaced
from tests.sites import REFERENCES, TOY, altered, built, page, site, text, toy_site
from tests.typed import bodies, steady

LIST = "# Sources\n\n:::{references}\n:::\n\n:::{glossary}\n:::\n"


def exported(tmp_path, body: str, front: str = "", **files: str) -> str:
    """The Markdown of a page in a folder, in a site with the toy scene on its home page."""
    known = {"index": "# Home\n\n## Place\n\n:::{scene} toy\n:::\n", "lists": LIST, "deep/other": "# Other\n\n## Où\n"}
    output = built(toy_site(tmp_path, **{**known, "deep/page": front + body, **files}))
    return text(output, "deep/page/index.md")


def said(tmp_path, body: str, **files: str) -> str:
    """Its text, below its title."""
    return exported(tmp_path, f"# Page\n\n{body}\n", **files).removeprefix("# Page\n\n").removesuffix("\n")


def test_front_matter_is_a_title_and_a_summary(tmp_path):
    front = "---\ntitle: The title\nsummary: >\n  Two lines\n  of it.\ndate: 2026-01-01\n---\n"
    assert exported(tmp_path, "\nText.\n", front) == "# The title\n\nTwo lines of it.\n\nText.\n"


@pytest.mark.parametrize("heading", ["# Said here", "Said here\n===", "\n\n#  Said here"])
def test_title_that_stands_in_the_text_stands_once(tmp_path, heading):
    assert exported(tmp_path, f"{heading}\n\nText.\n") == "# Said here\n\nText.\n"


def test_page_without_a_title_has_that_of_its_file(tmp_path):
    assert exported(tmp_path, "Text.\n") == "# Page\n\nText.\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("A {term}`warp`, {term}`lines <cache line>`.", "A warp, lines."),
        ("So {cite}`toy2020 §3`.", "So [Ames et al., 2020, §3](https://example.org/toys)."),
        ("So {cite:history}`toy2020; pair2021`.",
         "So [Ames et al., 2020](https://example.org/toys); [Dorn & Eck, 2021](https://example.org/pairs)."),
        ("It has {value}`toy.size` or {value}`toy.size count=3 | 4.5 GB`.", "It has 3\xa0GB or 4.5 GB."),
        ("Made of 3 kB {uncited}`example`.", "Made of 3 kB."),
        ("See [it](../index.md#place), [me](#page), [all](../lists.md).",
         "See [it](../../index.md#place), [me](#page), [all](../../lists/index.md)."),
        ("See [it](other.md#où) and <https://example.org/a_b>.",
         "See [it](../other/index.md#où) and <https://example.org/a_b>."),
        ('See [it](../index.md "Title") and [out](https://example.org/x_(y)).',
         'See [it](../../index.md "Title") and [out](https://example.org/x_(y)).'),
        ("See [it][a].\n\n[a]: other.md", "See [it][a].\n\n[a]: ../other/index.md"),
        ("![A dot](dot.svg)", "![A dot](../dot.svg)"),
        ("[Play](../index.md#toy?count=3&step=2).", "[Play](../../#toy?count=3&step=2)."),
        ("H~2~O, x^2^, ==so *very*== and ~~not~~.",
         "H<sub>2</sub>O, x<sup>2</sup>, <mark>so *very*</mark> and ~~not~~."),
        ('A <kbd>K</kbd>, <a href="other.md#où">it</a>.', 'A <kbd>K</kbd>, <a href="../other/index.md#où">it</a>.'),
        ("<p>\n<img src='dot.svg' alt=x>\n</p>", "<p>\n<img src='../dot.svg' alt=x>\n</p>"),
        ("## Here {#there}\n\n[it](#there)", '## Here <a id="there"></a>\n\n[it](#there)'),
        ("> [!TIP]\n> See [it](other.md).\n\n- [x] Done",
         "> [!TIP]\n> See [it](../other/index.md).\n\n- [x] Done"),
        (":::{figure} dot.svg\n:name: dot\n:alt: A dot\nA *dot*.\n:::\n\nSee {numref}`dot`.",
         "![A dot](../dot.svg)\n\n**Figure 1.**\n\nA *dot*.\n\n\nSee [Figure 1](./#dot)."),
        ("Shown <!-- a note\nto myself --> to all.", "Shown  to all."),
        ("Kept: `{term}`, `` [a](b.md) ` ``, \\{x}, \\`.", "Kept: `{term}`, `` [a](b.md) ` ``, \\{x}, \\`."),
        ("$\\frac{a}{b}$ and[^1].\n\n[^1]: Note.", "$\\frac{a}{b}$ and[^1].\n\n[^1]: Note."),
    ],
)  # fmt: skip
def test_what_an_author_writes_is_said_plainly(tmp_path, written, expected):
    if "(#page)" in written:
        written, expected = f"{written}\n\n## Page", f"{expected}\n\n## Page"
    assert said(tmp_path, written, **{"deep/dot.svg": "<svg/>"}) == expected


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_code_is_as_it_was_written(tmp_path, fence):
    body = f"{fence}text\n{{term}}`warp` [a](other.md)\n\n:::{{note}}\n`\n<!-- x -->\n{fence}\n\n{{term}}`warp`"
    assert said(tmp_path, body) == body.removesuffix("{term}`warp`") + "warp"


def test_caption_stands_above_its_table(tmp_path):
    body = '{caption="What *is* it"}\n| a |\n|---|\n| 1 |'
    assert said(tmp_path, body) == "*What *is* it*\n\n| a |\n|---|\n| 1 |"


def test_directives_leave_their_titles_and_their_text(tmp_path):
    body = ":::{note} Own title\nOne.\n:::\n\n:::{mnemonic}\nTwo.\n:::\n\n:::{aside}\nThree.\n:::\n"
    lines = [line for line in said(tmp_path, body).splitlines() if line]
    assert lines == ["**Own title**", "One.", "**Remember**", "Two.", "Three."]


def test_check_is_its_question_with_all_answers(tmp_path):
    body = ":::{check}\nWhich?\n\n- [ ] This.\n\n  No.\n- [x] That {term}`warp`.\n\n  Yes.\n:::"
    lines = [line for line in said(tmp_path, body).splitlines() if line]
    assert lines == ["**Quick check**", "Which?", "- [ ] This.", "  No.", "- [x] That warp.", "  Yes."]


def test_scene_is_its_title_its_summary_and_its_data(tmp_path):
    scene = altered(TOY, ('Column("at", "step")', 'Column("at", "st|ep")'))
    output = built(toy_site(tmp_path, index="# Home\n\n:::{scene} toy\n:count: 3\n\n:::\n\nBehind.\n",
                            **{"scenes/toy/scene.py": scene}))  # fmt: skip
    assert text(output, "index.md") == (
        "# Home\n\n**A toy** A bar grows. [Play it on the page](./#toy).\n\n"
        "| st\\|ep | share [%] |\n| --- | --- |\n| 0 | 0.0 |\n| 1 | 33.3 |\n| 2 | 66.7 |\n\n"
        "What this leaves out: Everything.\n\nBehind.\n"
    )


def test_scene_within_a_prediction_is_there_too(tmp_path):
    body = "# Home\n\n::::{predict}\nWhich?\n\n- [x] A\n- [ ] B\n\n:::{scene} toy\n:::\n\nSo.\n::::\n"
    lines = [line for line in text(built(toy_site(tmp_path, index=body)), "index.md").splitlines() if line]
    assert lines[1:5] == ["**Your guess first**", "Which?", "- [x] A", "- [ ] B"]
    assert lines[5].startswith("**A toy**") and lines[-1] == "So."


def test_lists_are_written_out(tmp_path):
    output = built(toy_site(tmp_path, index="# Home\n", lists=LIST))
    lines = text(output, "lists/index.md").splitlines()
    assert "## Games" in lines
    assert r"- Ames et al., 2020. [Toys & \<games>](https://example.org/toys). The bar." in lines
    assert "- **Cache line**: What one request to memory moves." in lines


def test_every_page_names_its_exported(tmp_path):
    output = built(site(tmp_path, index="# Home\n", part="# Part\n"))
    for path in ("index.html", "part/index.html"):
        link = page(output, path).find(".//link[@type='text/markdown']")
        assert (link.get("rel"), link.get("href")) == ("alternate", "index.md")
        assert PurePosixPath(path).with_name("index.md") in output


def addresses(markdown: str) -> list[str]:
    tokens = [token for block in MarkdownIt("commonmark").parse(markdown) for token in block.children or []]
    return [str(token.attrs[name]) for token in tokens for name in ("href", "src") if name in token.attrs]


def broken(output: Output) -> set[tuple[str, str]]:
    """Links of Markdown files that lead to no file of the site."""
    found = set()
    for path, raw in output.items():
        for link in addresses(raw.decode()) if path.suffix == ".md" else ():
            parts = urlsplit(link)
            target = posixpath.normpath(posixpath.join(path.parent, unquote(parts.path))) if parts.path else str(path)
            if not parts.scheme and not {PurePosixPath(target), PurePosixPath(target) / "index.html"} & set(output):
                found.add((str(path), link))
    return found


def test_links_of_our_own_markdown_lead_somewhere_and_nothing_of_the_dialect_is_left(own_site):
    output = own_site
    exports = {path: raw.decode() for path, raw in output.items() if path.suffix == ".md"}
    assert len(exports) == len(list((OWN / "content").glob("*.md")))
    assert broken(output) == set()
    left = re.compile(r"\{(?:term|cite|value|uncited)[:\w]*\}`|^:{3,}|^\{caption|<!--", re.MULTILINE)
    assert {str(path): left.findall(told) for path, told in exports.items() if left.search(told)} == {}


def test_value_in_code_that_is_indented_stays_as_it_is(tmp_path):
    told = text(built(toy_site(tmp_path, index="# Home\n\nText.\n\n    {value}`toy.size`\n")), "index.md")
    assert "    {value}`toy.size`" in told


def growing(length: int) -> str:
    """Runs of backticks, each longer than the one before, so that none ends another."""
    return " ".join("`" * size for size in range(1, int((2 * length) ** 0.5)))


PIECES = ["`", "``` `` ", "{term}`", "{term}`a` ", "](", "[a](b) ", "[[", "![", "\\", "<!--", "a <!-- b --> ", "\n:::",
          "\n```", "\n:::{note}\n:::", "\n| {cite}`a` |", "\n> {cite}`a` "]  # fmt: skip


@pytest.mark.parametrize("body", [growing(200_000), *(piece * (50_000 // len(piece)) for piece in PIECES)],
                         ids=["growing runs", *PIECES])  # fmt: skip
def test_odd_text_takes_no_longer_for_being_long(body):
    start = time.process_time()
    parsed, _ = parse_page(Source("a", "content/a.md", Meta(), body))
    replaced(parsed, lambda span, written, above: written)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("> A quote of\n> {term}`warp`,\n{term}`lines <cache line>` and > {term}`warp`.",
         "> A quote of\n> warp,\nlines and > warp."),
        ("1. {term}`warp`\n   - 1. {term}`lines <cache line>`\n     and {term}`warp`",
         "1. warp\n   - 1. lines\n     and warp"),
        ("## A place\n\n### 1. [it](other.md) ###", "## A place\n\n### 1. [it](../other/index.md) ###"),
        ("[it](other.md) here\n---", "[it](../other/index.md) here\n---"),
        ("| a \\| b | {term}`warp` |\n|---|---|\n| {term}`warp` | x \\| {term}`warp` \\| y | {term}`no` |",
         "| a \\| b | warp |\n|---|---|\n| warp | x \\| warp \\| y | {term}`no` |"),
        ("> | a |\n> |---|\n> | {value}`toy.size \\| 3 GB` |", "> | a |\n> |---|\n> | 3 GB |"),
        ("Term {term}`warp`\n: {term}`warp` and\n  {term}`warp`", "Term warp\n: warp and\n  warp"),
        ("Words^[of {term}`warp`, ^[and [it](other.md)]] and {term}`warp`.",
         "Words^[of warp, ^[and [it](../other/index.md)]] and warp."),
        ("A[^n].\n\n[^n]: One {term}`warp`.\n\n    Two <!-- no --> {term}`warp`.",
         "A[^n].\n\n[^n]: One warp.\n\n    Two  warp."),
        ("[![a {term}](dot.svg) *b*](other.md 'T')", "[![a {term}](../dot.svg) *b*](../other/index.md 'T')"),
        ("[a]( <other.md> ), [b][c], [c], ![d][e].\n\n> [c]:\n> other.md 'T'\n\n[e]: dot.svg",
         "[a]( ../other/index.md ), [b][c], [c], ![d][e].\n\n> [c]:\n> ../other/index.md 'T'\n\n[e]: ../dot.svg"),
        ("`` ` `` {term}`` warp `` <!-- {term}`warp`\n[a](other.md) --> \\{term}`warp` \\[a](other.md)",
         "`` ` `` warp  \\{term}`warp` \\[a](other.md)"),
        ("<!-- one\n\n{term}`warp`\n-->\n\n- a\n\n  <!-- two -->\n\n  {term}`warp`", "- a\n\n  \n\n  warp"),
        ("A\n\n\t{term}`warp`\n\n-\t{term}`warp`\n\n\t{term}`warp`", "A\n\n\t{term}`warp`\n\n-\twarp\n\n\twarp"),
        ("- A\n\n  :::{note} Here\n  {term}`warp`\n  :::\n\n  B", "- A\n\n  **Here**\n\n  warp\n\n\n  B"),
        ("> {caption='One *more*'}\n> ```text\n> {term}`warp`\n> ```",
         "> *One *more**\n>\n> ```text\n> {term}`warp`\n> ```"),
    ],
)  # fmt: skip
def test_every_place_is_found_wherever_it_stands(tmp_path, written, expected):
    assert said(tmp_path, written, **{"deep/dot.svg": "<svg/>"}) == expected


# Attributes that give no name are left out as comments are.
BEGINS = {"role": r"\{[\w:+-]+\}`", "comment": r"<!--|\{", "caption": r"\{caption=", "directive": ":::", "end": ":::",
          "scene": ":::", "figure": ":::", "sign": r"==|[~^]", "name": r"\{", "still": "!",
          "link": r"[^\s]"}  # fmt: skip


def roles(tokens) -> int:
    return sum((one.type == "myst_role") + roles(one.children or []) for one in tokens)


@steady(300)
@given(bodies.map(lambda body: body.replace("\r", "\n")))
@example("*a*{.class}")
def test_spans_of_any_text_are_what_they_are_called_and_no_role_is_missed(body):
    parsed, _ = parse_page(Source("a", "content/a.md", Meta(), body))
    for span in parsed.spans:
        assert 0 <= span.start < span.end <= len(body)
        assert re.match(BEGINS[span.kind], body[span.start :]), span
        assert span.kind != "role" or body[span.end - 1] == "`"
    tokens = dialect().parse(f"{body}\n", Env(Source("page", "content/page.md", Meta(), body)))
    assert roles(tokens) <= sum(span.kind == "role" for span in parsed.spans)


HARD = "a\\b `c` *d* _e_ f_g [h](i) <j> k < l &amp; m & n ![o](p) # 1. - + q|r"


@pytest.mark.parametrize("where", ["title", "summary", "term", "definition", "reference"])
def test_words_that_are_no_markdown_are_escaped(tmp_path, where):
    """A reader of Markdown sees them as they were written."""
    quoted = HARD.replace("'", "''")
    front = {name: quoted if name == where else "S" for name in ("title", "summary")}
    glossary = f"- {{term: Warp, definition: '{quoted if where == 'definition' else 'D'}'}}\n"
    references = altered(REFERENCES, ("Toys & <games>", f"'{quoted}'" if where == "reference" else "T"))
    front_matter = "".join(f"{name}: '{words}'\n" for name, words in front.items())
    term = "{term}`` %s <warp> ``" % HARD if where == "term" else ""  # noqa: UP031 - braces of a role
    body = f"---\n{front_matter}---\n\n{term}\n\n:::{{glossary}}\n:::\n\n:::{{references}}\n:::\n"
    told = text(
        built(toy_site(tmp_path, index=body, **{"glossary.yml": glossary, "references.yml": references})), "index.md"
    )
    shown = MarkdownIt("commonmark").render(told)
    seen = html.unescape(re.sub(r"</?(?:p|h1|h2|ul|li|strong|a)\b[^>]*>", "", shown))
    assert HARD in seen
