"""Rules for links between finished pages: each has a target, and each page can be reached."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from loom.addresses import leaves_site
from loom.content.pictures import PICTURES
from loom.errors import NOTHING, Missing, Problem
from loom.hints import offered, suggest
from loom.lint.html_reader import Document, Element
from loom.render.player_settings import values_of
from loom.scenes.parameters import pairs_of

ADDRESSES = ("href", "src", "poster", "data", "action", "formaction", "xlink:href")
NAMED_ONLY = frozenset(["alternate", "author", "canonical", "license", "me"])  # rel values that browsers don't fetch
BACK = frozenset(["claims", "backlinks"])  # classes of generated lists that link back to citing pages
URL = re.compile(r"""(?:url\(\s*["']?|@import\s*["'])([^"'()]+)""")


@dataclass(frozen=True)
class Link:
    """An address in a page, and its element."""

    element: Element
    address: str


class LinkedPage:
    """The links, ids and scenes of a finished page."""

    def __init__(self, document: Document) -> None:
        self.path = document.path
        self.ids = {one.attributes["id"] for one in document.elements if "id" in one.attributes}
        self.links = list(_links(document))
        self.scenes = {one.get("data-scene"): one for one in document.elements if "data-scene" in one.attributes}

    @cached_property
    def grids(self) -> Mapping[str, Mapping[str, Collection[str]] | None]:
        """By scene, its parameters and their values; None if its settings can't be read."""
        return {name: _grid(one.get("data-config")) for name, one in self.scenes.items()}


Pages = Mapping[PurePosixPath, LinkedPage]


def link_problems(page: LinkedPage, pages: Pages, files: Collection[PurePosixPath], base: str = "/") -> list[Problem]:
    """The broken links of one page. `files` are all files that the site has, or would have without mistakes.

    `base` is the site's path on its host: links of `404.html` begin with it, because that is served at any path.
    """
    found = []
    for name, grid in page.grids.items():
        if grid is None:
            message = f"the settings of scene '{name}' can't be read"
            found.append(page.scenes[name].problem(page.path, "scene", message, "see 'data-config'"))
    for link in page.links:
        wrong = _wrong(link, PurePosixPath(page.path), pages, files, base)
        if wrong:
            found.append(link.element.problem(page.path, *wrong))
    return found


def style_problems(path: PurePosixPath, raw: bytes, files: Collection[PurePosixPath]) -> Iterator[Problem]:
    """Missing files that a style sheet refers to."""
    for address in URL.findall(raw.decode(errors="replace")):
        if not address.startswith(("data:", "#")) and _target(path, unquote(address)) not in files:
            message, hint = f"'{address}' leads nowhere", "there is no such file in the site"
            if address.startswith(("http:", "https:", "//")):
                message, hint = f"'{address}' lies on another site", "put it into static/: no request leaves the site"
            yield Problem(str(path), 0, 0, message, hint, "link", Missing(address))


def unreached(start: PurePosixPath, pages: Pages) -> set[PurePosixPath]:
    """The pages that can't be reached from the start by links in texts and navigation."""
    reached, ahead = {start}, [start]
    while ahead:
        path = ahead.pop()
        for link in pages[path].links:
            target = _target(path, unquote(urlsplit(link.address).path)) if _leads(link) else path
            if target in pages and target not in reached:
                reached.add(target)
                ahead.append(target)
    return set(pages) - reached


def _target(path: PurePosixPath, link: str) -> PurePosixPath:
    """The file that a link on a page refers to."""
    if not link:
        return path
    place = posixpath.normpath(posixpath.join(str(path.parent), link))
    return PurePosixPath(place) / "index.html" if link.endswith(("/", "..")) or link == "." else PurePosixPath(place)


def _links(document: Document) -> Iterator[Link]:
    for one in document.elements:
        for name in ADDRESSES:
            if name in one.attributes and not (name == "data" and one.tag != "object"):
                yield Link(one, one.attributes[name].strip())
        for part in one.get("srcset").split(","):
            if part.strip():
                yield Link(one, part.split()[0])


def _leads(link: Link) -> bool:
    """Whether a link counts for reachability: not previous and next, not links back from generated lists."""
    if link.element.tag != "a" or {"prev", "next"} & set(link.element.get("rel").split()):
        return False
    if leaves_site(link.address):
        return False
    return not any(BACK & set(one.get("class").split()) for one in link.element.around())


def _grid(config: str) -> Mapping[str, Collection[str]] | None:
    try:
        return {str(param["name"]): values_of(param) for param in json.loads(config)["params"]}
    except (ValueError, KeyError, TypeError):
        return None


class Flaw(NamedTuple):
    """What is wrong with a link."""

    rule: str
    message: str
    hint: str
    missing: Missing = NOTHING


def _wrong(link: Link, path: PurePosixPath, pages: Pages, files: Collection[PurePosixPath], base: str) -> Flaw | None:
    tag, address = link.element.tag, link.address
    try:
        parts = urlsplit(address)
        elsewhere = parts.scheme or parts.netloc
    except ValueError:
        return Flaw("link", f"'{address}' is no address", "mend it")
    if elsewhere:
        return _elsewhere(link.element, address, parts.scheme, parts.hostname or "")
    place = unquote(parts.path)
    below = unquote(base)
    if path.name == "404.html" and place.startswith(below):
        place = place.removeprefix(below) or "./"
    target = _target(path, place)
    if target not in files:
        kind = "image" if tag in ("img", "source", "image") else "link"
        return Flaw(kind, f"the link '{address}' leads nowhere", "there is no such file in the site")
    if tag == "img" and target.suffix.lower() not in PICTURES:
        hint = f"a picture is one of: {', '.join(sorted(PICTURES))}"
        return Flaw("image", f"'{address}' is not a picture", hint)
    fragment = address.partition("#")[2]
    return _place(pages[target], fragment, address) if fragment and target in pages else None


def _elsewhere(element: Element, address: str, scheme: str, host: str) -> Flaw | None:
    followed = element.tag == "a" or NAMED_ONLY & set(element.get("rel").lower().split())
    if followed and scheme in ("https", "http"):
        return None if host else Flaw("link", f"the address '{address}' has no host", "write https://host/…")
    if (followed and scheme == "mailto") or (scheme == "data" and element.tag != "a"):
        return None
    if followed and scheme:
        return Flaw("policy", f"'{scheme}:' is not a kind of link that a page may have", "use https:")
    return Flaw("policy", f"<{element.tag}> asks another site: '{address}'", "keep it in the site")


def _place(page: LinkedPage, fragment: str, address: str) -> Flaw | None:
    """The mistake in the fragment of a link, which is an anchor or the state of a scene."""
    name, question, query = fragment.partition("?")
    if name in page.scenes:
        grid = page.grids[name]
        return None if grid is None else _state(name, query, grid)
    if fragment in page.ids or unquote(fragment) in page.ids:
        return None
    if question:
        hint = suggest(name, page.scenes, "link to the page that shows the scene")
        message = f"the link '{address}' names a scene that is not there"
        return Flaw("state", message, hint, Missing(address, unquote(name)))
    hint = suggest(unquote(fragment), page.ids)
    message = f"the link '{address}' names a place that is not there"
    return Flaw("anchor", message, hint, Missing(address, unquote(fragment)))


def _state(name: str, query: str, grid: Mapping[str, Collection[str]]) -> Flaw | None:
    """The mistake in a state of a scene on the page. The number of steps is not known here."""
    for param, value in pairs_of(query):
        if param == "step":
            if not re.fullmatch(r"[1-9][0-9]*", value):
                return Flaw("state", f"the step '{value}' is not a number from 1", "steps are counted from 1")
        elif param not in grid:
            return Flaw("state", f"scene '{name}' has no parameter '{param}'", suggest(param, grid))
        elif value not in grid[param]:
            return Flaw("state", f"'{param}' can't be '{value}'", offered(value, [*grid[param]]))
    return None
