"""What search engines ask for: the list of all pages, and where it is."""

from __future__ import annotations

from pathlib import PurePosixPath
from xml.etree import ElementTree

from loom.model import Output
from loom.render.feed import xml
from loom.site.index import SiteIndex

SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(index: SiteIndex) -> Output:
    """Every page's address, if the site has one, and a robots.txt that shuts nobody out."""
    base = index.config.url
    robots = "User-agent: *\nAllow: /\n"
    if not base:
        return {PurePosixPath("robots.txt"): robots.encode()}
    root = ElementTree.Element("urlset", {"xmlns": SCHEMA})
    for info in index.infos.values():
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = base + index.url(info.id)
        if info.meta.date:
            ElementTree.SubElement(entry, "lastmod").text = str(info.meta.date)
    robots += f"\nSitemap: {base}sitemap.xml\n"
    return {PurePosixPath("sitemap.xml"): xml(root), PurePosixPath("robots.txt"): robots.encode()}
