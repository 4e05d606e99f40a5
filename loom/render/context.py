"""The data that all pages are rendered with: the index of the site, its assets, its base path."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import jinja2
import msgspec

from loom.model import Output
from loom.render.assets import Assets
from loom.render.feed import dated
from loom.render.headers import CSP, SEARCH_CSP
from loom.render.rasterize import CardTools
from loom.render.templates import environment
from loom.render.words import ENGLISH, Words
from loom.site.index import SiteIndex
from loom.site.view import SiteView


class Frame(msgspec.Struct, frozen=True):
    """The links in the head of every page: the dependency of a page on assets and on the site's features."""

    style: str
    scale: tuple[str, ...]
    player: str
    fonts: tuple[str, ...]
    feed: bool
    search: bool
    framed: tuple[str, ...]  # assets of the pages of single scenes
    cards: str  # a digest of the fonts and colours of cards; empty: there are none


@dataclass(frozen=True)
class RenderContext:
    """`base` is the site's path on its host, `search` whether it has a search page, `words` are the translations."""

    index: SiteIndex
    templates: tuple[Path, ...]
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
        """The content security policy for headers: that of the search page if there is one, else that of all pages."""
        return SEARCH_CSP if self.search else CSP

    @property
    def on_demand(self) -> Output:
        """The scripts and styles of the search page, of single scenes and of colour scales, if the site has such."""
        scaled = any(known.summary.scaled for known in self.index.data.values())
        return {
            **(self.assets.finder if self.search else {}),
            **(self.assets.framed if self.index.config.embeds else {}),
            **(self.assets.scale if scaled else {}),
        }

    @cached_property
    def frame(self) -> Frame:
        """See `Frame`."""
        assets, cards = self.assets, self.card_tools.digest if self.card_tools else ""
        framed, scale = (tuple(map(str, files)) for files in (assets.framed, assets.scale))
        feed = bool(dated(self.index))
        return Frame(assets.style, scale, assets.player, assets.fonts, feed, self.search, framed, cards)


class PageContext:
    """The context for one page, which records its dependencies, see loom.site.view; `shared` is that of all pages."""

    def __init__(self, context: RenderContext) -> None:
        self.shared, self.jinja = context, context.jinja
        self.site = SiteView(context.index)

    @property
    def frame(self) -> Frame:
        """See `RenderContext.frame`."""
        self.site.reads["frame", ""] = None
        return self.shared.frame

    @property
    def reads(self) -> list[tuple[str, str]]:
        """Every question that was asked for the page, as its dependencies."""
        return [*self.site.reads, ("templates", "")]
