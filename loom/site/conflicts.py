"""Where pages come to lie: no two in one place, and none where the site has a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from loom.addresses import MARKDOWN
from loom.errors import Problem
from loom.model import Config
from loom.site.page_info import Face

# Files that the site has or may have beside its pages.
MADE = ("404.html", "_headers", "feed.xml", "llms.txt", "robots.txt", "site.webmanifest", "sitemap.xml")


def shared_addresses(faces: Iterable[Face], config: Config) -> Iterator[Problem]:
    """Pages that would be written to the same place."""
    first: dict[str, Face] = {}
    for face in faces:
        other = first.setdefault(face.url(config).casefold(), face)
        if other is not face:
            same = other.url(config) == face.url(config)
            but = "" if same else " but for capitals, which not every host tells apart"
            message = f"this page has the address of {other.path}{but}"
            yield Problem(face.path, 0, 0, message, "rename one of them", "address")


def taken_folders(faces: Iterable[Face], config: Config, files: Iterable[PurePosixPath | str]) -> Iterator[Problem]:
    """Pages whose folder would have the name of a file: a page's, its Markdown's, or another one of the site."""
    places = {face.id: face.file(config) for face in faces}
    taken = {
        *map(PurePosixPath, [*MADE, *files]),
        *places.values(),
        *(place.with_name(MARKDOWN) for place in places.values()),
    }
    for face in faces:
        if folder := next((one for one in places[face.id].parents if one in taken), None):
            message = f"this page's folder would be '{folder}', and the site has a file of that name"
            yield Problem(face.path, 0, 0, message, "rename one of them", "address")
