"""The site as one page sees it. Each question that rendering the page asks of the index is recorded as a dependency.

The page is rendered again when the answer to one of these questions has changed, see `loom.build.engine`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec

from loom.digest import digest
from loom.model import Reference
from loom.site.index import Entry, SiteIndex
from loom.site.sections import Item, path_to, sidebar

Answer = TypeVar("Answer", covariant=True)


class Asked(Protocol[Answer]):
    """A question that may be about something by its name."""

    def __call__(self, name: str = "") -> Answer: ...


class Question(Generic[Answer]):
    """A kind of question: asked through a view, it is recorded."""

    def __init__(self, answer: Callable[[SiteIndex, str], Answer]) -> None:
        self.answer = answer

    def __set_name__(self, owner: type, kind: str) -> None:
        self.kind = kind

    def __get__(self, view: SiteView, owner: type) -> Asked[Answer]:
        def ask(name: str = "") -> Answer:
            view.reads[self.kind, name] = None
            return self.answer(view.index, name)

        return ask


class Fact(Question[Answer]):
    """A question about the site as a whole."""

    def __get__(self, view: SiteView, owner: type) -> Answer:  # type: ignore[override]
        return super().__get__(view, owner)()


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
    return sidebar(index.tree, path_to(index.tree, page))


def _trail(index: SiteIndex, page: str) -> list[Item]:
    """The breadcrumb of a page on a large site: the home page, and the folders above the page."""
    path = path_to(index.tree, page) if index.tree else []
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


class SiteView:
    """Access to the index on behalf of one page. `reads` are the questions asked so far."""

    def __init__(self, index: SiteIndex) -> None:
        self.index = index  # for hints about mistakes only: a page with mistakes is not kept
        self.reads: dict[tuple[str, str], None] = {}

    areas = Fact(_areas)
    config = Fact(lambda index, _: index.config)
    glossary = Fact(lambda index, _: index.terms)
    lists = Fact(_lists)
    navigation = Fact(lambda index, _: index.navigation)
    citations = Question(lambda index, name: index.citations.get(name, []))
    # None for a page that was deleted since the last build: nobody asks for it but the engine.
    entry = Question(lambda index, name: cast(Entry, index.entry(name) if name in index.infos else None))
    home = Question(lambda index, name: index.homes.get(name))
    is_published = Question(lambda index, name: name in index.files)
    is_scene = Question(lambda index, name: name in index.scenes)
    neighbours = Question(_neighbours)
    page = Question(_target)
    reference = Question(lambda index, name: index.references.get(name))
    scene = Question(lambda index, name: index.data.get(name))
    scene_title = Question(lambda index, name: index.data[name].info.title if name in index.data else "")
    sidebar = Question(_sidebar)
    size = Question(lambda index, name: index.sizes.get(name))
    states = Question(lambda index, name: index.states.get(name, []))
    term = Question(lambda index, name: index.by_name.get(name.lower()))
    trail = Question(_trail)
    uses = Question(lambda index, name: index.uses.get(name, []))


# The kinds of questions, and the functions that answer them from nothing but the index.
ANSWERS: Mapping[str, Callable[[SiteIndex, str], Any]] = {
    kind: one.answer for kind, one in vars(SiteView).items() if isinstance(one, Question)
}


def index_digest(index: SiteIndex) -> bytes:
    """The digest of all that an index holds, in its order."""
    held = {one.name: getattr(index, one.name) for one in fields(index)}
    held["data"] = {name: known.summary for name, known in index.data.items()}
    plain = [sorted(part) if isinstance(part, frozenset) else part for part in held.values()]
    return digest(msgspec.msgpack.encode(plain))
