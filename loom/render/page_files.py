"""All that one page is: its HTML, its text as Markdown, its social card, and what its scenes fetch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from loom.addresses import relative
from loom.model import Output
from loom.render.assets import fingerprint
from loom.render.cards import card
from loom.render.context import Layout
from loom.render.figure import Figure, figure, table_csv
from loom.render.markdown_export import page_markdown
from loom.render.page import render_page
from loom.scenes.results import SceneData
from loom.site.index import Backlinks, Woven


def page_files(layout: Layout, woven: Woven, links: Backlinks | None = None) -> Output:
    """The files that are made anew when the page is. `links` may be missing for a plain page."""
    web, page = layout.web, woven.page
    figures: dict[str, Figure] = {}
    output: Output = {}
    for name, embed in page.embeds.items():
        data = web.data[name]
        folder = data_folder(data)
        here = relative(web.url(page.id), folder)
        figures[name] = figure(web.founds[name], embed, data, page.source.path, here)
        output |= {PurePosixPath(folder) / file: raw for file, raw in data.files.items()}
        output[PurePosixPath(folder) / figures[name].csv] = table_csv(figures[name].variant)
    return output | painted(layout, woven, links, figures) | page_markdown(layout, page, figures)


def painted(layout: Layout, woven: Woven, links: Backlinks | None, figures: Mapping[str, Figure]) -> Output:
    """The files that templates make: the page's HTML and its card."""
    drawn = card(layout, woven.page, next(iter(figures.values()), None))
    return render_page(layout, woven, links, figures, next(iter(drawn), None)) | drawn


def data_folder(data: SceneData) -> str:
    """Where a scene's files lie in the site."""
    return f"assets/data/{data.id}.{fingerprint(data.files)}/"
