"""What the rest of the site sees of a page: small enough to hold for thousands of pages at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from loom.addresses import page_file, page_url
from loom.content.blocks import Check, Embed, LinkRef, Listing, Page, Predict, ValueRef
from loom.model import Config, Meta

FOOTNOTE = re.compile(r'id="(fn(?:ref)?[\w:-]+)"')


@dataclass(frozen=True)
class Face:
    """A page as others point to it."""

    id: str
    path: str
    meta: Meta
    title: str
    anchors: tuple[str, ...]  # everything on the page that has a name, sorted
    embeds: Mapping[str, Embed]  # the scenes that it shows, in order
    scenes: frozenset[str]  # those that it shows, quotes or links to a state of
    lists: frozenset[str]  # the generated lists that it holds

    @property
    def short(self) -> str:
        """The name in the navigation."""
        return self.meta.nav or self.title

    @property
    def plain(self) -> bool:
        """Whether the page can be filled without any scene, and without knowing what other pages lean on."""
        return not (self.scenes or self.lists)

    def url(self, config: Config) -> str:
        return page_url(self.id, config.home)

    def file(self, config: Config) -> PurePosixPath:
        return page_file(self.url(config))


def face(page: Page) -> Face:
    """Read a parsed page's face off it."""
    anchors = {heading.id for heading in page.headings} | set(page.embeds)
    scenes = set(page.embeds)
    for block in page.blocks:
        if isinstance(block, (Check, Predict)):
            anchors.add(block.id)
    for prose in page.proses():
        for part in prose.parts:
            if isinstance(part, str):
                anchors.update(FOOTNOTE.findall(part))
            elif isinstance(part, ValueRef):
                scenes.add(part.scene)
            elif isinstance(part, LinkRef) and "?" in part.href:
                scenes.add(part.href.partition("#")[2].partition("?")[0])
    lists = frozenset(block.kind for block in page.blocks if isinstance(block, Listing))
    source = page.source
    return Face(
        page.id, source.path, source.meta, page.title, tuple(sorted(anchors)), page.embeds, frozenset(scenes), lists
    )
