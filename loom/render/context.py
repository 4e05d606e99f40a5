"""What is the same for every page: the templates, everything known of the site, and how pages point to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import jinja2

from loom.model import POLICY, SEARCH_POLICY, Meta, Reference
from loom.options import Templates
from loom.render.assets import Assets
from loom.render.feed import dated
from loom.render.rasterize import Easel
from loom.render.templates import environment
from loom.site.index import Web

NAVIGATION = 12  # pages in the navigation: more of them are no help, and each page would carry them all


@dataclass(frozen=True)
class Entry:
    """A page as others point to it."""

    id: str
    title: str
    short: str
    url: str


@dataclass(frozen=True)
class Layout:
    """`base` is where the site lies on its host."""

    templates: Templates
    web: Web
    assets: Assets
    easel: Easel | None = None  # to draw social cards with
    base: str = "/"
    search: bool = False  # whether there is a page to search on

    @property
    def jinja(self) -> jinja2.Environment:
        return environment(self.templates)

    @property
    def policy(self) -> str:
        """The least strict policy of any page, which the headers can't be stricter than."""
        return SEARCH_POLICY if self.search else POLICY

    def entry(self, page_id: str) -> Entry:
        """How others call a page."""
        face = self.web.faces[page_id]
        return Entry(page_id, face.title, face.short, self.web.url(page_id))

    @cached_property
    def journey(self) -> Sequence[str]:
        """The pages in their order, for previous and next."""
        return [one.id for one in self.web.faces.values() if one.meta.listed]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where in the journey each page is."""
        return {name: place for place, name in enumerate(self.journey)}

    @cached_property
    def navigation(self) -> Sequence[Entry]:
        """All pages; of many, those whose author gave them a place."""
        names = self.journey
        if len(names) > NAVIGATION:
            names = [name for name in names if self.web.faces[name].meta.order != Meta.order][:NAVIGATION]
        return [self.entry(name) for name in names]

    @cached_property
    def lists(self) -> Mapping[str, str]:
        """Where the generated lists are."""
        kinds = ("references", "glossary")
        return {kind: self.web.url(page) for kind in kinds if (page := self.web.listing(kind))}

    @cached_property
    def feed(self) -> bool:
        """Whether there is a feed to point to."""
        return bool(dated(self.web))

    @cached_property
    def areas(self) -> list[tuple[str, list[Reference]]]:
        """The references by subject."""
        ordered = sorted(self.web.site.references.values(), key=lambda one: (one.area, one.year, one.title))
        return [(area, list(group)) for area, group in groupby(ordered, key=lambda one: one.area)]

    def beside(self, page_id: str, step: int) -> Entry | None:
        """The page before or after this one."""
        place = self.places.get(page_id, -2) + step
        return self.entry(self.journey[place]) if 0 <= place < len(self.journey) else None
