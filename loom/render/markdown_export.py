"""Export a page as plain Markdown: the author's text, with Loom's own syntax replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from markdown_it.token import Token

from loom.addresses import MARKDOWN, decoded_href, relative
from loom.content.blocks import Page
from loom.content.placeholders import CiteRef, EquationRef, FigureRef, Span, TermRef, ValueRef
from loom.content.source import Source
from loom.errors import LoomError
from loom.markdown.dialect import CALLOUTS
from loom.markdown.env import Env
from loom.markdown.roles import read_role
from loom.markdown.source_lines import SourcePosition
from loom.model import Meta, Output
from loom.render.scene_figure import SceneFigure
from loom.render.words import Words
from loom.site.links import follow
from loom.site.values import value_text
from loom.site.view import SiteView

LINES = frozenset(["caption", "directive", "end"])  # kinds of spans that take whole lines
NOWHERE = SourcePosition(Env(Source("", "", Meta(), "")), Token("inline", "", 0))
QUESTIONS = {"check": "Quick check", "predict": "Your guess first"}
# What has to be escaped in plain text: signs of Markdown, the beginning of a tag, an entity.
MARKUP = re.compile(r"[\\`*\[\]]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)")


def page_markdown(site: SiteView, page: Page, figures: Mapping[str, SceneFigure], words: Words) -> Output:
    """The file `index.md` beside the page: title, summary, and text with all placeholders filled."""
    summary = " ".join(page.source.meta.summary.split())
    text = replaced(page, _Export(site, page, figures, words).replacement).strip()
    parts = [f"# {escaped(page.heading or page.title)}", escaped(summary), text]
    raw = "\n\n".join(part for part in parts if part) + "\n"
    return {PurePosixPath(site.entry(page.id).url) / MARKDOWN: raw.encode()}


def escaped(words: str) -> str:
    """Plain text, escaped for Markdown."""
    return MARKUP.sub(r"\\\g<0>", words)


def replaced(page: Page, replacement: Callable[[Span, str, str], str]) -> str:
    """A page's source with each span replaced by the result of `plain`, and without the title's heading."""
    body = page.source.body
    lines = body.split("\n")
    first, last = (sum(len(line) + 1 for line in lines[:number]) for number in page.title_lines)
    title = [Span(first, min(last, len(body)), "title")] if last else []
    pieces, at = [], 0
    for span in sorted([*title, *page.spans]):
        if span.start < at:
            continue  # inside a span that was replaced as a whole
        above = body[body.rfind("\n", 0, span.start) + 1 : span.start] if span.kind in LINES else ""
        words = "" if span.kind == "title" else replacement(span, body[span.start : span.end], above.rstrip())
        before = body[at : span.start]
        pieces += [before if words else _closed(before, span.kind), words]
        at = span.end
    return "".join([*pieces, body[at:]])


class _Export:
    """Replaces the spans of one page."""

    def __init__(self, site: SiteView, page: Page, figures: Mapping[str, SceneFigure], words: Words) -> None:
        self.site, self.page, self.figures, self.words = site, page, figures, words
        self.url = site.entry(page.id).url

    def replacement(self, span: Span, written: str, above: str) -> str:
        """The replacement of a span with the source text `written`; `above` is the quote or list marker before it."""
        if span.kind == "link":
            return self.link(written.strip("<>"))
        if span.kind == "role":
            return self.role(span.name, span.text, written)
        if span.kind == "scene":
            return self.scene(self.figures[span.name]) if span.name in self.figures else ""
        if span.kind == "sign":
            return span.name
        if span.kind == "name":
            return f'<a id="{span.name}"></a>'
        if span.kind == "figure":
            return self.figure(span, above)
        if span.kind == "caption":
            return f"*{span.name}*\n{above}"
        return self.directive(span.name, span.text, above) if span.kind == "directive" else ""

    def role(self, name: str, content: str, whole: str) -> str:
        """The text of a role; unchanged if it can't be read, which is reported elsewhere."""
        try:
            placeholder = read_role(name, content, NOWHERE)
        except LoomError:
            return whole
        if isinstance(placeholder, TermRef):
            return escaped(placeholder.text)
        if isinstance(placeholder, CiteRef):
            return "; ".join(self.cited(*item) for item in placeholder.items)
        if isinstance(placeholder, FigureRef):
            number = self.page.figures.get(placeholder.label, 0)
            text = placeholder.text.replace("%s", str(number)) or self.words("Figure {value}", value=str(number))
            return f"[{escaped(text)}](./#{placeholder.label})"
        if isinstance(placeholder, EquationRef):
            return f"({escaped(placeholder.label)})"  # its label stands behind the equation
        if isinstance(placeholder, ValueRef):
            known = self.site.scene(placeholder.scene)
            return escaped(value_text(placeholder, self.page, self.site).words) if known else whole
        return ""

    def cited(self, reference: str, place: str) -> str:
        known = self.site.reference(reference)
        words = ", ".join(word for word in (known.short if known else reference, place) if word)
        return f"[{escaped(words)}]({known.url})" if known and known.url else escaped(words)

    def link(self, href: str) -> str:
        """The address of a link: pages are linked as Markdown, states of scenes as HTML, where they can be played."""
        found = follow(decoded_href(href), self.page.id, self.site)
        if found.file:
            return relative(self.url, found.file)
        if not found.page:
            return href
        end = f"#{found.anchor}" if found.anchor else ""
        if found.state:
            return relative(self.url, found.url) + end
        return end if end and found.page == self.page.id else relative(self.url, found.url + MARKDOWN) + end

    def directive(self, name: str, argument: str, above: str) -> str:
        """The replacement for a directive's first line; its last line is removed."""
        if name == "references":
            return self.references()
        if name == "glossary":
            known = self.site.glossary
            return "\n".join(f"- **{escaped(one.term)}**: {escaped(one.definition)}" for one in known)
        title = argument or self.words(QUESTIONS.get(name) or CALLOUTS.get(name, ""))
        return f"**{title}**\n{above}" if title else ""

    def figure(self, span: Span, above: str) -> str:
        """A figure's picture, and its number in front of the caption."""
        number = [one for one in self.page.spans if one.kind == "figure"].index(span) + 1
        picture = f"![{escaped(span.text)}]({self.link(span.name.strip('<>'))})"
        called = self.words("Figure {value}", value=str(number))
        return f"{picture}\n{above}\n{above}**{called}.**\n{above}"

    def references(self) -> str:
        lines = []
        for area, references in self.site.areas:
            lines += [f"\n## {escaped(area.capitalize())}\n"]
            for one in references:
                title = f"[{escaped(one.title)}]({one.url})" if one.url else escaped(one.title)
                lines.append(f"- {escaped(one.short)}. {title}. {escaped(one.takes)}".rstrip())
        return "\n".join(lines).lstrip()

    def scene(self, figure: SceneFigure) -> str:
        """A scene's title and summary, and its data as a table."""
        it, columns = figure.info, figure.info.columns
        heads = [escaped(column.label) + (f" [{column.unit}]" if column.unit else "") for column in columns]
        rows = [heads, ["---"] * len(heads), *([escaped(cell) for cell in row] for row in figure.shown_rows)]
        table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
        left = self.words("What this leaves out: {words}", words=escaped(it.leaves_out))
        play = self.words("Play it on the page")
        return f"**{escaped(it.title)}** {escaped(it.summary)} [{play}](./#{figure.id}).\n\n{table}\n\n{left}"


def _closed(before: str, kind: str) -> str:
    """The text before a removed span, without the space in front of it."""
    if kind in LINES:
        return before.rstrip(" \t")
    return before.removesuffix(" ") if kind == "role" else before
