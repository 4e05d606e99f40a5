"""Whatever an author types gives pages or problems: never a traceback, never HTML of their own, never a long wait."""

# ruff: noqa: E501
# The pieces stand as an author would type them.
from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import html5lib
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from loom.build.pipeline import build_site
from loom.errors import LoomError, Problem
from loom.lint.html_reader import Element, read_document
from loom.markdown.dialect import dialect, parser_for
from loom.markdown.math import ATTRIBUTES
from loom.markdown.math import CLASSES as MATH_CLASSES
from loom.markdown.parse import parse_page
from loom.model import Meta, Source
from loom.options import Options
from tests.sites import GLOSSARY, REFERENCES, toy_site

PARSED, BUILT = int(os.environ.get("FUZZ", 250)), int(os.environ.get("FUZZ", 250)) // 5
LONGEST = 10.0  # seconds of one core, slow machines included: a runaway pattern takes minutes
PIECES = [
    ":::{scene} toy\n", ":count: 3\n", ":mode: slow way\n", ":::{check}\n", "::::{predict}\n", ":::{note} A\n",
    ":::{aside}\n", ":::{references}\n", ":::{glossary}\n", ":::{nope}\n", "::: x\n", ":::\n", "::::\n", ":: \n",
    "- [ ] no\n", "- [x] yes\n", "  why\n", "- a\n", "1. b\n", "> ", "    ", "\t", "\n", "\n\n", " ", "# A\n", "## A\n",
    "#### A\n", "A\n===\n", "---\n", "***\n", "{term}`warp`", "{term}`x <warp>`", "{cite}`toy2020`",
    "{cite:history}`toy2020 §3; pair2021`", "{uncited}`example`", "{value}`toy.size`",
    "{value}`toy.size count=3 mode='slow way' | 5 GB`", "{value}`toy.`", "{value}`toy.size count=\"`", "{x}``", "{cite}`",
    "```python\nx = 1\n```\n", "```", "~~~\n", "```{x}\n", "`", "``", "| a | b |\n|---|:-:|\n| 1 | 2 |\n", "|", "|---|\n",
    "[^a]", "[^a]: note\n", "^[in]", "$x^2$", "$\\frac{a}{b}$", "$", "$$", "$$\nx\n$$\n", "\\begin{matrix}", "\\", "^", "_",
    "$\\left($", "$\\sqrt[$", "$\\text{<b>}$", "$\\href{javascript:1}{x}$", "$\\style{color:red}{x}$", "$a & b$",
    "[a](index.md)", "[a](#toy?count=3)", "[a](#toy?nope=%zz)", "[a](javascript:alert(1))", "[a](data:text/html,x)",
    "[a](//x\"onclick=1)", "[a](http://[)", "[a](<x y>)", "[a][b]\n", "[b]: /x \"t\"\n", "[", "](", ")", "![", "![a](x.svg)",
    "<details>\n", "<details open>\n<summary>x</summary>\n\n", "</details>\n", "<b>", "</b>", "<table><tr><td align=right>", "</table>\n",
    "<a href=index.md>", "</a>", "<p align=center>\n", "<img src=x.svg alt=a>", "<div id=a onclick=b style=c>\n\n", "</div>\n", "<kbd>K</kbd>",
    "<hr data-at=0>\n", "<li>", "<h2>", "<nope>", "</nope>\n", "<style>x</style>\n", "<a name=b>", "<br/>", "==", "==m==", "H~2~O", "x^2^",
    "> [!NOTE]\n> ", "- [x] ", ":::{figure} x.svg\n", ":name: f\n:width: 50%\n", "{numref}`f`", "{#a}", "https://a.org/b", "```mermaid\nx\n```\n",
    "<http://[>", "<script>alert(1)</script>", "<!-- a -->", "<!--", "-->", "<!-- --><script>1</script>", "<img src=x>",
    "<b", "&amp;", "&#0;", "&lt;script&gt;", "<?x?>", "<![CDATA[x]]>", "<!x>", "term\n: definition\n", ": ",
    '{caption="a <b> \" onclick=1"}\n', "{caption=", "{#id .class onclick=1 style=x}\n", "**", "*", "~~", "a", "word ",
    "3 GB", "$\\text{<script>1</script> & b}$", "$\\big<$", "$\\newcommand{\\a}[1]{#1#1}\\a{x}$", "$$x$$ (eq1)\n", "a $$x$$ b",
    "$n$ 3\n", "<!-- a --> b\n", "<!--\n-", "--->", '{caption="x"}\n', ":name: value\n", "Tab\tstop\n", "# <!-- a --> A\n", "\x00", "\x0b", "\x1b", "\u2028", "\ufeff", "\u202e", "é", "😀", "\r", "---\ntitle: x\n---\n",
]  # fmt: skip
DEEP = [">", "- ", "[", "![", "*", "**", "(", "{", "$", "`", ":::{note}\n", "    ", "\\sqrt{", "<", "|", "_", "^", "&", "\\",
        "<b>", "<div>\n\n", "<details>\n", "<a href=x>", "==", "[^a]", "~~", '"', "'", ":", "$\\frac{", "1. ", "[a](", "{term}`"]  # fmt: skip
