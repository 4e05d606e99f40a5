"""Call-outs with three colons and no braces, as Docusaurus and VuePress have them, are ours."""

from __future__ import annotations

import pytest

from loom.content.blocks import Prose
from loom.content.placeholders import PhraseRef
from loom.content.source import Source
from loom.markdown.parse import parse_page
from loom.model import Meta


def read(body: str):
    """What is told of a text below a title, as lines, words and hints; nothing of it is refused."""
    found, problems = parse_page(Source("a", "content/a.md", Meta(), f"# T\n\n{body}\n"))
    assert problems == []
    return [(one.line - 2, one.message, one.hint) for one in found.warnings if one.rule == "foreign"]


def html(body: str) -> str:
    found, _ = parse_page(Source("a", "content/a.md", Meta(), f"# T\n\n{body}\n"))
    parts = (part for block in found.blocks if isinstance(block, Prose) for part in block.parts)
    return "".join(part.phrase if isinstance(part, PhraseRef) else str(part) for part in parts)


@pytest.mark.parametrize(
    ("written", "kind", "title"),
    [
        (":::note", "note", "Note"), ("::: warning", "warning", "Warning"), (":::important", "important", "Important"),
        (":::tip[A *b*]", "tip", "A <em>b</em>"), ("::: danger STOP `a`", "caution", "STOP <code>a</code>"),
        (":::danger", "caution", "Danger"), (":::info", "note", "Info"), (":::caution{#a}", "caution", "Caution"),
        ("::::Note[T]{.b}", "note", "T"),
    ],
)  # fmt: skip
def test_admonition_with_colons_and_no_braces_is_a_call_out(written, kind, title):
    body = f"{written}\n\n- *Text*.\n\n{':' * (written.count(':'))}"
    assert read(body) == []
    assert html(body).startswith(f'<div class="callout {kind}" role="note">')
    assert f'<p class="callout-title">{title}</p>' in html(body).replace("</p>\n", "</p>").replace(">\n", ">")
    assert "<em>Text</em>" in html(body)
    assert ":::" not in html(body)


def test_admonitions_with_colons_stand_in_lists_and_in_each_other():
    assert html("- a\n\n  ::::tip\n  :::note\n  b\n  :::\n  ::::").count('<div class="callout') == 2


def test_admonition_that_never_ends_is_told():
    assert read(":::note\na") == [(1, "the directive 'note' is never closed", "end it with a line ':::'")]


@pytest.mark.parametrize("written", [":::{nope}", ":::scene toy", "::: check"])
def test_directive_of_ours_that_is_wrong_stays_a_mistake(written):
    _, problems = parse_page(Source("a", "content/a.md", Meta(), f"# T\n\n{written}\n:::\n"))
    assert "unknown directive" in problems[0].message
