"""Parsed pages on their way from reading to filling: parsed now or before, held here or in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from loom.blocks import Page
from loom.crew import Crew
from loom.errors import Problem
from loom.face import Face
from loom.layout import Layout
from loom.model import Source
from loom.page_cache import PageCache, page_key
from loom.work import Filled, Parsed, fill_pages, fill_there, pack_world, parse_there, unpacked

Say = Callable[[str], None]


class Stock:
    """The parsed pages of a build. With a cache, those of a large site lie there and not in memory."""

    def __init__(self, folder: Path | None) -> None:
        self.cache = PageCache(folder) if folder else None
        self.keys: dict[str, bytes] = {}
        self._packed: dict[str, bytes] = {}

    def parse(self, sources: Sequence[Source], crew: Crew, say: Say) -> tuple[dict[str, Face], list[Problem]]:
        """The faces of all pages, and what is wrong with their texts."""
        if not self.cache:
            return self._faces(sources, {}, crew.spread(parse_there, sources), say)
        self.keys = {source.id: page_key(source) for source in sources}
        known = self.cache.recall(list(self.keys.values()))
        known_pages = {name: known[key] for name, key in self.keys.items() if key in known}
        for name in known_pages:
            say(f"known {name}")
        missing = [source for source in sources if source.id not in known_pages]
        return self._faces(sources, known_pages, self._kept(crew.spread(parse_there, missing)), say)

    def _kept(self, parsed: Iterator[Parsed]) -> Iterator[Parsed]:
        """Each page as it comes; those without mistakes are filed when all have come."""
        fresh = []
        for one in parsed:
            if not one.problems:
                fresh.append((self.keys[one.face.id], one))
            yield one
        if fresh and self.cache:
            self.cache.keep(fresh)

    def _faces(
        self, sources: Sequence[Source], known: dict[str, Parsed], fresh: Iterator[Parsed], say: Say
    ) -> tuple[dict[str, Face], list[Problem]]:
        pages = dict(known)
        for one in fresh:
            pages[one.face.id] = one
            say(f"read {one.face.id}")
        self._packed = {name: one.packed for name, one in pages.items()}
        ordered = [pages[source.id] for source in sources]
        return {one.face.id: one.face for one in ordered}, [problem for one in ordered for problem in one.problems]

    def page(self, page_id: str) -> Page:
        """A parsed page, whole."""
        return unpacked(self._packed[page_id])

    def fill(self, names: Sequence[str], layout: Layout, crew: Crew) -> Iterator[Filled]:
        """Some plain pages, woven and rendered."""
        packed = [self._packed[name] for name in names]
        if crew.worth(len(packed)):
            yield from crew.spread(fill_there, packed, pack_world(layout))
        else:
            yield from fill_pages(packed, layout)
