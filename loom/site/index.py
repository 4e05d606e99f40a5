"""The index of a site: every page, term, source and scene, and the references between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

import msgspec

from loom.addresses import candidate_pages, fragment, page_file, scene_url
from loom.content.pictures import Size
from loom.errors import Problem
from loom.hints import suggest
from loom.model import Config, Reference, Term
from loom.scenes.results import KnownScene
from loom.site.page_info import Citation, PageInfo, StateLink, cite_role, embedded_scenes
from loom.site.sections import FEW, Section, is_large, tree_of
from loom.site.states import read_state


class Backlink(msgspec.Struct, frozen=True, array_like=True):
    """A place that cites a source or uses a term: the lists of sources and terms link back to it."""

    page: str
    anchor: str
    role: str = ""
    claim: str = ""
    section: str = ""
    place: str = ""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A page's titles and address, for links to it."""

    id: str
    title: str
    short: str
    url: str


@dataclass(frozen=True)
class SiteIndex:
    """Everything that a page may need to know of the site."""

    config: Config
    infos: Mapping[str, PageInfo]  # in reading order
    terms: tuple[Term, ...] = ()
    references: Mapping[str, Reference] = field(default_factory=dict)
    files: frozenset[str] = frozenset()  # of `content/`, that are no pages
    sizes: Mapping[str, Size] = field(default_factory=dict)  # of the pictures among them
    drafts: frozenset[str] = frozenset()
    scenes: frozenset[str] = frozenset()  # the names of all scenes, whether a page needs them or not
    data: Mapping[str, KnownScene] = field(default_factory=dict)  # the computed scenes

    @property
    def partial(self) -> bool:
        """Whether some scenes are not fully computed yet."""
        return any(known.partial for known in self.data.values())

    @cached_property
    def by_name(self) -> Mapping[str, Term]:
        """The terms by all their names, in lower case."""
        return {name.lower(): term for term in self.terms for name in term.names}

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """The page that shows a scene under its own name: the first, where several do."""
        infos = reversed(list(self.infos.values()))
        return {name: one.id for one in infos for name, embed in one.embeds.items() if name == embed.scene}

    @cached_property
    def embedded(self) -> Mapping[str, set[str]]:
        """The scenes that pages show under a name: its own, or one that `:as:` gives it."""
        return embedded_scenes(self.infos.values())

    @cached_property
    def scene_pages(self) -> Mapping[PurePosixPath, str]:
        """The pages of single scenes, which other sites may embed in frames."""
        return {page_file(scene_url(name)): name for name in self.homes} if self.config.embeds else {}

    @cached_property
    def lists(self) -> Mapping[str, str]:
        """The page that holds each generated list, `references` or `glossary`: the first, where several do."""
        return {kind: one.id for one in reversed(list(self.infos.values())) for kind in one.lists}

    def url(self, page_id: str) -> str:
        """The address of a page."""
        return self.infos[page_id].url(self.config)

    def entry(self, page_id: str) -> Entry:
        """The entry of a page."""
        info = self.infos[page_id]
        draft = " (draft)" if info.meta.draft else ""  # only shown by `serve`
        return Entry(page_id, info.title + draft, info.short + draft, self.url(page_id))

    @cached_property
    def tree(self) -> Section | None:
        """The listed pages as a tree of folders, if there are too many for the navigation in the page header."""
        return tree_of(self.infos.values(), self.config.home) if is_large(self.infos.values()) else None

    @cached_property
    def navigation(self) -> list[Entry]:
        """The navigation in the page header: all listed pages, or on a large site the home page and the top folders.

        The top folders are left out if there are too many of them, too.
        """
        if self.tree is None:
            return [self.entry(name) for name in self.reading_order]
        home = [self.entry(self.config.home)] if self.tree.page else []
        top = self.tree.sorted if len(self.tree.sorted) <= FEW else ()
        return home + [Entry(one.lead.id, one.title, one.title, one.item.url) for one in top]

    @cached_property
    def reading_order(self) -> Sequence[str]:
        """The listed pages in their order, for previous and next."""
        return [one.id for one in self.infos.values() if one.meta.listed]

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """The position of each page in the reading order."""
        return {name: place for place, name in enumerate(self.reading_order)}

    @cached_property
    def citations(self) -> Mapping[str, list[Backlink]]:
        """By source, the places that cite it: sentences, scenes, and definitions of the glossary."""
        found: dict[str, list[Backlink]] = defaultdict(list)
        for info in self.infos.values():
            for reference, backlink in _cited_on(info, self):
                found[reference].append(backlink)
        if glossary := self.lists.get("glossary"):
            for term in self.terms:
                for source in term.sources:
                    found[source].append(Backlink(glossary, term.anchor, "definition", term.term))
        return found

    @cached_property
    def uses(self) -> Mapping[str, list[Backlink]]:
        """By term, the first place on each page that uses it."""
        found: dict[str, list[Backlink]] = defaultdict(list)
        for info in self.infos.values():
            terms = (self.by_name[name] for name in info.uses if name in self.by_name)
            for term in {term.term: term for term in terms}.values():
                found[term.term].append(Backlink(info.id, f"use-{term.anchor}"))
        return found

    @cached_property
    def states(self) -> Mapping[str, list[str]]:
        """By scene, the states to which any page links, sorted."""
        found: dict[str, set[str]] = defaultdict(set)
        for info in self.infos.values():
            for link in info.states:
                scene, state = self._linked(info.id, link)
                if state:
                    found[scene].add(state)
        return {scene: sorted(states) for scene, states in found.items()}

    def _linked(self, page: str, link: StateLink) -> tuple[str, str]:
        """The scene and the state that a link leads to, if it leads to one."""
        if link.scene:
            known, home = self.data.get(link.scene), self.homes.get(link.scene)
            pins = known.read_params(link.pins)[0] if known and home else {}
            return link.scene, fragment(link.scene, list(pins.items())) if pins else ""
        path, _, anchor = link.href.partition("#")
        named = candidate_pages(page, path, self.config.home) if path else (page,)
        target = next((self.infos[one] for one in named if one in self.infos), None)
        name, _, query = anchor.partition("?")
        embed = target.embeds.get(name) if target else None
        if not embed or embed.scene not in self.data:
            return name, ""
        return name, read_state(self.data[embed.scene], embed.pairs, query, name).fragment


def _cited_on(info: PageInfo, index: SiteIndex) -> Iterator[tuple[str, Backlink]]:
    """The sources that a page or its scenes cite, each with the citing place."""
    for one in info.cites:
        if isinstance(one, Citation):
            if one.reference in index.references:
                role = cite_role(one.role, one.claim, index.config.units)
                yield one.reference, Backlink(info.id, one.anchor, role, one.claim, one.section, one.place)
        elif known := index.data.get(info.embeds[one].scene):
            for source in known.info.sources:
                if source in index.references:
                    yield source, Backlink(info.id, one, "scene", known.info.title)


def term_problems(index: SiteIndex) -> Iterator[Problem]:
    """Terms that name unknown sources or scenes."""
    path = "content/glossary.yml"
    for term in index.terms:
        for source in term.sources:
            if source not in index.references:
                message = f"the term '{term.term}' names the unknown reference '{source}'"
                hint = suggest(source, index.references, "add it to content/references.yml")
                yield Problem(path, term.line, 0, message, hint, "citation")
        if term.scene and term.scene not in index.scenes:
            message = f"the term '{term.term}' names the unknown scene '{term.scene}'"
            yield Problem(path, term.line, 0, message, suggest(term.scene, index.scenes), "scene")
