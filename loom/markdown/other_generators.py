"""What only another generator understands: kinds of links, and commands that put other text in. It is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it.token import Token

from loom.markdown.remarks import remark
from loom.markdown.roles import SourcePosition
from loom.markdown.tokens import without_code
from loom.markdown.unread import tell_unread

SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# What a page may link to; and what would run or read a reader's own files, which is refused.
ALLOWED = ("http", "https", "mailto")
DANGEROUS = ("about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source")
# Snippets of MkDocs, parts of mdBook, shortcodes of Hugo, inclusions of DocFX. In code, only what begins a line.
SNIPPET = r";*--+8<--+(?:[ \t]+[\"'][^\n\"']*[\"'])?"
COMMAND = re.compile(
    rf"^{SNIPPET}|\{{\{{[#<%][^{{}}]*\}}\}}|\[!INCLUDE ?\[[^\[\]]*\]\([^()\[\]]*\)\]", re.MULTILINE | re.IGNORECASE
)
IN_CODE = re.compile(rf"^[ \t]*(?:{SNIPPET}|\{{\{{#[^{{}}\n]*\}}\}})[ \t]*$", re.MULTILINE)
SIGNS = ("8<-", "{{", "[!")
PUT_IN = "what it would put in is missing here: write it into the page"


def is_foreign(href: str) -> bool:
    """Whether an address is of a kind that no browser follows, such as DocFX's `xref:`, and does no harm."""
    found = SCHEME.match(href)
    return bool(found and found[1].lower() not in (*ALLOWED, *DANGEROUS))


def tell_link(href: str, raw: str, place: SourcePosition, env: dict[str, Any]) -> None:
    """Note a link that leads nowhere here."""
    column = place.column(raw) or place.column(href)
    message = f"'{href}' is no address that a browser knows: its words are shown, and no link"
    remark(env, place.line, column, message, "use https:, or link to a page of this site", "foreign")


def followed(children: Sequence[Token], block: Token, env: dict[str, Any]) -> list[Token]:
    """The tokens of a line of text without the links that only another generator follows: their words are text."""
    place = SourcePosition(env, block)
    kept: list[Token] = []
    left_out = False
    for token in children:
        if token.type == "link_open" and is_foreign(href := str(token.attrs["href"])):
            left_out = True
            tell_link(href, f"]({href}", place, env)
        elif token.type == "link_close" and left_out:
            left_out = False
        else:
            kept.append(token)
    return kept


def tell_foreign(tokens: Sequence[Token], env: dict[str, Any]) -> None:
    """Note what is text here: what would put other text into the page, or into its code, and all that is not read."""
    tell_unread(tokens, env)
    for token in tokens:
        if not any(sign in token.content for sign in SIGNS):
            continue
        place = SourcePosition(env, token)
        for command in dict.fromkeys(_commands(token)):
            first = command.split("\n")[0]
            column = place.column(first)
            message = f"'{first}' is another generator's, and is text here"
            remark(env, place.line, column, message, PUT_IN, "foreign")


def _commands(token: Token) -> Iterator[str]:
    if token.type in ("fence", "code_block"):
        yield from (found.group().strip() for found in IN_CODE.finditer(token.content))
    elif token.type == "inline":
        yield from (found.group() for found in COMMAND.finditer(without_code(token.content)))
