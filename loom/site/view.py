"""The site as one page sees it. Each question that rendering the page asks of the index is recorded as a dependency.

The page is rendered again when the answer to one of these questions has changed, see `loom.build.engine`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

from loom.content.files import Size
from loom.model import Config, Reference, Term
from loom.scenes.summary import KnownScene
from loom.site.index import Backlink, Entry, SiteIndex
from loom.site.sections import Item, path_to, sidebar


class Shown(msgspec.Struct, frozen=True, array_like=True):
    """A scene on a page, and the parameters with which it opens."""

    scene: str
    pairs: list[tuple[str, str]]


class Target(msgspec.Struct, frozen=True, array_like=True):
    """What a link needs to know of the page that it leads to."""

    id: str
    path: str
    title: str
    url: str
    anchors: tuple[str, ...]
    embeds: dict[str, Shown]  # by their names on the page


def _target(index: SiteIndex, page: str) -> Target | None:
    info = index.infos.get(page)
    if info is None:
        return None
    embeds = {name: Shown(embed.scene, embed.pairs) for name, embed in info.embeds.items()}
    return Target(info.id, info.path, info.title, info.url(index.config), info.anchors, embeds)


def _neighbours(index: SiteIndex, page: str) -> tuple[Entry | None, Entry | None]:
    """The pages before and after one in the reading order."""
    position, pages = index.positions.get(page), index.reading_order
    if position is None:
        return None, None
    around = (position - 1, position + 1)
    before, after = (index.entry(pages[at]) if 0 <= at < len(pages) else None for at in around)
    return before, after


def _sidebar(index: SiteIndex, page: str) -> tuple[Item, ...]:
    """The sidebar of a page on a large site; empty on a small one, whose page header has links to all pages."""
    if index.tree is None:
        return ()
    return sidebar(index.tree, path_to(index.tree, page, index.config.home))


def _trail(index: SiteIndex, page: str) -> list[Item]:
    """The breadcrumb of a page on a large site: the home page, and the folders above the page."""
    path = path_to(index.tree, page, index.config.home) if index.tree else []
    above = [one for one in path if not (one.page and one.page.id == page)]
    if not above:
        return []
    home = index.entry(index.config.home)
    return [Item(home.short, home.url, False), *(one.item for one in above)]


def _areas(index: SiteIndex, _: str) -> list[tuple[str, list[Reference]]]:
    """The references by subject."""
    found: dict[str, list[Reference]] = {}
    for one in sorted(index.references.values(), key=lambda one: (one.area, one.year, one.title)):
        found.setdefault(one.area, []).append(one)
    return list(found.items())


def _lists(index: SiteIndex, _: str) -> dict[str, str]:
    """Where the generated lists are."""
    return {kind: index.url(index.lists[kind]) for kind in ("references", "glossary") if kind in index.lists}


def _scene_title(index: SiteIndex, name: str) -> str:
    return index.data[name].info.title if name in index.data else ""


# The kinds of questions, and the functions that answer them.
ANSWERS: Mapping[str, Callable[[SiteIndex, str], Any]] = {
    "areas": _areas,
    "neighbours": _neighbours,
    "citations": lambda index, name: index.citations.get(name, []),
    "config": lambda index, _: index.config,
    "entry": lambda index, name: index.entry(name) if name in index.infos else None,  # deleted since the last build
    "glossary": lambda index, _: index.terms,
    "home": lambda index, name: index.homes.get(name),
    "lists": _lists,
    "navigation": lambda index, _: index.navigation,
    "page": _target,
    "published": lambda index, name: name in index.files,
    "size": lambda index, name: index.sizes.get(name),
    "reference": lambda index, name: index.references.get(name),
    "sidebar": _sidebar,
    "trail": _trail,
    "scene": lambda index, name: index.data.get(name),
    "scene-name": lambda index, name: name in index.scenes,
    "scene-title": _scene_title,
    "states": lambda index, name: index.states.get(name, []),
    "term": lambda index, name: index.by_name.get(name),
    "uses": lambda index, name: index.uses.get(name, []),
}


class SiteView:
    """Access to the index on behalf of one page. `reads` are the questions asked so far."""

    def __init__(self, index: SiteIndex) -> None:
        self.index = index  # for hints about mistakes only: a page with mistakes is not kept
        self.reads: dict[tuple[str, str], None] = {}

    def ask(self, kind: str, name: str = "") -> Any:
        """The answer to a question, which is recorded."""
        self.reads[kind, name] = None
        return ANSWERS[kind](self.index, name)

    @property
    def config(self) -> Config:
        return cast(Config, self.ask("config"))

    @property
    def navigation(self) -> list[Entry]:
        return cast(list[Entry], self.ask("navigation"))

    @property
    def lists(self) -> dict[str, str]:
        return cast(dict[str, str], self.ask("lists"))

    @property
    def areas(self) -> list[tuple[str, list[Reference]]]:
        return cast(list[tuple[str, list[Reference]]], self.ask("areas"))

    @property
    def glossary(self) -> tuple[Term, ...]:
        return cast(tuple[Term, ...], self.ask("glossary"))

    def neighbours(self, page: str) -> tuple[Entry | None, Entry | None]:
        return cast(tuple[Entry | None, Entry | None], self.ask("neighbours", page))

    def sidebar(self, page: str) -> tuple[Item, ...]:
        return cast(tuple[Item, ...], self.ask("sidebar", page))

    def trail(self, page: str) -> list[Item]:
        return cast(list[Item], self.ask("trail", page))

    def citations(self, reference: str) -> list[Backlink]:
        return cast(list[Backlink], self.ask("citations", reference))

    def uses(self, term: str) -> list[Backlink]:
        return cast(list[Backlink], self.ask("uses", term))

    def states(self, scene: str) -> list[str]:
        return cast(list[str], self.ask("states", scene))

    def entry(self, page: str) -> Entry:
        return cast(Entry, self.ask("entry", page))

    def home(self, scene: str) -> str | None:
        return cast(str | None, self.ask("home", scene))

    def page(self, page: str) -> Target | None:
        return cast(Target | None, self.ask("page", page))

    def is_published(self, file: str) -> bool:
        return bool(self.ask("published", file))

    def size(self, picture: str) -> Size:
        return cast(Size, self.ask("size", picture))

    def reference(self, name: str) -> Reference | None:
        return cast(Reference | None, self.ask("reference", name))

    def scene(self, name: str) -> KnownScene | None:
        return cast(KnownScene | None, self.ask("scene", name))

    def scene_title(self, name: str) -> str:
        return str(self.ask("scene-title", name))

    def term(self, name: str) -> Term | None:
        return cast(Term | None, self.ask("term", name.lower()))
