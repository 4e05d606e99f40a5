"""Pages of one scene each, light enough to stand in a frame on another site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from loom.addresses import page_file, relative, scene_url
from loom.model import Output
from loom.render.context import PageContext
from loom.render.scene_figure import SceneFigure
from loom.render.templates import common, fill


def scene_pages(context: PageContext, page: str, figures: Mapping[str, SceneFigure]) -> Output:
    """The pages of those of a page's scenes that no other page shows before, opening as they do there."""
    site, frame = context.site, context.frame
    output: Output = {}
    for name, figure in figures.items() if site.config.embeds else ():
        known = site.scene(name)
        if known and site.home(name) == page:
            here = scene_url(name)
            output[page_file(here)] = fill(context.jinja, "embed.html", {
                **common(site.config, context.context.assets, here),
                "figure": replace(figure, folder=relative(here, known.summary.folder)),
                "home": site.entry(page),
                "site": site,
                "framed": frame.framed,
                "indexed": False,
            })  # fmt: skip
    return output
