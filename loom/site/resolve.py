"""Fill every hole of every page: numbers from the models, citations, terms and links, with their ways back."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from markupsafe import Markup, escape

from loom.addresses import relative
from loom.content.blocks import (
    Block,
    Check,
    CiteRef,
    Embed,
    Hole,
    ImageRef,
    LinkRef,
    Listing,
    Option,
    Page,
    Predict,
    Prose,
    TermRef,
    ValueRef,
)
from loom.errors import Problem, named, suggest
from loom.site.citations import Mentions
from loom.site.embeds import opening
from loom.site.index import Mention, Web, Woven
from loom.site.links import resolve
from loom.site.values import said

RULES = {TermRef: "term", CiteRef: "citation", ValueRef: "value", LinkRef: "link", ImageRef: "image"}


def weave(web: Web, page: Page) -> Woven:
    """A page with its holes filled, as far as they can be."""
    return _Weaver(web, page).woven()


class _Weaver:
    """Fills one page."""

    def __init__(self, web: Web, page: Page) -> None:
        self.web, self.page = web, page
        self.url = web.url(page.id)
        self.mentions = Mentions(web, page)
        self.leans, self.problems = self.mentions.leans, self.mentions.problems
        self.linked: set[str] = set()
        self.listed: set[str] = set()

    def woven(self) -> Woven:
        for heading in self.page.headings:
            if not heading.text.strip():
                self.problem(heading.line, 0, "a heading without words", "write them, or remove it", "heading")
        page = replace(self.page, blocks=tuple(self.block(block) for block in self.page.blocks))
        leans = replace(self.leans, pages=tuple(sorted(self.linked)))
        return Woven(page, self.mentions.references, self.mentions.terms, leans, tuple(self.problems))

    def block(self, block: Block) -> Block:
        if isinstance(block, Prose):
            return self.fill(block)
        if isinstance(block, Check):
            return replace(block, question=self.fill(block.question), options=self.options(block.options))
        if isinstance(block, Predict):
            body = tuple(self.fill(part) if isinstance(part, Prose) else self.embed(part) for part in block.body)
            return replace(block, question=self.fill(block.question), options=self.options(block.options), body=body)
        return self.embed(block) if isinstance(block, Embed) else self.listing(block)

    def options(self, options: tuple[Option, ...]) -> tuple[Option, ...]:
        return tuple(replace(one, text=self.fill(one.text), explanation=self.fill(one.explanation)) for one in options)

    def fill(self, prose: Prose) -> Prose:
        html = Markup("".join([part if isinstance(part, str) else self.hole(part) for part in prose.parts]))
        for part, after in pairwise(prose.parts):
            if isinstance(part, LinkRef) and isinstance(after, str) and after.lstrip().startswith("</a>"):
                message, hint = "a link without words", "say between its brackets where it leads"
                self.problem(part.line, part.column, message, hint, "link")
        return Prose((html,))

    def listing(self, listing: Listing) -> Listing:
        """A generated list stands on a page once: its entries have anchors."""
        if listing.kind in self.listed:
            self.problem(listing.line, 0, f"a second '{listing.kind}' on this page", "keep one of them", "id")
        self.listed.add(listing.kind)
        return listing

    def embed(self, embed: Embed) -> Embed:
        """The scene's own sources are cited by the page that shows it."""
        if not self.known_scene(embed.scene, embed.line, 0):
            return embed
        data = self.web.data[embed.scene]
        self.problems += named("scene", opening(data, embed, self.page.source.path)[2])
        for source in data.info.sources:
            if source not in self.web.site.references:
                hint = suggest(source, self.web.site.references)
                message = f"scene '{data.id}' cites the unknown reference '{source}'"
                self.problems.append(Problem(data.info.path, 0, 0, message, hint, "citation"))
                continue
            self.mentions.cited(source, Mention(self.page.id, data.id, "scene", data.info.title))
        return embed

    def known_scene(self, name: str, line: int, column: int) -> bool:
        """Whether there is such a scene, computed; what is wrong with a broken one is reported already."""
        if name not in self.web.scenes:
            self.problem(line, column, f"unknown scene '{name}'", suggest(name, self.web.scenes), "scene")
        return name in self.web.data

    def problem(self, line: int, column: int, message: str, hint: str = "", rule: str = "") -> Markup:
        self.problems.append(Problem(self.page.source.path, line, column, message, hint, rule))
        return Markup("")

    def hole(self, hole: Hole) -> Markup:
        before = len(self.problems)
        html = self._filled(hole)
        self.problems[before:] = named(RULES[type(hole)], self.problems[before:])
        return html

    def _filled(self, hole: Hole) -> Markup:
        if isinstance(hole, TermRef):
            return self.mentions.term(hole)
        if isinstance(hole, CiteRef):
            return self.mentions.cite(hole)
        if isinstance(hole, ValueRef):
            return self.value(hole)
        return self.image(hole) if isinstance(hole, ImageRef) else self.link(hole)

    def value(self, hole: ValueRef) -> Markup:
        if not self.known_scene(hole.scene, hole.line, hole.column):
            return Markup("")
        found = said(hole, self.page, self.web)
        for message, hint in found.mistakes:
            self.problem(hole.line, hole.column, message, hint)
        return self._value_link(hole, found.state, found.words) if found.words else Markup("")

    def _value_link(self, hole: ValueRef, state: str, words: str) -> Markup:
        """A computed number leads to the scene that computes it; on the scene's page it follows the reader."""
        home, here = self.web.homes.get(hole.scene), hole.scene in self.page.embeds
        if home is None:
            return Markup('<span class="value">{}</span>').format(words)
        if "?" in state:
            self.leans.states.add((hole.scene, state))
        follows = ""
        if here and not hole.text:
            pins = state.partition("?")[2]
            follows = Markup(' data-value="{}.{}" data-pins="{}"').format(hole.scene, hole.name, pins)
        href = f"#{state}" if here else f"{relative(self.url, self.web.url(home))}#{state}"
        return Markup('<a class="value" href="{}"{}>{}</a>').format(href, follows, words)

    def link(self, hole: LinkRef) -> Markup:
        found = resolve(hole.href, self.page.id, self.web)
        if found.mistake:
            self.problem(hole.line, hole.column, found.mistake, found.hint, found.rule)
            return Markup("<a>")  # its end stands in the prose
        if found.external:
            return Markup('<a class="external" href="{}">').format(found.external)
        if found.state:
            self.leans.states.add((found.state.partition("?")[0], found.state))
        if found.file:
            return Markup('<a href="{}">').format(relative(self.url, found.file))
        if found.page != self.page.id:
            self.linked.add(found.page)
        place = "" if found.page == self.page.id and found.anchor else relative(self.url, self.web.url(found.page))
        href = place + (f"#{found.anchor}" if found.anchor else "")
        return Markup(f'<a href="{escape(href)}">')  # escaped here: `format` takes as long as all else

    def image(self, hole: ImageRef) -> Markup:
        found = resolve(hole.src, self.page.id, self.web)
        if found.external:
            message = f"the picture '{hole.src}' lies on another site"
            return self.problem(hole.line, 0, message, "put it beside the page: no request leaves the site")
        if found.mistake or not found.file:
            return self.problem(hole.line, 0, found.mistake or f"'{hole.src}' is not a picture", found.hint)
        if not hole.alt.strip():
            return self.problem(
                hole.line, 0, f"the picture '{hole.src}' has no text alternative", "write ![what it shows](…)", "alt"
            )
        return Markup('<img src="{}" alt="{}" loading="lazy">').format(relative(self.url, found.file), hole.alt)
