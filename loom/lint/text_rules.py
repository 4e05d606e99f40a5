"""Rules for the author's text that do not stop a build.

They find missing summaries, shared titles, unused entries, tables without headings, and links to states of scenes that
open another step than their words say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from loom.content.blocks import Page
from loom.content.placeholders import ImageRef, LinkRef, Piece
from loom.content.source import Source
from loom.errors import Problem
from loom.markdown.dialect import dialect
from loom.markdown.env import Env
from loom.markdown.tokens import end_of
from loom.scenes.parameters import pairs_of
from loom.site.citations import unknown_source
from loom.site.index import SiteIndex
from loom.site.links import follow
from loom.site.page_info import PageInfo, address
from loom.site.states import opening
from loom.site.view import SiteView

TAG = re.compile(r"<[^>]*>")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
STEP = re.compile(rf"\bstep\s(\d+|{'|'.join(NUMBERS)})\b|\b({'|'.join(ORDINALS)}|last)\sstep\b", re.IGNORECASE)
DASHES = re.compile(r"\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?\Z")


def missing_summaries(infos: Iterable[PageInfo]) -> Iterator[Problem]:
    """Listed pages without a summary."""
    for info in infos:
        if info.meta.listed and not info.meta.summary.strip():
            hint = "write one or two sentences behind 'summary:' in its front matter"
            yield Problem(info.path, 1, 0, "the page has no summary", hint, "summary")


def shared_titles(infos: Iterable[PageInfo]) -> Iterator[Problem]:
    """Pages with the same title, which can't be told apart in search results."""
    first: dict[str, PageInfo] = {}
    for info in infos:
        other = first.setdefault(" ".join(info.title.split()).casefold(), info)
        if other is not info:
            message = f"the title '{info.title}' is that of {other.path}, too"
            yield Problem(info.path, 1, 0, message, "say what sets this page apart", "title")


def markdown_problems(source: Source) -> Iterator[Problem]:
    """Columns of tables without a heading, tables that are none, and footnotes that no text refers to."""
    if not any(sign in source.body for sign in ("|", "[^")):
        return
    env = Env(source)
    tokens = _parser().parse(source.body, env)
    yield from _unnamed_columns(tokens, env)
    yield from _tables_shown_as_text(tokens, env)
    yield from _unused_footnotes(tokens, env)


@cache
def _parser() -> MarkdownIt:
    """A parser that leaves footnotes where they are defined."""
    return dialect().disable("footnote_tail")


def _unnamed_columns(tokens: list[Token], env: Env) -> Iterator[Problem]:
    """Columns of tables without a heading, which screen readers read out for each cell."""
    for at, token in enumerate(tokens):
        if token.type == "thead_open":
            cells = [one for one in tokens[at : end_of(tokens, at)] if one.type == "inline"]
            if empty := [number for number, cell in enumerate(cells, 1) if not cell.content.strip()]:
                message = f"column {empty[0]} of this table has no heading"
                yield env.problem(env.line_of(token), message, "say what its cells are", "heading")


def _tables_shown_as_text(tokens: list[Token], env: Env) -> Iterator[Problem]:
    """Lines of a table that are a paragraph, because the dashes are for other columns than there are headings."""
    for token in tokens:
        lines = token.content.split("\n") if token.type == "inline" else []
        for at, (above, line) in enumerate(pairwise(lines)):
            if "|" in above and "|" in line and DASHES.match(line.strip()):
                message = "this is no table, and is shown as text"
                hint = "give the line of dashes as many cells as there are headings above it"
                yield env.problem(env.line_of(token) + at, message, hint, "table")


def _unused_footnotes(tokens: list[Token], env: Env) -> Iterator[Problem]:
    """Footnotes without a reference, which are not shown."""
    refs = env.get("footnotes", {}).get("refs", {})  # by ':name', the number of a footnote; -1 if it is not referenced
    for token in tokens:
        if token.type == "footnote_reference_open" and refs.get(f":{token.meta['label']}", 0) < 0:
            name = token.meta["label"]
            message = f"nothing refers to the footnote '{name}'"
            hint = f"write [^{name}] where it belongs, or remove it"
            yield env.problem(env.line_of(token), message, hint, "unused")


