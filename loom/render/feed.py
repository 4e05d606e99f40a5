"""The pages that carry a date, as an Atom feed."""

from __future__ import annotations

from pathlib import PurePosixPath
from xml.etree import ElementTree

from loom.model import Output
from loom.site.index import Web
from loom.site.page_info import Face

PATH = "feed.xml"
ATOM = "http://www.w3.org/2005/Atom"


def dated(web: Web) -> list[Face]:
    """The pages that a feed lists, the latest first. A site without an address can't have a feed."""
    faces = [face for face in web.faces.values() if web.site.config.url and face.meta.date]
    return sorted(faces, key=lambda face: (face.meta.date, face.id), reverse=True)


def feed(web: Web) -> Output:
    """The feed, if there is anything to list. Its ids are addresses, its times the pages' own dates."""
    faces = dated(web)
    if not faces:
        return {}
    config = web.site.config
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": config.language})
    _texts(root, {"title": config.title, "subtitle": config.tagline, "id": config.url, "updated": _time(faces[0])})
    ElementTree.SubElement(root, "link", {"href": config.url})
    ElementTree.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": config.url + PATH})
    _texts(ElementTree.SubElement(root, "author"), {"name": config.title})
    for face in faces:
        url = config.url + web.url(face.id)
        entry = ElementTree.SubElement(root, "entry")
        _texts(entry, {"title": face.title, "id": url, "updated": _time(face), "summary": face.meta.summary})
        ElementTree.SubElement(entry, "link", {"href": url})
    return {PurePosixPath(PATH): xml(root)}


def xml(root: ElementTree.Element) -> bytes:
    """A document as it is written: indented, in UTF-8."""
    ElementTree.indent(root, " ")
    raw: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return raw + b"\n"


def _time(face: Face) -> str:
    return f"{face.meta.date}T00:00:00Z"


def _texts(parent: ElementTree.Element, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        if text:
            ElementTree.SubElement(parent, name).text = text
