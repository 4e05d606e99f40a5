"""Parsed pages on their way from reading to filling: parsed now or before, and laid aside until all are there."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import SpooledTemporaryFile

from loom.build.executor import Crew
from loom.build.page_cache import BATCH, PageCache, page_key
from loom.build.work import Filled, Parsed, fill_pages, fill_there, pack_world, parse_there, unpacked
from loom.content.blocks import Page
from loom.errors import Problem
from loom.model import Source
from loom.render.context import Layout
from loom.site.page_info import Face

Say = Callable[[str], None]
LIGHT = 16_000_000  # bytes of pages beyond which they are laid aside on the disk


class Stock:
    """The parsed pages of a build."""

    def __init__(self, folder: Path | None) -> None:
        self.cache = PageCache(folder) if folder else None
        self.keys: dict[str, bytes] = {}
        self._shelf = SpooledTemporaryFile(LIGHT)  # noqa: SIM115 - closed when the stock goes
        self._places: dict[str, tuple[int, int]] = {}
        weakref.finalize(self, self._shelf.close)

    def parse(self, sources: Sequence[Source], crew: Crew, say: Say) -> tuple[dict[str, Face], list[Problem]]:
        """The faces of all pages, and what is wrong with their texts."""
        faces: dict[str, Face] = {}
        problems: dict[str, Sequence[Problem]] = {}

        def take(pages: Iterable[Parsed], word: str) -> None:
            for one in pages:
                faces[one.face.id], problems[one.face.id] = one.face, one.problems
                self._lay(one.face.id, one.packed)
                say(f"{word} {one.face.id}")

        if self.cache:
            self.keys = {source.id: page_key(source) for source in sources}
            take(self.cache.each(list(self.keys.values())), "known")
        missing = [source for source in sources if source.id not in faces]
        parsed = crew.spread(parse_there, missing, len(missing))
        take(self._kept(parsed, self.cache) if self.cache else parsed, "read")
        names = [source.id for source in sources]
        return {name: faces[name] for name in names}, [problem for name in names for problem in problems[name]]

    def page(self, page_id: str) -> Page:
        """A parsed page, whole."""
        return unpacked(self._packed(page_id))

    def fill(self, names: Sequence[str], layout: Layout, crew: Crew) -> Iterator[Filled]:
        """Some plain pages, woven and rendered."""
        packed = map(self._packed, names)
        if crew.worth(len(names)):
            yield from crew.spread(fill_there, packed, len(names), pack_world(layout))
        else:
            yield from crew.spread(fill_pages, packed, len(names), layout)

    def _kept(self, parsed: Iterable[Parsed], cache: PageCache) -> Iterator[Parsed]:
        """Each page as it comes; those without mistakes are filed."""
        fresh: list[tuple[bytes, Parsed]] = []
        for one in parsed:
            if not one.problems:
                fresh.append((self.keys[one.face.id], one))
            yield one
            if len(fresh) == BATCH:
                cache.keep(fresh)
                fresh.clear()
        if fresh:
            cache.keep(fresh)

    def _lay(self, name: str, packed: bytes) -> None:
        self._places[name] = self._shelf.tell(), len(packed)
        self._shelf.write(packed)

    def _packed(self, name: str) -> bytes:
        start, size = self._places[name]
        self._shelf.seek(start)
        return self._shelf.read(size)
