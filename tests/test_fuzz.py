"""Whatever an author types gives pages or problems: never a traceback, never HTML of their own, never a long wait."""

# ruff: noqa: E501
# The pieces stand as an author would type them.
from __future__ import annotations

import os
import re
import tempfile
import time
from pathlib import Path

import html5lib
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from loom.errors import LoomError
from loom.html_reader import read_document
from loom.model import Meta, Source
from loom.options import Options
from loom.parse import parse_page
from loom.pipeline import build_site
from tests.sites import toy_site

PARSED, BUILT = int(os.environ.get("FUZZ", 150)), int(os.environ.get("FUZZ", 150)) // 5
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
    "<http://[>", "<script>alert(1)</script>", "<!-- a -->", "<!--", "-->", "<!-- --><script>1</script>", "<img src=x>",
    "<b", "&amp;", "&#0;", "&lt;script&gt;", "<?x?>", "<![CDATA[x]]>", "<!x>", "term\n: definition\n", ": ",
    '{caption="a <b> \" onclick=1"}\n', "{caption=", "{#id .class onclick=1 style=x}\n", "**", "*", "~~", "a", "word ",
    "3 GB", "\x00", "\x0b", "\x1b", "\u2028", "\ufeff", "\u202e", "é", "😀", "\r", "---\ntitle: x\n---\n",
]  # fmt: skip
DEEP = [">", "- ", "[", "![", "*", "**", "(", "{", "$", "`", ":::{note}\n", "    ", "\\sqrt{", "<", "|", "_", "^", "&", "\\",
        "[^a]", "~~", '"', "'", ":", "$\\frac{", "1. ", "[a](", "{term}`"]  # fmt: skip
deep = st.builds(lambda piece, count: piece * count, st.sampled_from(DEEP), st.integers(1, 150))
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), st.text(max_size=9), deep), max_size=14)
bodies = st.one_of(st.text(max_size=200), texts.map("".join))
YAML = [
    "title: a", "title:", "summary: [", "order: x", "order: 1e999", "order: 99999999999999999999999", "date: 2026-13-01",
    "date: 2026-11-20", "draft: maybe", "draft: true", "listed: no", "? a", "a: &x", "*x", "<<: *x", "<<: {a: 1}", "!!python/x 1",
    "!!binary x", "!!timestamp 9", "!!float x", "!!int x", "{", "}", "[", "]", "'", '"', "|", ">", "- ", "- id: a", "  title: b",
    "  authors: ','", "  authors: a", "  authors: et al.", "  year: 2020", "  kind: paper", "  url: x", "  url: http://[", "  area: a",
    "  takes: b", "  seen: 2026-01-01", "- term: A", "- term: ' '", "  definition: b", "  aliases: [a]", "  aliases: {a: 1}",
    "  sources: [nope]", "  scene: nope", "home: nope", "home: index", "url: https://example.org/", "url: http://[", "language: '\"'",
    "language: x", "units: [' ', '(', '']", "budgets: 1", "ignore_links: ['']", "title: <script>", "nav: '<b onclick=1>'",
    "repository: javascript:1", "---", "...", "%YAML 9", "# c", "\t", "\0", "0x", "1:60", "=", "~", "title: \"\\ud800\"", "1: 2",
    "[a]: b", "{a: b}: c", "title: 2001-01-01", "title: 1", "line: 3", "letter: a",
]  # fmt: skip
yamls = st.one_of(
    st.text(max_size=120),
    st.lists(st.one_of(st.sampled_from(YAML), st.sampled_from(YAML), st.text(max_size=6), deep), max_size=10).map(
        "\n".join
    ),
)


def steady(count: int) -> settings:
    """The same examples in every run."""
    return settings(max_examples=count, derandomize=True, deadline=None, database=None,
                    suppress_health_check=list(HealthCheck))  # fmt: skip


SCRIPTS = re.compile(r"(?:/|\./|(?:\.\./)+)?assets/[\w.-]+(?:/[\w.-]+)*\.js\Z")
SAFE = re.compile(r"(?:https?:|mailto:|tel:|[^:]*\Z|[^:]*[/?#])", re.IGNORECASE)


def timed(work, *arguments):
    """What the work gives, None if it finds mistakes; it is not to take long."""
    start = time.process_time()
    try:
        return work(*arguments)
    except LoomError as error:
        assert all(one.message and one.path for one in error.problems)
        return None
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
    html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(raw.decode())


def build_with(**files: str):
    """Build the toy site with some files of its own, as bytes that need not be text."""
    with tempfile.TemporaryDirectory() as folder:
        base = {"index": "# Home\n", "x.svg": "<svg/>"}
        raw = {name: text.encode("utf-8", "surrogatepass") for name, text in {**base, **files}.items()}
        root = toy_site(Path(folder), **raw)
        output = timed(build_site, Options(root))
    for path, content in (output or {}).items():
        if path.suffix == ".html":
            assert_nothing_of_an_author(content, str(path))


@steady(PARSED)
@given(bodies)
def test_any_text_is_a_page_or_has_problems(body):
    timed(lambda text: parse_page(Source("a", "content/a.md", Meta(), text), stated=True), body)


@steady(BUILT)
@given(bodies)
@example("¶b2\x83")  # no character that HTML knows
def test_no_text_brings_html_of_its_own(body):
    build_with(page="# Page\n\n" + body)


@steady(BUILT // 2)
@given(yamls, bodies)
def test_any_front_matter_is_read_or_has_problems(front, body):
    build_with(page=f"---\n{front}\n---\n{body}")


@steady(BUILT // 2)
@given(st.sampled_from(["site.yml", "references.yml", "glossary.yml"]), yamls)
def test_any_settings_references_and_terms_are_read_or_have_problems(name, text):
    build_with(index="# Home\n\n:::{references}\n:::\n\n:::{glossary}\n:::\n", **{name: text})
