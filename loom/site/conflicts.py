"""Conflicts between addresses: two pages with one address, or a page where the site has something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import PurePosixPath

from loom.addresses import MARKDOWN, SEARCH, page_path
from loom.errors import Problem
from loom.model import Config
from loom.site.index import SiteIndex
from loom.site.page_info import PageInfo

# Generated files that a site may have.
MADE = ("404.html", "_headers", "feed.xml", "llms.txt", "robots.txt", "site.webmanifest", "sitemap.xml")


def shared_addresses(infos: Iterable[PageInfo], config: Config) -> Iterator[Problem]:
    """Pages with the same address, ignoring case."""
    first: dict[str, PageInfo] = {}
    for info in infos:
        other = first.setdefault(info.url(config).casefold(), info)
        if other is not info:
            same = other.url(config) == info.url(config)
            but = "" if same else " but for capitals, which not every host tells apart"
            message = f"this page has the address of {other.path}{but}"
            yield Problem(info.path, 0, 0, message, "rename one of them", "address")


def alike_files(files: Iterable[str]) -> Iterator[Problem]:
    """Files of `content/` whose paths differ by capitals alone: on some hosts one would be the other."""
    first: dict[str, str] = {}
    for name in sorted(files):
        if (other := first.setdefault(name.casefold(), name)) != name:
            message = f"this file has the path of content/{other} but for capitals, which not every host tells apart"
            yield Problem(f"content/{name}", 0, 0, message, "rename one of them", "address")


def taken_pages(index: SiteIndex, *, search: bool) -> Iterator[Problem]:
    """Pages with the address of a page that Loom makes, or of a file of `content/`."""
    for info in index.infos.values():
        file = info.file(index.config)
        if name := index.scene_pages.get(file):
            message = f"this page has the address of the scene '{name}' alone"
            yield Problem(info.path, 0, 0, message, "rename it, or do without 'embeds: true'", "address")
        if search and info.url(index.config) == SEARCH:
            message = "this page has the address of the search page"
            yield Problem(info.path, 0, 0, message, "rename it, or do without 'search: true'", "address")
        if str(file) in index.files:
            message = f"this file has the path of the page {info.path}"
            yield Problem(f"content/{file}", 0, 0, message, "rename one of them", "address")


def taken_folders(infos: Iterable[PageInfo], config: Config, files: Iterable[PurePosixPath | str]) -> Iterator[Problem]:
    """Pages whose folder would have the name of a file of the site."""
    urls = {info.path: info.url(config) for info in infos}
    taken = {*MADE, *map(str, files)}
    taken |= {f"{url}{name}" for url in urls.values() for name in (page_path(""), MARKDOWN)}
    for path, url in urls.items():
        folders = accumulate(url.split("/")[:-1], "{}/{}".format)
        if folder := next((one for one in reversed(list(folders)) if one in taken), None):
            message = f"this page's folder would be '{folder}', and the site has a file of that name"
            yield Problem(path, 0, 0, message, "rename one of them", "address")
