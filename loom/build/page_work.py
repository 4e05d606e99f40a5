"""The work on pages that is distributed over processes: functions of plain data, which any executor can run."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from loom.content.blocks import Page
from loom.content.files import read_bytes
from loom.content.source import load_source, recovered_source
from loom.digest import digest
from loom.errors import LoomError, Problem, with_rule
from loom.markdown.parse import parse_page
from loom.model import Output
from loom.render.cards import Card
from loom.render.context import PageContext, RenderContext
from loom.render.page import make_page
from loom.site.page_info import PageInfo, page_info

encode = msgspec.msgpack.Encoder().encode


class ReadPage(NamedTuple):
    """A page that was read: the digest of its file, its summary, the encoded page, and its problems."""

    name: str
    digest: bytes
    info: PageInfo | None
    page: bytes
    problems: tuple[Problem, ...]


class PageTask(NamedTuple):
    """A parsed page, and the results of the scenes that it shows or quotes, all encoded."""

    page: bytes
    scenes: dict[str, bytes]


class MadePage(NamedTuple):
    """A page that was rendered: its files, its social card, its dependencies, and its problems."""

    name: str
    output: Output
    card: Card | None
    reads: list[tuple[str, str]]
    problems: tuple[Problem, ...]


def read_pages(pages: Sequence[tuple[str, str]], content: str) -> list[ReadPage]:
    """Read and parse some pages, each given by its name and its file."""
    return [read_page(name, file, Path(content)) for name, file in pages]


def read_page(name: str, file: str, content: Path) -> ReadPage:
    """Read and parse a page as far as possible."""
    try:
        raw = read_bytes(content / file, f"content/{file}")
    except LoomError as error:
        return ReadPage(name, b"", None, b"", tuple(with_rule("content", error.problems)))
    problems: list[Problem] = []
    try:
        source = load_source(raw, name, file)
    except LoomError as error:
        problems += with_rule("content", error.problems)
        recovered = recovered_source(raw, name, file)
        if recovered is None:
            return ReadPage(name, digest(raw), None, b"", tuple(problems))
        source = recovered
    page, mistakes = parse_page(source)
    problems += with_rule("markup", mistakes)
    return ReadPage(name, digest(raw), page_info(page), encode(page), tuple(problems))


def pack_context(context: RenderContext) -> bytes:
    """All that pages are rendered with, pickled once for all workers."""
    index = context.index
    # Cached properties: computed here, they are pickled with the rest.
    _ = index.citations, index.uses, index.states, index.homes, index.by_name, index.positions
    bare = replace(context, assets=replace(context.assets, output={}))
    return pickle.dumps(bare, pickle.HIGHEST_PROTOCOL)


@lru_cache(1)
def _context(packed: bytes) -> RenderContext:
    found: RenderContext = pickle.loads(packed)
    return found


def make_pages(pages: Sequence[PageTask], packed: bytes) -> list[MadePage]:
    """Render some pages, in a worker."""
    return render_pages(pages, _context(packed))


def render_pages(pages: Sequence[PageTask], context: RenderContext) -> list[MadePage]:
    """Render some pages in this process."""
    made = []
    for task in pages:
        for name, raw in task.scenes.items():
            if not context.index.data[name].has_data:
                context.index.data[name].give(raw)
        page = msgspec.msgpack.decode(task.page, type=Page)
        asked = PageContext(context)
        output, card, problems = make_page(asked, page)
        made.append(MadePage(page.id, output, card, asked.reads, tuple(problems)))
    return made


def draw_cards(cards: Sequence[Card], packed: bytes) -> list[tuple[PurePosixPath, bytes, tuple[Problem, ...]]]:
    """Social cards as pictures."""
    tools = _context(packed).card_tools
    assert tools
    drawn: list[tuple[PurePosixPath, bytes, tuple[Problem, ...]]] = []
    for card in cards:
        try:
            drawn.append((PurePosixPath(card.path), tools.png(card.svg), ()))
        except ValueError as error:
            problem = Problem("templates/card.svg", 0, 0, f"this is no picture: {error}", "", "template")
            drawn.append((PurePosixPath(card.path), b"", (problem,)))
    return drawn
