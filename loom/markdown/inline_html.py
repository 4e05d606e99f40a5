"""Render an author's HTML tags in a line of text: properly paired ones are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from loom.content.placeholders import ImageRef, LinkRef, Piece
from loom.markdown.allowed_html import (
    AROUND,
    EMPTIED,
    LOOKS,
    REFUSED,
    TAG,
    VOID,
    WITHIN,
    allowed_attributes,
    name_of,
    written,
)
from loom.markdown.foreign_links import is_foreign, warn_link
from loom.markdown.source_lines import SourcePosition
from loom.markdown.spans import ADDRESS

TagAction = Literal["kept", "dropped", "ended", "text"]  # `ended`: the closing tag of a dropped one, without a warning
REFUSAL = "it would run or fetch something: a page holds text, pictures and scenes; to show it, escape '<' as '\\<'"


def is_tag(token: Token) -> bool:
    """Whether a token is a tag in a line of text."""
    return token.type == "html_inline" and bool(TAG.match(token.content))


def tag_actions(children: Sequence[Token]) -> dict[int, TagAction]:
    """The action for each tag in a line of text: only properly nested pairs are kept."""
    found: dict[int, TagAction] = {at: "text" for at, token in enumerate(children) if token.type == "html_inline"}
    begun: list[tuple[int, str]] = []  # open elements; those of Markdown have no name
    linked = -1  # the start of the last link
    for at, token in enumerate(children):
        name = name_of(token.content) if is_tag(token) else ""
        if not name and token.type != "html_inline" and token.nesting > 0:
            begun.append((at, ""))
            linked = at if token.type == "link_open" else linked
        elif not name and token.type != "html_inline" and token.nesting < 0:
            while begun and begun.pop()[1]:
                pass  # elements that are opened within *emphasis* end with it
        elif name in VOID or not name:
            found[at] = ("kept" if name in WITHIN else "dropped") if name else "text"
        elif not token.content.startswith("</"):
            begun.append((at, name))
        elif begun and begun[-1][1] == name:
            first = begun.pop()[0]
            kept = name in WITHIN and not (name == "a" and linked > first)
            linked = max(linked, first) if kept and name == "a" else linked
            found[first], found[at] = ("kept", "kept") if kept else ("dropped", "ended")
    for at, action in found.items():
        if action == "text" and name_of(children[at].content) in AROUND | LOOKS:
            found[at] = "dropped"
    return found


def line_piece(token: Token, action: TagAction, position: SourcePosition) -> Piece:
    """The HTML or the placeholder for a tag in a line of text."""
    raw, name = token.content, name_of(token.content)
    refuse(name, raw, position)
    if action != "kept":
        if name not in LOOKS and action != "ended":
            warn_tag(raw, action, position)
        apart = " " if name in AROUND - WITHIN and not raw.startswith("</") else ""  # '<div>a</div><div>b</div>'
        return escapeHtml(raw) if action == "text" else apart
    if raw.startswith("</"):
        return f"</{name}>"
    return tag_piece(name, allowed_attributes(raw), position, raw)


def refuse(name: str, raw: str, position: SourcePosition) -> None:
    """Raise for forbidden elements; warn of links with unknown schemes."""
    if name == "a" and (found := ADDRESS.match(raw)) and is_foreign(found["address"]):
        warn_link(found["address"], raw, position)
    if name in REFUSED or (name in EMPTIED and not raw.startswith(("<style", "</style"))):
        raise position.problem(f"raw HTML '{raw.splitlines()[0]}'", REFUSAL, raw.splitlines()[0])


def warn_tag(raw: str, action: TagAction, position: SourcePosition) -> None:
    """Warn of a tag that is not kept."""
    raw = raw.splitlines()[0]
    what = "is no element, and is shown as it is written" if action == "text" else "is left out, and its text is shown"
    hint = "escape '<' as '\\<', or put it into backticks" if action == "text" else "write it in Markdown, or delete it"
    position.warn(f"'{raw}' {what}", hint, raw, "html")


def tag_piece(name: str, carried: dict[str, str], position: SourcePosition, raw: str) -> Piece:
    """An opening tag; links and pictures become the same placeholders as those of Markdown."""
    title = carried.get("title", "")
    if name == "a" and "href" in carried and not is_foreign(carried["href"]):
        return LinkRef(carried["href"], *position.place(raw), title)
    if name == "img":
        sizes = carried.get("width", ""), carried.get("height", "")
        line, _ = position.place(raw)
        return ImageRef(carried.get("src", ""), carried.get("alt", ""), line, 0, title, *sizes)
    return written(name, {key: value for key, value in carried.items() if key != "href"})
