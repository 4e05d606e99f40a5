"""Everything that a deployed site needs beside its pages: what it says follows from the index alone, not from texts."""

from __future__ import annotations

from loom.model import Output
from loom.render.context import RenderContext
from loom.render.feed import feed
from loom.render.headers import headers_file
from loom.render.llms import llms
from loom.render.not_found import not_found_page
from loom.render.sitemap import sitemap
from loom.render.webmanifest import webmanifest


def extras(context: RenderContext) -> Output:
    """The files, but for those that the author has made: a `robots.txt` in `static/` or `content/` is the site's."""
    index, files = context.index, context.assets.output
    made = {
        **not_found_page(context),
        **sitemap(index),
        **feed(index),
        **llms(index),
        **webmanifest(index.config, files),
        **headers_file(context.base, files | context.assets.finder if context.search else files, context.policy),
    }
    return {path: raw for path, raw in made.items() if path not in files and str(path) not in index.files}
