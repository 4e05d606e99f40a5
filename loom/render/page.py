"""Fill the template of a page: woven pages and figures to HTML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from loom.addresses import page_file
from loom.model import Output
from loom.render.context import Layout
from loom.render.figure import Figure
from loom.render.templates import common, fill
from loom.site.index import Backlinks, Woven


def render_page(
    layout: Layout, woven: Woven, links: Backlinks | None, figures: Mapping[str, Figure], card: PurePosixPath | None
) -> Output:
    """One page's HTML. `links` may be missing for a plain page."""
    web, page = layout.web, woven.page
    here = layout.entry(page.id)
    html = fill(layout.jinja, "page.html", {
        **common(web.site, layout.assets, here.url),
        "page": page,
        "here": here,
        "figures": figures,
        "woven": woven,
        "navigation": layout.navigation,
        "previous": layout.beside(page.id, -1),
        "next": layout.beside(page.id, +1),
        "contents": [heading for heading in page.headings if heading.level in (2, 3)],
        "areas": layout.areas,
        "lists": layout.lists,
        "reference_of": web.site.references.__getitem__,
        "terms": web.site.terms,
        "links": links,
        "page_of": layout.entry,
        "scenes": web.infos,
        "homes": web.homes,
        "card": card,
        "feed": layout.feed,
        "indexed": True,
        "search": layout.search,
    })  # fmt: skip
    return {page_file(here.url): html}
