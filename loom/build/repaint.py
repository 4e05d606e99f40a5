"""Bring a finished site up to an edit of its templates: pages are rendered again, and nothing else is made."""

from __future__ import annotations

from collections.abc import Iterator

from loom.addresses import base_path
from loom.build.executor import Crew
from loom.build.page_cache import PageCache
from loom.build.patch import Memory
from loom.build.work import pack_world, paint_there
from loom.errors import report
from loom.model import Output
from loom.options import Options
from loom.render.context import Layout
from loom.render.extras import beside_pages
from loom.render.templates import environment
from loom.site.index import Web


def can_repaint(memory: Memory, options: Options) -> bool:
    """Whether the pages are plain, and in the cache, and nobody else looks at their HTML."""
    plain = all(face.plain for face in memory.faces.values())
    return plain and options.cache is not None and not (memory.search or options.gallery)


def repainted(memory: Memory, options: Options) -> Iterator[Output | None]:
    """The files that templates make, as they come; None at the end if a page is not in the cache any more.

    Raises LoomError with what is wrong with the templates.
    """
    assert options.cache
    environment.cache_clear()  # the templates have changed
    web = Web(memory.site, memory.faces, {}, memory.scenes)
    base = base_path(options.base, memory.site.config.url)
    layout = Layout(options.templates, web, memory.assets, memory.easel, base)
    keys = list(memory.keys.values())
    packed = (one.packed for one in PageCache(options.cache).each(keys))
    with Crew(options.jobs, options.executor) as crew:
        count = 0
        for one in crew.spread(paint_there, packed, len(keys), pack_world(layout)):
            report(one.problems)
            yield one.output
            count += 1
    yield beside_pages(layout) if count == len(keys) else None
