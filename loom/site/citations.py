"""Terms and citations of one page: each leads to its definition or its source, and is found again from there."""

from __future__ import annotations

from markupsafe import Markup, escape

from loom.content.blocks import CiteRef, Page, TermRef
from loom.errors import Problem, suggest
from loom.model import Reference, Term
from loom.quantity import figures
from loom.site.index import Leans, Mention, Web


class Mentions:
    """What one page leans on, as it is met."""

    def __init__(self, web: Web, page: Page) -> None:
        self.web, self.page = web, page
        self.leans = Leans()
        self.problems: list[Problem] = []
        self._references: dict[str, Reference] = {}
        self._terms: dict[str, Term] = {}
        self._explained: set[tuple[str, str]] = set()  # (section, term): a definition is offered once in each section

    @property
    def references(self) -> tuple[Reference, ...]:
        """The sources, in the order in which they were met."""
        return tuple(self._references.values())

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms, in the order of the alphabet."""
        return tuple(sorted(self._terms.values(), key=lambda term: term.term.lower()))

    def cited(self, reference: str, mention: Mention) -> None:
        self._references[reference] = self.web.site.references[reference]
        self.leans.citations.append((reference, mention))

    def section(self, line: int, level: int = 9) -> str:
        """The heading above a line, of this level or a higher one."""
        above = [one.text for one in self.page.headings if one.line <= line and one.level <= level]
        return above[-1] if above else ""

    def term(self, hole: TermRef) -> Markup:
        known = self.web.terms.get(hole.target.lower())
        if not known:
            hint = suggest(hole.target, self.web.terms, "add it to content/glossary.yml")
            return self._unknown(hole, f"unknown term '{hole.target}'", hint)
        place = (self.section(hole.line, level=2), known.term)
        if place in self._explained:
            return escape(hole.text)
        self._explained.add(place)
        anchor = f"use-{known.anchor}"
        first = known.term not in self._terms
        if first:
            self._terms[known.term] = known
            self.leans.uses.append((known.term, Mention(self.page.id, anchor)))
        name = Markup(' id="{}"').format(anchor) if first else ""
        return Markup('<a class="term"{} href="#{}">{}</a>').format(name, known.anchor, hole.text)

    def cite(self, hole: CiteRef) -> Markup:
        links = []
        role = hole.role or ("figure" if figures(hole.claim, self.web.site.config.units) else "method")
        section = self.section(hole.line)
        for reference, place in hole.items:
            known = self.web.site.references.get(reference)
            if not known:
                hint = suggest(reference, self.web.site.references, "add it to content/references.yml")
                self._unknown(hole, f"unknown reference '{reference}'", hint)
                continue
            count = 1 + sum(other == reference for other, _ in self.leans.citations)
            anchor = f"cite-{reference}-{count}"
            self.cited(reference, Mention(self.page.id, anchor, role, hole.claim, section, place))
            words = f"{known.short}, {place}" if place else known.short
            link = Markup('<a class="cite" id="{}" data-role="{}" href="#ref-{}">{}</a>')
            links.append(link.format(anchor, role, reference, words))
        return Markup(" ").join(links)

    def _unknown(self, hole: TermRef | CiteRef, message: str, hint: str) -> Markup:
        self.problems.append(Problem(self.page.source.path, hole.line, hole.column, message, hint))
        return Markup("")
