"""Kinds of links that only another generator follows: their words are shown, and no link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markdown_it.token import Token

from loom.markdown.roles import SourcePosition
from loom.markdown.warnings import warn

SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# What a page may link to; and what would run or read a reader's own files, which is refused.
ALLOWED = ("http", "https", "mailto")
DANGEROUS = ("about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source")


def is_foreign(href: str) -> bool:
    """Whether an address is of a kind that no browser follows, such as DocFX's `xref:`, and does no harm."""
    found = SCHEME.match(href)
    return bool(found and found[1].lower() not in (*ALLOWED, *DANGEROUS))


def warn_link(href: str, raw: str, position: SourcePosition, env: dict[str, Any]) -> None:
    """Warn of a link that leads nowhere here."""
    column = position.column(raw) or position.column(href)
    message = f"'{href}' is no address that a browser knows: its words are shown, and no link"
    warn(env, position.line, column, message, "use https:, or link to a page of this site", "foreign")


def without_foreign_links(children: Sequence[Token], block: Token, env: dict[str, Any]) -> list[Token]:
    """The tokens of a line of text without the links that only another generator follows: their words are text."""
    position = SourcePosition(env, block)
    kept: list[Token] = []
    left_out = False
    for token in children:
        if token.type == "link_open" and is_foreign(href := str(token.attrs["href"])):
            left_out = True
            warn_link(href, f"]({href}", position, env)
        elif token.type == "link_close" and left_out:
            left_out = False
        else:
            kept.append(token)
    return kept