deep = st.builds(lambda piece, count: piece * count, st.sampled_from(DEEP), st.integers(1, 150))
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), st.text(max_size=9), deep), max_size=14)
bodies = st.one_of(st.text(max_size=200), texts.map("".join))
YAML = [
    "title: a", "title:", "summary: [", "order: x", "order: 1e999", "order: 99999999999999999999999", "date: 2026-13-01",
    "date: 2026-11-20", "draft: maybe", "draft: true", "listed: no", "? a", "a: &x", "*x", "<<: *x", "<<: {a: 1}", "!!python/x 1",
    "!!binary x", "!!timestamp 9", "!!float x", "!!int x", "!!int ''", "!!bool x", "&x [*x]", "&x {a: *x}", "!!set {a}",
    "!!omap [a]", "!!pairs [a]", "!!str [a]", "!!seq a", "!!map a", "{", "}", "[", "]", "'", '"', "|", ">", "- ", "- id: a", "  title: b",
    "  authors: ','", "  authors: a", "  authors: et al.", "  year: 2020", "  kind: paper", "  url: x", "  url: http://[", "  area: a",
    "  takes: b", "  seen: 2026-01-01", "- term: A", "- term: ' '", "  definition: b", "  aliases: [a]", "  aliases: {a: 1}",
    "  sources: [nope]", "  scene: nope", "home: nope", "home: index", "url: https://example.org/", "url: http://[", "language: '\"'",
    "language: x", "units: [' ', '(', '']", "budgets: 1", "ignore_links: ['']", "title: <script>", "nav: '<b onclick=1>'",
    "repository: javascript:1", "---", "...", "%YAML 9", "# c", "\t", "\0", "0x", "1:60", "=", "~", "title: \"\\ud800\"", "1: 2",
    "[a]: b", "{a: b}: c", "title: 2001-01-01", "title: 1", "line: 3", "letter: a",
]  # fmt: skip
VALID = {
    "site.yml": "title: T\ntagline: t\nhome: index\nurl: https://example.org/\nrepository: https://example.org/r\nunits: [tokens]\n",
    "references.yml": REFERENCES,
    "glossary.yml": GLOSSARY + "  aliases: [lines]\n  sources: [toy2020]\n  scene: toy\n",
    "page.md": "title: T\nsummary: S\nnav: N\norder: 1\ndate: 2026-11-20\ndraft: false\nlisted: true\n",
}


def broken(text: str) -> st.SearchStrategy[str]:
    """A text with the values of a line or two put in doubt."""
    lines = text.splitlines()
    values = st.one_of(st.sampled_from(YAML), st.sampled_from(PIECES).map(repr), st.text(max_size=9).map(repr), deep)
    changes = st.lists(st.tuples(st.integers(0, len(lines) - 1), values), min_size=1, max_size=2)

    def change(pairs: list[tuple[int, str]]) -> str:
        found = list(lines)
        for at, value in pairs:
            found[at] = f"{lines[at].partition(':')[0]}: {value.partition(': ')[2] or value}"
        return "\n".join(found) + "\n"

    return changes.map(change)


yamls = st.one_of(
    st.text(max_size=120),
    st.lists(st.one_of(st.sampled_from(YAML), st.sampled_from(YAML), st.text(max_size=6), deep), max_size=10).map(
        "\n".join
    ),
)


def texts_of(name: str) -> st.SearchStrategy[tuple[str, str]]:
    """A file of settings, entries or front matter: nearly valid, or anything."""
    return st.tuples(st.just(name), st.one_of(broken(VALID[name]), yamls))


