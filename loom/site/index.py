"""What the pages share while they are woven: everything known, and who leans on what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from loom.content.blocks import Page
from loom.errors import Problem, suggest
from loom.model import Reference, Site, Term
from loom.scenes.info import SceneInfo
from loom.scenes.results import SceneData
from loom.site.page_info import Face


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


@dataclass
class Leans:
    """What one page leans on, in the order in which it was met."""

    citations: list[tuple[str, Mention]] = field(default_factory=list)  # (reference, where)
    uses: list[tuple[str, Mention]] = field(default_factory=list)  # (term, where)
    states: set[tuple[str, str]] = field(default_factory=set)  # (scene, fragment that names one of its states)
    pages: tuple[str, ...] = ()  # other pages that it links to, sorted


@dataclass(frozen=True)
class Woven:
    """A page without holes, what it leans on, and what was wrong with it."""

    page: Page
    references: tuple[Reference, ...]
    terms: tuple[Term, ...]
    leans: Leans
    problems: tuple[Problem, ...] = ()

    @cached_property
    def cited_here(self) -> Mapping[str, list[Mention]]:
        """By reference, the places on this page that rest on it."""
        found: dict[str, list[Mention]] = {}
        for reference, mention in self.leans.citations:
            found.setdefault(reference, []).append(mention)
        return found


@dataclass(frozen=True)
class Web:
    """What every page may know of the site before any is woven."""

    site: Site
    faces: Mapping[str, Face]
    data: Mapping[str, SceneData]
    scenes: frozenset[str] = frozenset()  # all that there are, whether a page needs them or not
    lost: Mapping[str, SceneInfo] = field(default_factory=dict)  # those that could be read, and not be computed

    @cached_property
    def infos(self) -> Mapping[str, SceneInfo]:
        """What the scenes say of themselves, as far as they could be read."""
        return {**self.lost, **{name: data.info for name, data in self.data.items()}}

    @cached_property
    def terms(self) -> Mapping[str, Term]:
        """Every name of every term."""
        return {name.lower(): term for term in self.site.terms for name in term.names}

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """The page that shows a scene: the first, where several do."""
        return {scene: one.id for one in reversed(list(self.faces.values())) for scene in one.embeds}

    def listing(self, kind: str) -> str | None:
        """The page that holds a generated list: `references` or `glossary`."""
        return next((one.id for one in self.faces.values() if kind in one.lists), None)

    def url(self, page_id: str) -> str:
        return self.faces[page_id].url(self.site.config)


@dataclass(frozen=True)
class Backlinks:
    """Who leans on what, over all pages."""

    citations: Mapping[str, list[Mention]]
    uses: Mapping[str, list[Mention]]
    states: Mapping[str, set[str]]  # scene → fragments that link to one of its states, from any page


def backlinks(web: Web, leans: Iterable[Leans]) -> Backlinks:
    """Gather what all pages lean on, in their order. The definitions of the glossary rest on sources, too."""
    citations: dict[str, list[Mention]] = defaultdict(list)
    uses: dict[str, list[Mention]] = defaultdict(list)
    states: dict[str, set[str]] = defaultdict(set)
    for one in leans:
        for reference, mention in one.citations:
            citations[reference].append(mention)
        for term, mention in one.uses:
            uses[term].append(mention)
        for scene, state in one.states:
            states[scene].add(state)
    glossary = web.listing("glossary")
    for known in web.site.terms if glossary else ():
        for source in known.sources:
            citations[source].append(Mention(glossary or "", known.anchor, "definition", known.term))
    return Backlinks(citations, uses, states)


def term_problems(web: Web) -> Iterator[Problem]:
    """Terms that name sources or scenes that are not there."""
    path = "content/glossary.yml"
    for term in web.site.terms:
        for source in term.sources:
            if source not in web.site.references:
                message = f"the term '{term.term}' names the unknown reference '{source}'"
                yield Problem(path, term.line, 0, message, suggest(source, web.site.references), "citation")
        if term.scene and term.scene not in web.scenes:
            message = f"the term '{term.term}' names the unknown scene '{term.scene}'"
            yield Problem(path, term.line, 0, message, suggest(term.scene, web.scenes), "scene")
