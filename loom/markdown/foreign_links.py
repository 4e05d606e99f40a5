"""Links with schemes that only another generator resolves, such as `xref:`: only their text is shown."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from loom.addresses import ALLOWED, SCHEME
from loom.markdown.env import Env
from loom.markdown.source_lines import SourcePosition

# Dangerous schemes, which run scripts or read local files, and are refused.
DANGEROUS = ("about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source")


def is_foreign(href: str) -> bool:
    """Whether an address has a scheme that no browser knows, such as DocFX's `xref:`, and that is harmless."""
    found = SCHEME.match(href)
    return bool(found and found[1].lower() not in (*ALLOWED, *DANGEROUS))


def warn_link(href: str, raw: str, position: SourcePosition) -> None:
    """Warn of a link with an unknown scheme."""
    _, column = position.place(raw)
    message = f"'{href}' is no address that a browser knows: its words are shown, and no link"
    position.warn(message, "use https:, or link to a page of this site", raw if column else href, "foreign")


def without_foreign_links(children: Sequence[Token], block: Token, env: Env) -> list[Token]:
    """The tokens of a line of text in which links with unknown schemes are replaced by their text."""
    position = SourcePosition(env, block)
    kept: list[Token] = []
    left_out = False
    for token in children:
        if token.type == "link_open" and is_foreign(href := str(token.attrs["href"])):
            left_out = True
            warn_link(href, f"]({href}", position)
        elif token.type == "link_close" and left_out:
            left_out = False
        else:
            kept.append(token)
    return kept
