"""The pages that carry a date, as an Atom feed."""

from __future__ import annotations

from pathlib import PurePosixPath
from xml.etree import ElementTree

from loom.model import Output
from loom.site.index import SiteIndex
from loom.site.page_info import PageInfo

PATH = "feed.xml"
ATOM = "http://www.w3.org/2005/Atom"


def dated(index: SiteIndex) -> list[PageInfo]:
    """The pages of the feed, the latest first; none without `url:`, because a feed needs complete addresses."""
    infos = [info for info in index.infos.values() if index.config.url and info.meta.date]
    return sorted(infos, key=lambda info: (info.meta.date, info.id), reverse=True)


def feed(index: SiteIndex) -> Output:
    """The feed, if any page has a date. Ids are addresses, times are the dates of pages."""
    infos = dated(index)
    if not infos:
        return {}
    config = index.config
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": config.language})
    _texts(root, {"title": config.title, "subtitle": config.tagline, "id": config.url, "updated": _time(infos[0])})
    ElementTree.SubElement(root, "link", {"href": config.url})
    ElementTree.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": config.url + PATH})
    _texts(ElementTree.SubElement(root, "author"), {"name": config.title})
    for info in infos:
        url = config.url + index.url(info.id)
        entry = ElementTree.SubElement(root, "entry")
        _texts(entry, {"title": info.title, "id": url, "updated": _time(info), "summary": info.meta.summary})
        ElementTree.SubElement(entry, "link", {"href": url})
    return {PurePosixPath(PATH): xml(root)}


def xml(root: ElementTree.Element) -> bytes:
    """An XML document, indented, in UTF-8."""
    ElementTree.indent(root, " ")
    raw: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return raw + b"\n"


def _time(info: PageInfo) -> str:
    return f"{info.meta.date}T00:00:00Z"


def _texts(parent: ElementTree.Element, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        if text:
            ElementTree.SubElement(parent, name).text = text