def steady(count: int) -> settings:
    """The same examples in every run."""
    return settings(max_examples=count, derandomize=True, deadline=None, database=None,
                    suppress_health_check=list(HealthCheck))  # fmt: skip


def listed(text: str) -> dict[str, set[str]]:
    """Names, and what belongs to each of them."""
    lines = (line.partition(":") for line in text.strip().splitlines())
    return {name: set(values.split()) for names, _, values in lines for name in names.split()}


# Every element of a page's article and its attributes, as the rules of the Markdown dialect, what fills the placeholders in
# prose, the templates and the toy scene's picture write them. `id` and `class` may stand on any.
ARTICLE = listed("""
a: aria-label data-part data-role data-value download href
abbr b bdi bdo blockquote br caption cite code col colgroup dd del dfn dt em figcaption h1 h2 h3 h4 h5 h6 hr i ins:
kbd legend mark q s samp small strong sub sup table tfoot thead tr u var wbr:
td: colspan rowspan
dl: data-part
label: hidden
nav: aria-label
summary: aria-label
ul: data-part
button: aria-label data-part type
details: name open
div: aria-hidden aria-label data-filler role tabindex
fieldset: disabled
figure: aria-labelledby data-config data-scene
img: alt height loading src width
input: aria-label aria-valuetext checked data-part data-right disabled max min name step type value
li: aria-current
ol: data-part reversed start
option: selected value
output:
p: aria-hidden aria-live data-part role
path: colspan rowspan d
pre: tabindex
rect: data-mode height rx width x y
section: aria-label aria-labelledby role
select: aria-label data-part
span: data-for data-part hidden tabindex
svg: aria-hidden aria-label font-size role viewbox
tbody: data-part
text: font-size x y
th: colspan rowspan scope
time: datetime
""")
CLASSES = listed("""
aliases align-center filter jumps kept-with one reading dots trouble align-left align-right anchor answer aside back below callout callout-title check cite claims
code controls count equation external field-list footnote-backref footnote-item footnote-ref footnotes forward from
glossary guess icon kicker kind leaves-out mentions mnemonic more narrow note numbers opened params pause picture play
predict prints question range restart right saying scene seen sources speed stage state story table term terms
to-state transport value verdict wide wrong
caution figure important number task tip warning
""").keys() | {"data", "label"}  # roles of the toy scene's marks
CODE = re.compile(r"[a-z]{1,2}[0-9a-z]?")  # Pygments' classes
MATH = listed("""
math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext
mtr munder munderover
""").keys()
SCRIPTS = re.compile(r"(?:/|\./|(?:\.\./)+)?assets/[\w.-]+(?:/[\w.-]+)*\.js\Z")
SAFE = re.compile(r"(?:https?:|mailto:|tel:|[^:]*\Z|[^:]*[/?#])", re.IGNORECASE)


@cache
def kept() -> Path:
    """Compiled templates and computed scenes, so that a site takes a tenth of a second."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def timed(work, *arguments):
    """What the work gives, None if it cannot, and the mistakes it finds; it is not to take long."""
    start = time.process_time()
    try:
        return work(*arguments), ()
    except LoomError as error:
        return None, error.problems
    finally:
        assert time.process_time() - start < LONGEST


def assert_nothing_of_an_author(raw: bytes, where: str) -> None:
    """A page holds only what Loom makes: well formed, no script but the player, no attribute that could run."""
    document = read_document(raw, where)
    assert document.problems == []
    for one in document.elements:
        assert not [name for name in one.attributes if name.startswith("on") or name == "style"], one
        assert one.tag not in ("style", "iframe", "object", "embed", "base", "form"), one
        if one.tag == "script":
            assert SCRIPTS.match(one.get("src")), one
        for name in ("href", "src"):
            assert SAFE.match(one.get(name)), one
        if any(outer.tag == "article" for outer in one.around()):
            assert_written_by_loom(one)
    html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(raw.decode())


def assert_written_by_loom(one: Element) -> None:
    """An element of an article is one that Loom writes, with attributes that Loom gives it."""
    names, classes = one.attributes.keys() - {"class", "dir", "id", "lang", "title"}, set(one.get("class").split())
    if any(part.tag == "math" for part in (one, *one.around())):
        assert one.tag in MATH, one
        assert names <= ATTRIBUTES | {"alttext"}, one
        assert "id" not in one.attributes and classes <= set(MATH_CLASSES.values()), one
        return
    assert one.tag in ARTICLE, one
    assert names <= ARTICLE[one.tag], one
    in_code = one.tag == "span" and any(part.tag == "pre" for part in one.around())
    assert all(CODE.fullmatch(name) for name in classes) if in_code else classes <= CLASSES, one


def assert_found(problems: Iterable[Problem], text_of: Callable[[str], str | None]) -> None:
    """Problems say something, of a place that is there."""
    for one in problems:
        text = text_of(one.path)
        assert one.message, one
        assert text is not None or not one.line, one
        lines = (text or "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 0 <= one.line <= len(lines), one
        assert 0 <= one.column <= (len(lines[one.line - 1]) + 1 if one.line else 0), one


def parse_alone(body: str) -> None:
    """A page's text as it is read, in a file whose front matter takes three lines."""
    text = body.replace("\r\n", "\n").replace("\r", "\n")
    parsed, _ = timed(lambda: parse_page(Source("a", "content/a.md", Meta(), text, 3), stated=True))
    page, problems = parsed
    whole = "---\norder: 1\n---\n" + text
    assert_found(problems, {"content/a.md": whole}.get)
    for one in (*problems, *page.headings, *page.statements):
        assert 3 < one.line <= whole.count("\n") + 1, one


