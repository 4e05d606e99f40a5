"""Addresses of pages and files, always relative, so that a site works below any path and from a folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

FULL = re.compile(r"https?://[^\s/?#]+\S*\Z")
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
ALLOWED = ("http", "https", "mailto")  # schemes of links that leave the site
FOLDER_PAGES = ("_index", "readme")  # what Hugo and GitHub call the page of a folder, besides index.md
MARKDOWN = "index.md"  # a page in Markdown, beside the page
SEARCH, FINDER, INDEX = "search/", "assets/finder.", "pagefind/"  # the search page, its scripts and styles, its index
SCENES, FRAMED = "scenes/", "assets/framed."  # pages of one scene alone, and their scripts and styles
GALLERY = "assets/gallery."  # the style sheet of the gallery
SCALE = "assets/scale."  # the style sheet of the colour scales
FILTER = "assets/player.*/filter.js"  # the script of long lists


def page_url(page_id: str, home: str) -> str:
    """The address of a page below the site's root: "" for the home page, "attention/" for another."""
    if page_id == home:
        return ""
    return f"{page_id.removesuffix('/index') if page_id != 'index' else 'index'}/"


def page_file(url: str) -> PurePosixPath:
    """The file that a static host serves for a page's address."""
    return PurePosixPath(page_path(url))


def page_path(url: str) -> str:
    """The same as a string: for thousands of pages, path objects are slow."""
    return f"{url}index.html"


def scene_url(name: str) -> str:
    """The address of a scene alone, which other sites may frame."""
    return f"{SCENES}{name}/"


def is_on_demand(path: PurePosixPath) -> bool:
    """Whether a file is fetched only for a search, beside a long list, on a single scene's page, or in the gallery."""
    return str(path).startswith((FINDER, INDEX, FRAMED, GALLERY)) or path.match(FILTER)


def base_path(given: str, url: str = "") -> str:
    """Where the site lies on its host, with a slash at both ends: as it is given, or else by its address."""
    parts = (given or urlsplit(url).path).split("/")
    return "/".join(["", *(part for part in parts if part), ""])


def is_address(text: str) -> bool:
    """Whether a text is a complete http(s) address."""
    try:
        return bool(FULL.match(text) and urlsplit(text).hostname)
    except ValueError:  # brackets, or characters that no host name has
        return False


def relative(start: str, target: str) -> str:
    """The relative address of `target` on a page at `start`."""
    if not start.endswith("/") or target.startswith(start):
        return _relative(start, target)
    return _beside(start[: start.rfind("/", 0, -1) + 1], target)


@lru_cache(8192)  # neighbouring pages of a large site link to the same hundred others
def _beside(folder: str, target: str) -> str:
    """The relative address on any page of a folder that the target does not lie below."""
    return "../" + _relative(folder, target).removeprefix("./")


def _relative(start: str, target: str) -> str:
    above, below = _parts(start), _parts(target)
    shared, most = 0, min(len(above), len(below)) - 1
    while shared < most and above[shared] == below[shared]:
        shared += 1
    return "../" * (len(above) - 1 - shared) + "/".join(below[shared:]) or "./"


@lru_cache(4096)
def _parts(address: str) -> tuple[str, ...]:
    return tuple(quote(address).split("/"))


@lru_cache(1024)  # a page's links are resolved twice: for its HTML and for its Markdown
def within(page_id: str, path: str) -> str:
    """A path on a page as a path in `content/`: relative to the page, or to the root if it begins with a slash."""
    folder = "" if path.startswith("/") else posixpath.dirname(page_id)
    return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))


def candidate_files(page_id: str, path: str) -> Iterator[str]:
    """The files that `path` may mean on a page: relative to the page's file, or, as in HTML, to its address."""
    yield within(page_id, path)
    if not path.startswith("/"):
        yield _below_address(page_id, path)


def _below_address(page_id: str, path: str) -> str:
    """A path relative to a page's address, which is a folder: that of 'a/b' is 'a/b/'."""
    return posixpath.normpath(posixpath.join(page_id.removesuffix("index"), path))


def candidate_pages(page_id: str, path: str, home: str) -> Iterator[str]:
    """The pages that `path` may mean on a page, the likeliest first: by their files, then by their addresses.

    It is absolute or relative to the page, and ends with '.md', '.html', a slash or none of these.
    """
    if path.endswith(".md"):
        named = within(page_id, path).removesuffix(".md")
        yield named
        folder, _, last = named.rpartition("/")
        if last.lower() in FOLDER_PAGES:  # the page of its folder, unless that has an index.md
            yield f"{folder}/index".lstrip("/")
        return
    bare = path.removesuffix("/").removesuffix(".html").removesuffix(".htm")
    places = [within(page_id, bare or "/")]
    if not path.startswith("/"):
        places.append(_below_address(page_id, bare))
    for place in places:
        if place in (".", "index"):
            yield home
        yield from (place, posixpath.normpath(f"{place}/index"), place.removesuffix("/index"))


def leaves_site(href: str) -> bool:
    """Whether an address leads to another site, or is none that a browser follows."""
    return bool(SCHEME.match(href)) or href.startswith("//")


def names_state(href: str) -> bool:
    """Whether an address within the site names a state of a scene: `#rope?angle=30`."""
    return "?" in href.partition("#")[2] and not leaves_site(href)


def decoded_href(href: str) -> str:
    """A link's address without its percent signs, as it was before Markdown encoded it.

    The values of a scene's state stay encoded until they are split: a '+' in one of them would become a space.
    """
    page, mark, anchor = href.partition("#")
    return unquote(page) + mark + (anchor if "?" in anchor else unquote(anchor))


def fragment(scene_id: str, pairs: list[tuple[str, str]]) -> str:
    """The part of an address behind '#' that names a state of a scene."""
    query = "&".join(f"{quote(name)}={quote(value)}" for name, value in pairs)
    return f"{scene_id}?{query}" if query else scene_id