def unused_entries(index: SiteIndex, unread_names: str = "") -> Iterator[Problem]:
    """Sources that are never cited, and terms that no page uses.

    Unused terms are only reported on sites with `claims: true`. Entries in `unread_names` stand on pages that could not
    be read completely, and may be used there.
    """
    failed = [name for name in index.homes if name in index.scenes and name not in index.data]
    for reference in index.references.values() if not failed else ():
        if not index.citations.get(reference.id) and reference.id not in unread_names:
            message = f"nothing rests on the reference '{reference.id}'"
            yield Problem(reference.path, reference.line, 0, message, "cite it, or remove it", "unused")
    for term in index.terms if index.config.claims else ():
        if not index.uses.get(term.term) and not any(name.lower() in unread_names.lower() for name in term.names):
            message = f"no page uses the term '{term.term}'"
            hint = f"write {{term}}`{term.term.lower()}` where it is needed, or remove it"
            yield Problem("content/glossary.yml", term.line, 0, message, hint, "unused")


def unknown_sources(index: SiteIndex) -> Iterator[Problem]:
    """Sources of scenes, also of those that no page shows, that are no references."""
    for scene in index.data.values():
        for name in scene.info.sources:
            if name not in index.references:
                yield unknown_source(scene, name, index.references)


def state_problems(pages: Iterable[Page], index: SiteIndex) -> Iterator[Problem]:
    """Links that open another step than their text says, or that name no step of a scene with several."""
    site = SiteView(index)
    for page in pages:
        for prose in page.proses():
            for at, part in enumerate(prose.parts):
                if not isinstance(part, (LinkRef, ImageRef)):
                    continue
                words = part.alt if isinstance(part, ImageRef) else _link_words(prose.parts[at + 1 :])
                if wrong := _wrong_step(address(part), words, page.id, site):
                    yield Problem(page.source.path, part.line, part.column, *wrong, "state")


def _wrong_step(href: str, words: str, page: str, site: SiteView) -> tuple[str, str] | None:
    """The mistake in a link, and what to do about it."""
    found = follow(href, page, site)
    name, _, query = found.state.partition("?")
    embed = site.index.infos[found.page].embeds[name] if found.state else None
    known = site.scene(embed.scene) if embed else None
    if known is None or embed is None:
        return None
    pairs = pairs_of(query)
    start, step, _ = opening(known, embed, "")
    count = known.steps({**start, **{key: text for key, text in pairs if key != "step"}})
    chosen = [int(text) for key, text in pairs if key == "step"]
    opened = chosen[-1] if chosen else min(step, count)
    said = STEP.search(words)
    if said and (asked := _named_step(said, count)) != opened:
        message = f"the words say '{said[0]}', and the link opens step {opened} of {count}"
        return message, f"say &step={asked}, or other words" if 1 <= asked <= count else "use other words"
    if count > 1 and not chosen:
        message = f"this link names no step: it opens step {opened} of {count}"
        return message, f"add &step={opened}, or the step that its words promise"
    return None


def _named_step(said: re.Match[str], count: int) -> int:
    """The step that a text names, in a scene with `count` steps."""
    text = (said[1] or said[2]).lower()
    for numbers in (NUMBERS, ORDINALS):
        if text in numbers:
            return numbers.index(text) + 1
    return count if text == "last" else int(text)


def _link_words(parts: Iterable[Piece]) -> str:
    """The text of a link, from the parts behind its opening tag."""
    words = ""
    for part in parts:
        if isinstance(part, str):
            text, end, _ = part.partition("</a>")
            words += text
            if end:
                break
    return " ".join(TAG.sub("", words).split())
