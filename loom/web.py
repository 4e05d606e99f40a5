"""What the pages share while they are woven: everything known, and who mentioned what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from loom.address import page_url
from loom.blocks import Page
from loom.discover import Found
from loom.errors import Problem, suggest
from loom.frames import SceneData
from loom.links import Target
from loom.model import Reference, Site, Term


@dataclass(frozen=True)
class Mention:
    """A place that cites a source or uses a term: where a list links back to.

    Of a citation: `claim` is the sentence that rests on the source, in which `section`; `role` is what the source is
    to it (a definition, a figure, a method, a piece of history, a scene's model), and `place` where in the source.
    """

    page: str
    anchor: str
    role: str = ""
    claim: str = ""
    section: str = ""
    place: str = ""


@dataclass(frozen=True)
class Woven:
    """A page without holes, and what it leans on."""

    page: Page
    references: tuple[Reference, ...]
    terms: tuple[Term, ...]
    states: Mapping[str, frozenset[str]]  # scene id → fragments that link to one of its states, from any page


@dataclass
class Web:
    """What the pages share while they are woven: the known things, and who mentioned which."""

    site: Site
    pages: Mapping[str, Page]
    founds: Mapping[str, Found]
    data: Mapping[str, SceneData]
    broken: frozenset[str] = frozenset()  # scenes that could not be imported or computed
    citations: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    uses: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    states: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.terms = {name.lower(): term for term in self.site.terms for name in term.names}
        self.homes = {scene: page.id for page in self.pages.values() for scene in reversed(page.embeds)}
        self.targets = {page.id: Target(page) for page in self.pages.values()}

    def listing(self, kind: str) -> str | None:
        """The page that holds a generated list: `references` or `glossary`."""
        return next((page.id for page in self.pages.values() if page.lists(kind)), None)

    def url(self, page_id: str) -> str:
        return page_url(page_id, self.site.config.home)


def term_problems(web: Web) -> Iterator[Problem]:
    """Terms that name sources or scenes that are not there."""
    for term in web.site.terms:
        for source in term.sources:
            if source not in web.site.references:
                message = f"the term '{term.term}' names the unknown reference '{source}'"
                yield Problem("content/glossary.yml", term.line, 0, message, suggest(source, web.site.references))
        if term.scene and term.scene not in web.founds and term.scene not in web.broken:
            message = f"the term '{term.term}' names the unknown scene '{term.scene}'"
            yield Problem("content/glossary.yml", term.line, 0, message, suggest(term.scene, web.founds))


def term_citations(web: Web) -> None:
    """The definitions on the glossary's page rest on sources, too."""
    glossary = web.listing("glossary")
    if glossary is None:
        return
    for term in web.site.terms:
        for source in term.sources:
            web.citations[source].append(Mention(glossary, term.anchor, "definition", term.term))


def unused(web: Web) -> Iterator[Problem]:
    """Sources that nothing rests on. A glossary may explain more than the pages use."""
    for reference in web.site.references.values():
        if not web.citations[reference.id]:
            message = f"nothing rests on the reference '{reference.id}'"
            yield Problem("content/references.yml", reference.line, 0, message, "cite it, or remove it")
