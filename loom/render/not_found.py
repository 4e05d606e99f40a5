"""The page that a host shows where there is none."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import quote

from loom.model import Output
from loom.render.context import Layout
from loom.render.templates import common, fill


def missing_page(layout: Layout) -> Output:
    """`404.html`. A host serves it at any depth, so all its addresses begin at the server's root."""
    values = {
        **common(layout.web.site, layout.assets, ""),
        "to": lambda target: layout.base + quote(target),
        "navigation": layout.navigation,
        "indexed": False,
        "search": layout.search,
    }
    return {PurePosixPath("404.html"): fill(layout.jinja, "404.html", values)}
