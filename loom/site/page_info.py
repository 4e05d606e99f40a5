"""A summary of a page for the rest of the site: small enough to hold thousands of them in memory."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

import msgspec

from loom.addresses import names_state, page_file, page_url
from loom.claims import numeric_claims
from loom.content.blocks import Embed, Listing, Page, Predict, QuickCheck
from loom.content.placeholders import CiteRef, ImageRef, LinkRef, MathRef, TermRef, ValueRef
from loom.model import Config, Meta
from loom.scenes.parameters import pairs_of
from loom.site.formulas import equation_anchor

IDS = re.compile(r' id="([^"]+)"')  # in prose: headings, footnotes, figures, and ids in an author's HTML


class Citation(msgspec.Struct, frozen=True, array_like=True):
    """A place of a page that cites a source.

    `claim` is the sentence that cites it, in `section`. `role` is the kind of support (empty: chosen by whether the
    sentence has a figure), and `place` a place in the source.
    """

    reference: str
    anchor: str
    role: str
    claim: str
    section: str
    place: str


class StateLink(msgspec.Struct, frozen=True, array_like=True):
    """A link to a state of a scene, or a quoted value of one: with a link's address, or with the value's parameters."""

    href: str = ""
    scene: str = ""
    pins: tuple[tuple[str, str], ...] = ()


class PageInfo(msgspec.Struct, frozen=True):
    """A page's anchors and titles, to which others link, and its own references to others."""

    id: str
    path: str
    meta: Meta
    title: str
    anchors: tuple[str, ...]  # all ids on the page, sorted
    embeds: dict[str, Embed]  # the scenes that it shows, by their names on the page, in order
    scenes: tuple[str, ...]  # the scenes that it shows, quotes, or links to a state of, sorted
    lists: tuple[str, ...]  # the generated lists that it holds
    cites: tuple[Citation | str, ...]  # citations and the names of embedded scenes, in reading order
    uses: tuple[str, ...]  # names of terms in lower case, each once
    states: tuple[StateLink, ...]
    stills: tuple[Embed, ...] = ()  # the states of which it has small pictures

    @property
    def short(self) -> str:
        """The name in the navigation."""
        return self.meta.nav or self.title

    @property
    def file_name(self) -> str:
        """The file that it was read from, below `content/`."""
        return self.path.removeprefix("content/")

    def url(self, config: Config) -> str:
        """Its address below the site's root."""
        return page_url(self.id, config.home)

    def file(self, config: Config) -> PurePosixPath:
        """The file that a host serves for it."""
        return page_file(self.url(config))


def cite_anchor(reference: str, number: int) -> str:
    """The anchor of a page's nth citation of a source."""
    return f"cite-{reference}-{number}"


def cite_role(given: str, claim: str, units: Sequence[str]) -> str:
    """The kind of support of a citation: the given one, or (empty) by whether the sentence has a figure."""
    return given or ("figure" if numeric_claims(claim, units) else "method")


def section(page: Page, line: int, level: int = 9) -> str:
    """The last heading above a line, of this level or a higher one."""
    above = [one.text for one in page.headings if one.line <= line and one.level <= level]
    return above[-1] if above else ""


def address(part: LinkRef | ImageRef) -> str:
    """The address of a link or a picture."""
    return part.href if isinstance(part, LinkRef) else part.src


def page_info(page: Page) -> PageInfo:
    """The summary of a parsed page."""
    embeds = page.embeds
    anchors = {heading.id for heading in page.headings} | set(embeds)
    scenes, states, counts = {embed.scene for embed in embeds.values()}, dict[StateLink, None](), Counter[str]()
    cites: list[Citation | str] = []
    stills: list[Embed] = []
    uses: dict[str, None] = {}
    anchors |= {block.id for block in page.blocks if isinstance(block, (QuickCheck, Predict))}
    for part in page.parts():
        if isinstance(part, str):
            anchors.update(IDS.findall(part))
        elif isinstance(part, Embed):
            cites.append(part.name)
        elif isinstance(part, MathRef) and part.label:
            anchors.add(equation_anchor(part.label))
        elif isinstance(part, TermRef):
            uses[part.target.lower()] = None
        elif isinstance(part, CiteRef):
            under = section(page, part.line)
            for reference, place in part.items:
                counts[reference] += 1
                anchor = cite_anchor(reference, counts[reference])
                cites.append(Citation(reference, anchor, part.role, part.claim, under, place))
        elif isinstance(part, ValueRef):
            scenes.add(part.scene)
            if part.pins:
                states[StateLink(scene=part.scene, pins=tuple(part.pins.items()))] = None
        elif isinstance(part, (LinkRef, ImageRef)) and names_state(href := address(part)):
            name, _, query = href.partition("#")[2].partition("?")
            scene = embeds[name].scene if name in embeds else name
            scenes.add(scene)
            states[StateLink(href)] = None
            if isinstance(part, ImageRef):
                stills.append(Embed(scene, {key: (text, part.line) for key, text in pairs_of(query)}, part.line))
    lists = tuple(sorted({block.kind for block in page.blocks if isinstance(block, Listing)}))
    return PageInfo(
        page.id, page.source.path, page.source.meta, page.title, tuple(sorted(anchors)), embeds,
        tuple(sorted(scenes)), lists, tuple(cites), tuple(uses), tuple(states), tuple(stills),
    )  # fmt: skip


def embedded_scenes(infos: Iterable[PageInfo]) -> dict[str, set[str]]:
    """The scenes that pages show, by the names under which they do: their own, or one that `:as:` gives them."""
    found = defaultdict[str, set[str]](set)
    for info in infos:
        for name, embed in info.embeds.items():
            found[name].add(embed.scene)
    return dict(found)
