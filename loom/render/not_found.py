"""The page that a host shows where there is none."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import quote

from loom.model import Output
from loom.render.context import RenderContext
from loom.render.templates import common, fill
from loom.site.view import SiteView


def not_found_page(context: RenderContext) -> Output:
    """`404.html`. A host serves it at any depth, so all its addresses begin at the server's root."""
    values = {
        **common(context.index.config, context.assets, ""),
        "to": lambda target: context.base + quote(target),
        "navigation": SiteView(context.index).navigation,
        "indexed": False,
        "search": context.search,
    }
    return {PurePosixPath("404.html"): fill(context.jinja, "404.html", values)}
