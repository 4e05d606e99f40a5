"""Everything that a deployed site needs beside its pages. It depends on their faces only, never on their text."""

from __future__ import annotations

from loom.model import Output
from loom.render.context import Layout
from loom.render.feed import feed
from loom.render.headers import headers_file
from loom.render.llms import llms
from loom.render.not_found import missing_page
from loom.render.sitemap import sitemap
from loom.render.webmanifest import webmanifest


def beside_pages(layout: Layout) -> Output:
    """The files, but for those that the author has made: a `robots.txt` in `static/` or `content/` is the site's."""
    web, files = layout.web, layout.assets.output
    made = {
        **missing_page(layout),
        **sitemap(web),
        **feed(web),
        **llms(web),
        **webmanifest(web.site.config, files),
        **headers_file(layout.base, files | layout.assets.finder if layout.search else files, layout.policy),
    }
    return {path: raw for path, raw in made.items() if path not in files and str(path) not in web.site.files}
