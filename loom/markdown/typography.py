"""Set dashes and ellipses as a printer does: `a -- b`, `1990--2000`, `and so on...`.

The library's own rule does more, and harm: of the path `../a` it makes `…/a`, of the case `(c)` a sign of copyright, of
an option at the start of a line a dash.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

# Between spaces; two between digits; three between letters. '--all' is an option, and 'card--wide' a class of BEM.
DASHES = re.compile(r"(?<!\S)-{2,3}(?!\S)|(?<=\d)--(?=\d)|(?<=\w)---(?=\w)")
ELLIPSIS = re.compile(r"(?<![./\\])\.\.\.(?![./\\])")
DASH = {"--": "–", "---": "—"}


def add_typography(md: MarkdownIt) -> None:
    """Put the rule in the place of the library's."""
    md.enable("replacements")
    md.core.ruler.at("replacements", _typography)


def _typography(state: StateCore) -> None:
    for token in state.tokens:
        if token.type != "inline" or not ("--" in token.content or "..." in token.content):
            continue
        within_address = False
        for child in token.children or []:
            if child.info == "auto":
                within_address = child.type == "link_open"
            elif child.type == "text" and not within_address:
                child.content = typeset(child.content)


def typeset(text: str) -> str:
    """A text with dashes and ellipses."""
    return ELLIPSIS.sub("…", DASHES.sub(lambda found: DASH[found.group()], text))
