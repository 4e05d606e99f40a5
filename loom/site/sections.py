"""The pages of a large site as a tree of folders: their reading order, and the sidebar of each page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from math import isqrt

import msgspec

from loom.addresses import page_url
from loom.site.page_info import PageInfo

FEW = 12  # pages that fit into the navigation in the page header; a site with more has a sidebar
MANY = 200  # entries of a folder that a sidebar shows one by one; of more it shows those near the page, and ranges


class Item(msgspec.Struct, frozen=True, array_like=True):
    """An entry of a sidebar: a page, or a folder with the page that it links to; and the entries below it.

    `own` is whether that page is the entry's own, and not the first page of a folder without one.
    """

    title: str
    url: str
    own: bool
    below: tuple[Item, ...] = ()


@dataclass
class Section:
    """A folder: its own page, if it has one, and its contents. It must not change once its order has been read."""

    name: str
    home: str  # the home page of the site
    page: PageInfo | None = None
    inner: dict[str, Section] = field(default_factory=dict)

    @cached_property
    def place(self) -> tuple[int, str]:
        """Its sorting key. A folder without a page sorts by the first of its pages."""
        if self.page:
            return self.page.meta.order, self.page.id.removesuffix("/index")
        first = min((one.place for one in self.inner.values()), default=(0, ""))
        return first[0], self.name

    @cached_property
    def sorted(self) -> Sequence[Section]:
        """Its contents in order."""
        return sorted(self.inner.values(), key=lambda one: one.place)

    @property
    def title(self) -> str:
        """The title of its page, or the name of its folder."""
        return self.page.short if self.page else self.name.rpartition("/")[2].replace("-", " ").capitalize()

    @cached_property
    def lead(self) -> PageInfo:
        """The page that it links to: its own, or the first page in it."""
        return next(self.pages())

    @cached_property
    def item(self) -> Item:
        """Its collapsed entry, for the sidebars of pages outside it."""
        return Item(self.title, page_url(self.lead.id, self.home), self.page is not None)

    @cached_property
    def ranges(self) -> Sequence[Range]:
        """Its contents cut into ranges: one if a sidebar can show all of them, else about as many as each has entries.

        Without them, each of thousands of pages in one folder would have links to all others.
        """
        count = len(self.sorted)
        parts = isqrt(count) if count > MANY else 1
        cuts = [count * at // parts for at in range(parts + 1)]
        return [Range(self.sorted[start:end]) for start, end in pairwise(cuts)]

    def pages(self) -> Iterator[PageInfo]:
        """Its pages, its own first."""
        if self.page:
            yield self.page
        for one in self.sorted:
            yield from one.pages()


class Range:
    """Neighbouring entries of a folder, which a sidebar shows as one link unless the page is among them."""

    def __init__(self, entries: Sequence[Section]) -> None:
        self.entries, self.names = entries, {one.name for one in entries}

    @cached_property
    def item(self) -> Item:
        """The link to its first entry, from the title of that to the title of the last."""
        first, last = self.entries[0].item, self.entries[-1].item
        return Item(f"{first.title} – {last.title}", first.url, False)


def is_large(infos: Iterable[PageInfo]) -> bool:
    """Whether a site has more listed pages than fit into the page header."""
    return sum(info.meta.listed for info in infos) > FEW


def tree_of(infos: Iterable[PageInfo], home: str) -> Section:
    """All listed pages as a tree of folders, with the home page at its root."""
    root = Section("", home)
    for info in infos:
        if not info.meta.listed:
            continue
        at = root
        for name in _places(info.id, home):
            at = at.inner.setdefault(name, Section(name, home))
        at.page = info
    return root


def _places(page: str, home: str) -> Iterator[str]:
    """The names of the folders above a page, from the top down, and that of the page; none for the home page."""
    parts = [] if page == home else page.removesuffix("/index").split("/")
    return accumulate(parts, "{}/{}".format)


def in_order(infos: Mapping[str, PageInfo], home: str) -> dict[str, PageInfo]:
    """The pages in reading order: of a large site, folder by folder."""
    if not is_large(infos.values()):
        return dict(infos)
    first = {info.id: info for info in tree_of(infos.values(), home).pages()}
    return {**first, **infos}


def path_to(root: Section, page: str) -> list[Section]:
    """The folders from the top down to a page, and the page itself if it is listed."""
    found, at = [], root
    for name in _places(page, root.home):
        if name not in at.inner:
            break
        at = at.inner[name]
        found.append(at)
    return found


def sidebar(root: Section, path: Sequence[Section]) -> tuple[Item, ...]:
    """The top entries; each folder on the path to a page is expanded, and so is the range of a folder that it is in."""
    found: list[Item] = []
    for part in root.ranges:
        if len(root.ranges) > 1 and not (path and path[0].name in part.names):
            found.append(part.item)
        else:
            found += [_open(one, path[1:]) if path and one is path[0] else one.item for one in part.entries]
    return tuple(found)


def _open(section: Section, path: Sequence[Section]) -> Item:
    """The expanded entry of a folder on the path to a page, or of that page."""
    return msgspec.structs.replace(section.item, below=sidebar(section, path))
