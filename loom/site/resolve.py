"""Resolve a page's cross-references: placeholders of values, citations, terms, links and pictures become HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape
from msgspec.structs import replace

from loom.addresses import relative
from loom.content.blocks import Block, Embed, Listing, Option, Page, Predict, Prose, QuickCheck
from loom.content.placeholders import (
    CiteRef,
    EquationRef,
    FigureRef,
    ImageRef,
    LinkRef,
    MathRef,
    PhraseRef,
    Placeholder,
    TermRef,
    ValueRef,
)
from loom.errors import Problem, with_rule
from loom.hints import suggest
from loom.model import Reference, Term
from loom.quantity import unbroken
from loom.scenes.results import KnownScene
from loom.site.citations import Citations, unknown_source
from loom.site.formulas import Formulas, kept_together, macros_of
from loom.site.index import Backlink
from loom.site.links import follow
from loom.site.pictures import picture
from loom.site.states import opening
from loom.site.values import value_link, value_text
from loom.site.view import SiteView

RULES = {TermRef: "term", CiteRef: "citation", ValueRef: "value", LinkRef: "link", ImageRef: "image",
         MathRef: "math", EquationRef: "math", FigureRef: "anchor", PhraseRef: ""}  # fmt: skip


Translate = Callable[..., str]  # a phrase, and by name what stands in its places


@dataclass(frozen=True)
class ResolvedPage:
    """A page whose prose is HTML, with the sources and terms that it uses, and its problems."""

    page: Page
    references: tuple[Reference, ...]
    terms: tuple[Term, ...]
    backlinks: Mapping[str, list[Backlink]]  # by reference, the places on this page that cite it
    problems: tuple[Problem, ...] = ()


def resolve(site: SiteView, page: Page, translate: Translate) -> ResolvedPage:
    """A page with its cross-references resolved as far as possible; `translate` gives phrases in its language."""
    return _Resolver(site, page, translate).resolved()


class _Resolver:
    """Resolves one page."""

    def __init__(self, site: SiteView, page: Page, translate: Translate) -> None:
        self.site, self.page, self.translate = site, page, translate
        self.url = site.entry(page.id).url
        self.citations = Citations(site, page)
        self.problems = self.citations.problems
        self.formulas = Formulas(page, self.problems)
        self.listed: set[str] = set()

    def resolved(self) -> ResolvedPage:
        for heading in self.page.headings:
            if not heading.text.strip():
                self.problem(heading.line, 0, "a heading without words", "write them, or remove it", "heading")
        page = replace(self.page, blocks=tuple(self.block(block) for block in self.page.blocks))
        found = self.citations
        return ResolvedPage(page, found.references, found.terms, found.backlinks, tuple(self.problems))

    def block(self, block: Block) -> Block:
        if isinstance(block, Prose):
            return self.prose(block)
        if isinstance(block, (QuickCheck, Predict)):
            block = replace(block, question=self.prose(block.question), options=self.options(block.options))
        if isinstance(block, Predict):
            body = tuple(self.prose(part) if isinstance(part, Prose) else self.embed(part) for part in block.body)
            return replace(block, body=body)
        if isinstance(block, Embed):
            return self.embed(block)
        return self.listing(block) if isinstance(block, Listing) else block

    def options(self, options: tuple[Option, ...]) -> tuple[Option, ...]:
        return tuple(
            replace(one, text=self.prose(one.text), explanation=self.prose(one.explanation)) for one in options
        )

    def prose(self, prose: Prose) -> Prose:
        html = [part if isinstance(part, str) else self.placeholder(part) for part in prose.parts]
        for at, (part, after) in enumerate(pairwise(prose.parts)):
            if isinstance(part, MathRef) and part.shown == "inline" and isinstance(after, str):
                html[at : at + 2] = kept_together(Markup(html[at]), after)
            if isinstance(part, LinkRef) and isinstance(after, str) and after.lstrip().startswith("</a>"):
                hint = "say between its brackets where it leads"
                self.problem(part.line, part.column, "a link without words", hint, "link")
        return Prose((Markup("".join(html)),))

    def listing(self, listing: Listing) -> Listing:
        """A generated list; a second one of the same kind on a page is a problem, because its entries have anchors."""
        if listing.kind in self.listed:
            self.problem(listing.line, 0, f"a second '{listing.kind}' on this page", "keep one of them", "id")
        self.listed.add(listing.kind)
        return listing

    def embed(self, embed: Embed) -> Embed:
        """A scene, whose own sources are cited by the page that shows it."""
        if not (known := self.scene(embed.scene, embed.line, 0)):
            return embed
        if embed.name != embed.scene and self.site.is_scene(embed.name):
            message = f"'{embed.name}' is the name of another scene"
            self.problem(embed.line, 0, message, "call this one something else", "scene")
        self.problems += with_rule("scene", opening(known, embed, self.page.source.path)[2])
        for name in known.info.sources:
            if source := self.site.reference(name):
                self.citations.cited(source, Backlink(self.page.id, embed.name, "scene", known.info.title))
            else:
                self.problems.append(unknown_source(known, name, self.site.index.references))
        return embed

    def scene(self, name: str, line: int, column: int) -> KnownScene | None:
        """The scene of this name. An unknown name is a problem; a scene that failed is reported already."""
        known = self.site.scene(name)
        if not known and name not in self.site.index.scenes:
            self.problem(line, column, f"unknown scene '{name}'", suggest(name, self.site.index.scenes), "scene")
        return known

    def problem(self, line: int, column: int, message: str, hint: str = "", rule: str = "") -> Markup:
        self.problems.append(Problem(self.page.source.path, line, column, message, hint, rule))
        return Markup("")

    def placeholder(self, part: Placeholder) -> Markup:
        before = len(self.problems)
        html = self._html(part)
        self.problems[before:] = with_rule(RULES[type(part)], self.problems[before:])
        return html

    def _html(self, part: Placeholder) -> Markup:
        if isinstance(part, PhraseRef):
            return escape(self.translate(part.phrase, value=part.value))
        if isinstance(part, TermRef):
            return self.citations.term(part)
        if isinstance(part, CiteRef):
            return self.citations.cite(part)
        if isinstance(part, ValueRef):
            return self.value(part)
        if isinstance(part, MathRef):
            return self.formulas.shown(part, macros_of(self.site.config))
        if isinstance(part, EquationRef):
            return self.formulas.named(part)
        if isinstance(part, FigureRef):
            return self.figure(part)
        return self.image(part) if isinstance(part, ImageRef) else self.link(part)

    def figure(self, part: FigureRef) -> Markup:
        """A link to a figure, with its number."""
        if not (number := self.page.figures.get(part.label)):
            message, names = f"there is no figure '{part.label}' on this page", self.page.figures
            return self.problem(part.line, part.column, message, suggest(part.label, names, "name it: ':name: …'"))
        words = part.text.replace("%s", str(number)) or self.translate("Figure {value}", value=str(number))
        return Markup('<a href="#{}">{}</a>').format(part.label, unbroken(words))

    def value(self, part: ValueRef) -> Markup:
        if not self.scene(part.scene, part.line, part.column):
            return Markup("")
        found = value_text(part, self.page, self.site)
        for message, hint in found.mistakes:
            self.problem(part.line, part.column, message, hint)
        return value_link(part, found, self.page, self.site) if found.words else Markup("")

    def link(self, part: LinkRef) -> Markup:
        found = follow(part.href, self.page.id, self.site)
        if found.mistake:
            self.problems.append(found.problem(self.page.source.path, part.line, part.column))
            return Markup("<a>")  # the closing tag stands in the prose
        title = Markup(' title="{}"').format(part.title) if part.title else ""
        if found.external:
            return Markup('<a class="external" href="{}"{}>').format(found.external, title)
        if found.file:
            return Markup('<a href="{}"{}>').format(relative(self.url, found.file), title)
        href = "" if found.page == self.page.id and found.anchor else relative(self.url, found.url)
        href += f"#{found.anchor}" if found.anchor else ""
        return Markup(f'<a href="{escape(href)}"{title}>')  # `Markup.format` would take half of the time

    def image(self, part: ImageRef) -> Markup:
        found = picture(part, self.page.id, self.site)
        return self.problem(part.line, 0, found.mistake, found.hint, found.rule) if found.mistake else found.html
