"""Everything that a deployed site needs beside its pages. It depends on their faces only, never on their text."""

from __future__ import annotations

from loom.deploy.feed import feed
from loom.deploy.headers import headers_file
from loom.deploy.llms import llms
from loom.deploy.missing import missing_page
from loom.deploy.sitemap import sitemap
from loom.deploy.webmanifest import webmanifest
from loom.layout import Layout
from loom.model import Output


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
