"""Terms and citations of one page: links to definitions and sources, with anchors for the links back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from markupsafe import Markup, escape

from loom.content.blocks import Page
from loom.content.placeholders import CiteRef, TermRef
from loom.errors import Problem
from loom.hints import suggest
from loom.model import Reference, Term
from loom.scenes.results import KnownScene
from loom.site.index import Backlink
from loom.site.page_info import cite_anchor, cite_role, section
from loom.site.view import SiteView


class Citations:
    """Collects what one page cites, and the terms that it uses."""

    def __init__(self, site: SiteView, page: Page) -> None:
        self.site, self.page = site, page
        self.problems: list[Problem] = []
        self.backlinks: dict[str, list[Backlink]] = {}  # by reference, the places on the page that rest on it
        self._references: dict[str, Reference] = {}
        self._terms: dict[str, Term] = {}
        self._counts: Counter[str] = Counter()
        self._explained: set[tuple[str, str]] = set()  # (section, term): a term is linked once in each section

    @property
    def references(self) -> tuple[Reference, ...]:
        """The sources, in the order of their first citations."""
        return tuple(self._references.values())

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms in alphabetical order."""
        return tuple(sorted(self._terms.values(), key=lambda term: term.term.lower()))

    def cited(self, reference: Reference, backlink: Backlink) -> None:
        """Record a place that cites a source."""
        self._references[reference.id] = reference
        self.backlinks.setdefault(reference.id, []).append(backlink)

    def term(self, term_ref: TermRef) -> Markup:
        """A term as a link to its definition; plain text if the section has such a link already."""
        known = self.site.term(term_ref.target)
        if not known:
            hint = suggest(term_ref.target, self.site.index.by_name, "add it to content/glossary.yml")
            return self._unknown(term_ref, f"unknown term '{term_ref.target}'", hint)
        place = (section(self.page, term_ref.line, level=2), known.term)
        if place in self._explained:
            return escape(term_ref.text)
        self._explained.add(place)
        first = known.term not in self._terms
        self._terms[known.term] = known
        name = Markup(' id="use-{}"').format(known.anchor) if first else ""
        return Markup('<a class="term"{} href="#{}">{}</a>').format(name, known.anchor, term_ref.text)

    def cite(self, cite_ref: CiteRef) -> Markup:
        """Citations as links to their sources."""
        links = []
        role = cite_role(cite_ref.role, cite_ref.claim, self.site.config.units)
        under = section(self.page, cite_ref.line)
        for name, place in cite_ref.items:
            known = self.site.reference(name)
            if not known:
                hint = suggest(name, self.site.index.references, "add it to content/references.yml")
                self._unknown(cite_ref, f"unknown reference '{name}'", hint)
                continue
            self._counts[name] += 1
            anchor = cite_anchor(name, self._counts[name])
            self.cited(known, Backlink(self.page.id, anchor, role, cite_ref.claim, under, place))
            words = f"{known.short}, {place}" if place else known.short
            link = Markup('<a class="cite" id="{}" data-role="{}" href="#ref-{}">{}</a>')
            links.append(link.format(anchor, role, name, words))
        return Markup(" ").join(links)

    def _unknown(self, found: TermRef | CiteRef, message: str, hint: str) -> Markup:
        self.problems.append(Problem(self.page.source.path, found.line, found.column, message, hint))
        return Markup("")


def unknown_source(scene: KnownScene, name: str, references: Iterable[str]) -> Problem:
    """A scene's source that is no reference of the site."""
    message = f"scene '{scene.id}' cites the unknown reference '{name}'"
    hint = suggest(name, references, "add it to content/references.yml")
    return Problem(scene.info.path, 0, 0, message, hint, "citation")