def build_with(**files: str) -> None:
    """Build the toy site with some files of its own, as bytes that need not be text."""
    with tempfile.TemporaryDirectory() as folder:
        base = {"index": "# Home\n", "x.svg": "<svg/>"}
        raw = {name: text.encode("utf-8", "surrogatepass") for name, text in {**base, **files}.items()}
        root = toy_site(Path(folder), **raw)
        output, problems = timed(build_site, Options(root, cache=kept()))
        paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
        assert_found(problems, lambda name: paths[name].read_text("utf-8-sig", "replace") if name in paths else None)
    for path, content in (output or {}).items():
        if path.suffix == ".html":
            assert_nothing_of_an_author(content, str(path))


@steady(PARSED)
@given(bodies)
def test_any_text_is_a_page_or_has_problems(body):
    parse_alone(body)


@steady(PARSED)
@given(bodies.map(lambda body: body.replace("\r", "\n")))  # as files are read
def test_parser_that_is_chosen_for_a_text_finds_in_it_what_the_whole_dialect_finds(body):
    found = [
        [token.as_dict() for token in md.parse(body, {"path": "", "offset": 0})] for md in (dialect(), parser_for(body))
    ]
    assert found[0] == found[1]


@steady(BUILT)
@given(bodies)
@example("¶b2\x83")  # no character that HTML knows
def test_no_text_brings_html_of_its_own(body):
    build_with(page="# Page\n\n" + body)


@pytest.mark.parametrize(
    "piece",
    [
        "{cite}`a` 1. ",
        "1. [",
        "1. {uncited}`example` ",
        "$\\sqrt{",
        "[a](",
        "<!--",
        "$n$ ",
        "> - ",
        "<div>\n\n",
        "<b>",
        "==",
    ],
)
def test_no_text_takes_long_for_being_long(piece):
    text = piece * (20_000 // len(piece))
    timed(lambda: parse_page(Source("a", "content/a.md", Meta(), text), stated=True))


@pytest.mark.parametrize(
    "text",
    [
        "<a>" * 40_000 + "x" + "</a>" * 40_000,
        "<div>data-at" + "-" * 300_000 + "</div>",
        "## a" + " " * 150_000 + "{#a",
        "<foo> x\n" * 40_000,
        "://" * 90_000,
    ],
    ids=["links in links", "the sign of a place", "spaces", "remarks", "addresses"],
)
def test_no_text_takes_long_for_what_it_is_made_of(text):
    timed(lambda: parse_page(Source("a", "content/a.md", Meta(), f"{text}\n")))


HOME = "# Home\n\n{term}`warp` {cite}`toy2020`\n\n:::{references}\n:::\n\n:::{glossary}\n:::\n"


@steady(BUILT // 2)
@given(texts_of("page.md"), bodies)
def test_any_front_matter_is_read_or_has_problems(front, body):
    build_with(page=f"---\n{front[1]}\n---\n{body}")


@steady(BUILT // 2)
@given(st.sampled_from(["site.yml", "references.yml", "glossary.yml"]).flatmap(texts_of))
def test_any_settings_references_and_terms_are_read_or_have_problems(named):
    name, text = named
    build_with(index=HOME, **{name: text})
