"""Loom's reading of a text and a reference's HTML, brought to one shape: elements, their addresses and their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import html5lib

from loom.content.blocks import Prose
from loom.content.placeholders import ImageRef, LinkRef, PhraseRef
from loom.content.source import Source
from loom.markdown.parse import parse_page
from loom.model import Meta

KEPT = ("href", "src", "title", "alt", "start", "checked")
# How a printer would set it, and how it is typed.
TYPED = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "–": "--", "—": "---", "\xa0": " "})
Shape = list[object]


def ours(markdown: str) -> Shape:
    """What Loom makes of a text below a title."""
    page, problems = parse_page(Source("a", "content/a.md", Meta(), f"# T\n\n{markdown}"))
    if problems:
        return ["refused", *sorted({one.message for one in problems})]
    parts = [part for block in page.blocks for part in (block.parts if isinstance(block, Prose) else (block,))]
    return shape("".join(map(_html, parts)))


def _html(part: object) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, PhraseRef):
        return escape(part.phrase.format(value=part.value))
    if isinstance(part, LinkRef):
        return f'<a href="{escape(part.href)}" title="{escape(part.title)}">'
    if isinstance(part, ImageRef):
        return f'<img src="{escape(part.src)}" alt="{escape(part.alt)}" title="{escape(part.title)}">'
    return f"<placeholder>{escape(type(part).__name__)}</placeholder>"


def shape(html: str) -> Shape:
    """Nested lists of an element's name, its attributes that say something, and what is in it."""
    return list(_inside(html5lib.parseFragment(html, namespaceHTMLElements=False)))


def _inside(element: Element) -> Iterator[object]:
    yield from _words(element.text)
    for child in element:
        yield from _shape(child)
        yield from _words(child.tail)


def _shape(element: Element) -> Iterator[object]:
    if element.tag == "pre":
        yield ["pre", "".join(element.itertext())]
    elif element.get("class") == "anchor" or not isinstance(element.tag, str):
        return
    elif element.tag in ("figure", "tbody", "thead") or element.get("class") == "table":
        yield from _inside(element)
    else:
        told = {name: _told(name, element.get(name, "")) for name in KEPT if element.get(name) not in (None, "")}
        if element.tag == "input":
            told = {"checked": str(element.get("checked") is not None)}
        yield [{"s": "del"}.get(element.tag, element.tag), sorted(told.items()), *_joined(_inside(element))]


def _told(name: str, value: str) -> str:
    return unquote(value) if name in ("href", "src") else value.translate(TYPED)


def _words(text: str | None) -> Iterator[str]:
    typed = re.sub(r"\s+", " ", (text or "").translate(TYPED))
    if typed.strip():
        yield typed.strip()


def _joined(parts: Iterator[object]) -> Iterator[object]:
    """Words that stand side by side as one."""
    words = ""
    for part in parts:
        if isinstance(part, str):
            words = f"{words} {part}".strip()
            continue
        if words:
            yield words
        words = ""
        yield part
    if words:
        yield words
