"""Check that picture files are valid: by their first bytes, by their ends, and SVGs by parsing them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from xml.etree import ElementTree

from loom.content.pictures import JPEG, PNG, is_whole
from loom.errors import Problem
from loom.model import Output

SVG = "{http://www.w3.org/2000/svg}svg"
# For each suffix, the position of the signature and the allowed signatures.
SIGNATURES = {
    ".avif": (4, (b"ftypavif", b"ftypavis", b"ftypmif1")),
    ".gif": (0, (b"GIF87a", b"GIF89a")),
    ".jpeg": (0, (JPEG,)),
    ".jpg": (0, (JPEG,)),
    ".png": (0, (PNG,)),
    ".webp": (8, (b"WEBP",)),
}


def picture_problems(output: Output) -> Iterator[Problem]:
    """Files with the suffix of a picture that are not valid."""
    for path, raw in output.items():
        kind = path.suffix.lower()
        if kind in SIGNATURES and not raw.startswith(SIGNATURES[kind][1], SIGNATURES[kind][0]):
            hint = "save it as what it is called, or rename it"
            yield Problem(str(path), 0, 0, f"this file is called {kind}, and is none", hint, "image")
        elif kind in SIGNATURES and not is_whole(io.BytesIO(raw)):
            message = "this file breaks off: it is no picture that can be read"
            yield Problem(str(path), 0, 0, message, "save it anew", "image")
        if kind == ".svg" and (why := _no_drawing(raw)):
            hint = 'it begins with <svg xmlns="http://www.w3.org/2000/svg" …>'
            yield Problem(str(path), 0, 0, f"this file is no drawing: {why}", hint, "image")


def _no_drawing(raw: bytes) -> str:
    """Why a file is no SVG; empty if it is one."""
    try:
        root = ElementTree.fromstring(raw)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        return str(error)
    if root.tag == SVG:
        return ""
    found = f"its first element is <{root.tag.rpartition('}')[2]}>"
    return f"{found} without its xmlns" if root.tag == "svg" else found
