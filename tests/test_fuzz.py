"""Whatever an author types gives pages or problems: never a traceback, never HTML of their own, never a long wait."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loom.build.pipeline import build_site
from loom.content.source import Source
from loom.errors import LoomError, Problem
from loom.markdown.dialect import dialect, parser_for
from loom.markdown.env import Env
from loom.markdown.parse import parse_page
from loom.model import Meta
from loom.options import Options
from tests.article import assert_nothing_of_an_author
from tests.sites import toy_site
from tests.typed import bodies, steady, texts_of

PARSED, BUILT = int(os.environ.get("FUZZ", 250)), int(os.environ.get("FUZZ", 250)) // 5
LONGEST = 10.0  # seconds of one core, slow machines included: a runaway pattern takes minutes
HOME = "# Home\n\n{term}`warp` {cite}`toy2020`\n\n:::{references}\n:::\n\n:::{glossary}\n:::\n"


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
    source = Source("page", "content/page.md", Meta(), body)
    whole, chosen = ([token.as_dict() for token in md.parse(body, Env(source))] for md in (dialect(), parser_for(body)))
    assert whole == chosen


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
    ids=["links in links", "the sign of a place", "spaces", "warnings", "addresses"],
)
def test_no_text_takes_long_for_what_it_is_made_of(text):
    timed(lambda: parse_page(Source("a", "content/a.md", Meta(), f"{text}\n")))


@steady(BUILT // 2)
@given(texts_of("page.md"), bodies)
def test_any_front_matter_is_read_or_has_problems(front, body):
    build_with(page=f"---\n{front[1]}\n---\n{body}")


@steady(BUILT // 2)
@given(st.sampled_from(["site.yml", "references.yml", "glossary.yml"]).flatmap(texts_of))
def test_any_settings_references_and_terms_are_read_or_have_problems(named):
    name, text = named
    build_with(index=HOME, **{name: text})
