"""What is the same for everything that is rendered: the index of the site, its assets, and where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import jinja2
import msgspec

from loom.model import Output
from loom.options import Templates
from loom.render.assets import Assets
from loom.render.feed import dated
from loom.render.headers import CSP, SEARCH_CSP
from loom.render.rasterize import CardTools
from loom.render.templates import environment
from loom.render.words import ENGLISH, Words
from loom.site.index import SiteIndex
from loom.site.view import SiteView


class Frame(msgspec.Struct, frozen=True):
    """What every page carries besides its own: which style sheet, player and fonts, and what it may point to."""

    style: str
    player: str
    fonts: tuple[str, ...]
    feed: bool
    search: bool
    framed: tuple[str, ...]  # of pages of a scene alone, which are made with the page that shows it
    cards: str  # what cards are drawn with, in short; empty: there are none


@dataclass(frozen=True)
class RenderContext:
    """`base` is where the site lies on its host, `search` whether it has a page to search on, `words` what is said."""

    index: SiteIndex
    templates: Templates
    assets: Assets
    base: str = "/"
    search: bool = False
    card_tools: CardTools | None = None
    words: Words = ENGLISH

    @property
    def jinja(self) -> jinja2.Environment:
        return environment(self.templates, self.words)

    @property
    def policy(self) -> str:
        """The least strict policy of any page, which the headers can't be stricter than."""
        return SEARCH_CSP if self.search else CSP

    @property
    def on_demand(self) -> Output:
        """Scripts and styles that only some pages need, if the site has such pages."""
        found = self.assets.finder if self.search else {}
        return {**found, **(self.assets.framed if self.index.config.embeds else {})}

    @cached_property
    def frame(self) -> Frame:
        """What every page shows of the assets and of what else there is."""
        assets, cards = self.assets, self.card_tools.digest if self.card_tools else ""
        framed = tuple(map(str, assets.framed))
        return Frame(assets.style, assets.player, assets.fonts, bool(dated(self.index)), self.search, framed, cards)


class PageContext:
    """The context as one page sees it, see loom.site.view."""

    def __init__(self, context: RenderContext) -> None:
        self.context, self.jinja = context, context.jinja
        self.site = SiteView(context.index)

    @property
    def frame(self) -> Frame:
        """See `RenderContext.frame`."""
        self.site.reads["frame", ""] = None
        return self.context.frame

    @property
    def reads(self) -> list[tuple[str, str]]:
        """Every question that was asked for the page."""
        return [*self.site.reads, ("templates", "")]
