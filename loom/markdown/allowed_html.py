"""The HTML elements and attributes that an author may write: none that run scripts, fetch anything, or carry styles.

nh3 parses and sanitises; this module says what is kept. Classes and styles are removed: the look of a page is the
site's, and its content security policy forbids inline styles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from markdown_it.common.html_re import close_tag, open_tag
from markdown_it.common.utils import escapeHtml

# A well-formed tag; anything else that begins with '<' is text.
TAG = re.compile(f"(?:{open_tag}|{close_tag})")
NAME = re.compile(r"</?([A-Za-z][\w-]*)")
ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
ID = re.compile(r"[\w.:-]+\Z")


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


VOID = _names("br col hr img wbr")
# Elements within a line of text …
WITHIN = _names(
    "a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strong sub sup u var wbr"
)
# … and elements around lines. Those of ENDLESS may be unclosed: they end where the next one begins.
ENDLESS = _names("colgroup dd dt li p tbody td tfoot th thead tr")
OUTER = _names("blockquote caption col details div dl figcaption figure h1 h2 h3 h4 h5 h6 hr ol pre table")
AROUND = WITHIN | ENDLESS | OUTER | {"summary", "ul"}
# Elements of layout and presentation: they are removed, and their content is kept.
LOOKS = _names("article aside big center font footer header main nobr picture section source strike tt")
# Elements that run scripts, ask for input or fetch something: they are refused.
REFUSED = _names(
    "applet audio base button canvas embed form frame frameset iframe input link math meta noscript object param "
    "script select svg template textarea title track video xmp"
)
# Elements that are removed with their content.
EMPTIED = frozenset(["style"])
CARRIED: Mapping[str, frozenset[str]] = {
    "*": frozenset(["align", "dir", "id", "lang", "title"]),
    "a": frozenset(["href", "name"]), "details": frozenset(["open"]), "ol": frozenset(["reversed", "start"]),
    "img": frozenset(["alt", "height", "src", "width"]),
    "td": frozenset(["colspan", "rowspan"]), "th": frozenset(["colspan", "rowspan", "scope"]),
}  # fmt: skip


def name_of(tag: str) -> str:
    """The element name of an opening or closing tag; empty if it is no tag."""
    found = NAME.match(tag)
    return found[1].lower() if found else ""


def allowed_attributes(tag: str) -> dict[str, str]:
    """The allowed attributes of an opening tag."""
    import nh3

    name = name_of(tag)
    # The parser would drop a table cell outside a table: a neutral element takes its place.
    span = f"<span{tag[1 + len(name) :]}"
    allowed = set(CARRIED["*"] | CARRIED.get(name, frozenset()))
    return attributes_of(nh3.clean(span, tags={"span"}, attributes={"span": allowed}, link_rel=None))


def attributes_of(tag: str) -> dict[str, str]:
    """The attributes of a normalised tag."""
    end = TAG.match(tag)
    return {name: unescape(value) for name, value in ATTRIBUTE.findall(end.group() if end else "")}


def written(name: str, carried: Mapping[str, str]) -> str:
    """An opening tag as HTML."""
    kept = dict(carried)
    side, anchor = kept.pop("align", "").lower(), kept.pop("name", "") or kept.get("id", "")
    kept.pop("id", "")
    if ID.match(anchor):
        kept["id"] = anchor
    if side in ("center", "left", "right"):
        kept["class"] = f"align-{side}"
    return "<" + " ".join([name, *(f'{key}="{escapeHtml(value)}"' for key, value in sorted(kept.items()))]) + ">"


def cleaned(html: str, mark: str) -> str:
    """Sanitised HTML in which every element is closed. An <hr> with the attribute `mark` is kept as a placeholder."""
    import nh3

    carried = {name: set(names) for name, names in CARRIED.items()}
    return nh3.clean(
        html, tags=set(AROUND), clean_content_tags=set(EMPTIED), attributes={**carried, "hr": {mark}}, link_rel=None
    )
