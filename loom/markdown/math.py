"""LaTeX to MathML: no script, no fonts to fetch, and nothing of an author's own in it."""

from __future__ import annotations

import html
import re
from textwrap import shorten
from typing import Any
from xml.etree.ElementTree import Element, tostring

from loom.errors import LoomError, Problem

CONTROLS = re.compile("[\x80-\x9f]")  # what a number may name and no page may hold
# What the library writes when an author asks for no address, class or style.
ATTRIBUTES = frozenset((
    "accent", "columnalign", "columnlines", "columnspacing", "depth", "display", "displaystyle", "fence", "form",
    "height", "largeop", "linebreak", "linethickness", "lspace", "mathbackground", "mathcolor", "mathvariant",
    "maxsize", "minsize", "movablelimits", "notation", "rowlines", "rowspacing", "rspace", "scriptlevel",
    "stretchy", "voffset", "width", "xmlns",
))  # fmt: skip


def mathml(latex: str, display: str, env: Any, line: int) -> str:
    """A formula; `display` is `inline` or `block`."""
    from latex2mathml.converter import convert_to_element  # heavy, and a page without math does without it

    def problem(reason: str) -> LoomError:
        shown = shorten(latex, 60, placeholder=" …")
        return LoomError(Problem(env["path"], line, 0, f"this math can't be read: '{shown}' ({reason})"))

    try:
        tree = convert_to_element(latex, display=display)
    except Exception as error:  # noqa: BLE001 - the library raises a class per mistake, and plain ones too
        reason = re.sub(r"(?<!^)([A-Z])", r" \1", type(error).__name__.removesuffix("Error")).lower()
        raise problem(reason) from None
    foreign = next((name for part in tree.iter() for name in part.attrib if name not in ATTRIBUTES), "")
    if foreign:
        raise problem(f"it may have no '{foreign}'")
    for part in tree.iter():
        _unescape(part)
    tree.attrib = {"alttext": latex, **tree.attrib}
    return tostring(tree, encoding="unicode")


def _unescape(part: Element) -> None:
    """The library writes most signs as they stand in HTML, and would have all escapes undone at the end."""
    part.text = CONTROLS.sub("", html.unescape(part.text or ""))
    part.attrib = {name: html.unescape(value) for name, value in part.attrib.items()}
