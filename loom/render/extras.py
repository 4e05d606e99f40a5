"""Generated files beside the pages: 404, sitemap, robots.txt, llms.txt, feed, manifest, headers."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from urllib.parse import quote
from xml.etree import ElementTree

from loom.addresses import MARKDOWN
from loom.model import Config, Output
from loom.render.context import RenderContext
from loom.render.feed import feed, xml
from loom.render.headers import headers_file
from loom.render.templates import common, fill
from loom.site.index import SiteIndex

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
ICON = PurePosixPath("favicon.svg")


def extras(context: RenderContext) -> Output:
    """The generated files, without those that the author provides in `static/` or `content/`."""
    index, files = context.index, context.assets.output
    made = {
        **_not_found_page(context),
        **sitemap(index),
        **feed(index),
        **llms(index),
        **webmanifest(index.config, files),
        **headers_file(context.base, files | context.on_demand, context.policy),
    }
    return {path: raw for path, raw in made.items() if path not in files and str(path) not in index.files}


def _not_found_page(context: RenderContext) -> Output:
    """`404.html`. A host serves it at any path, so all its addresses are absolute."""
    values = {
        **common(context.index.config, context.assets, ""),
        "to": lambda target: context.base + quote(target),
        "navigation": context.index.navigation,
        "indexed": False,
        "search": context.search,
    }
    return {PurePosixPath("404.html"): fill(context.jinja, "404.html", values)}


def sitemap(index: SiteIndex) -> Output:
    """A robots.txt that allows everything, and a sitemap if the site has a `url:`."""
    base = index.config.url
    robots = "User-agent: *\nAllow: /\n"
    if not base:
        return {PurePosixPath("robots.txt"): robots.encode()}
    root = ElementTree.Element("urlset", {"xmlns": SITEMAP})
    for info in index.infos.values():
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = base + index.url(info.id)
        if info.meta.date:
            ElementTree.SubElement(entry, "lastmod").text = str(info.meta.date)
    robots += f"\nSitemap: {base}sitemap.xml\n"
    return {PurePosixPath("sitemap.xml"): xml(root), PurePosixPath("robots.txt"): robots.encode()}


def llms(index: SiteIndex) -> Output:
    """Title, tagline, and every page with its summary. See https://llmstxt.org."""
    config = index.config
    head = [f"# {config.title}", *([f"> {config.tagline}"] if config.tagline else []), "## Pages"]
    pages = []
    for info in index.infos.values():
        about = f": {' '.join(info.meta.summary.split())}" if info.meta.summary else ""
        title = info.title.replace("[", "\\[").replace("]", "\\]")
        pages.append(f"- [{title}]({config.url}{index.url(info.id)}{MARKDOWN}){about}")
    return {PurePosixPath("llms.txt"): ("\n\n".join([*head, "\n".join(pages)]) + "\n").encode()}


def webmanifest(config: Config, files: Output) -> Output:
    """Name, language and icon; all addresses are relative to the manifest."""
    icons = [{"src": str(ICON), "type": "image/svg+xml", "sizes": "any"}]
    manifest = {"name": config.title, "description": config.tagline, "lang": config.language, "start_url": "./",
            "scope": "./", "display": "minimal-ui", "icons": icons if ICON in files else []}  # fmt: skip
    text = json.dumps({name: value for name, value in manifest.items() if value}, ensure_ascii=False, indent=1)
    return {PurePosixPath("site.webmanifest"): f"{text}\n".encode()}
