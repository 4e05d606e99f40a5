"""Attribute lists, `{: #name .class }`, of kramdown and Python-Markdown: only the name is used, as an id.

They stand at the end of a heading or a paragraph, on a line of their own below a block, or right behind a link, a
picture, code or emphasis. Classes are ignored, as the look of a page is the site's; other attributes get a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from loom.markdown.env import Env, env_of
from loom.markdown.source_lines import SourcePosition
from loom.markdown.tokens import end_of

OTHER = re.compile(r"""(?<![\w"'])[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'{}]+)""")
ITEM = r"""(?:[#.][\w:.-]+|[\w-]+[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]+))"""
ITEMS = rf"[ \t]*{ITEM}(?:[ \t]+{ITEM})*[ \t]*"
NAME = re.compile(r"#([\w:.-]+)")
AT_END = re.compile(rf"(?<!\s)\s*(?<!\\)\{{:?{ITEMS}\}}[\s#]*\Z")  # of a heading
BEHIND = re.compile(rf"\{{:?{ITEMS}\}}")  # a link or a picture
ANCHOR = re.compile(rf"\{{(?::|(?=[ \t]*#)){ITEMS}\}}")
COLON = re.compile(rf"\{{:{ITEMS}\}}")
LINE = re.compile(rf"(?:\A|\n)[ \t]*{COLON.pattern}[ \t]*\Z")
# In the source: right behind something, or on a line of its own.
LISTED = re.compile(rf"(?<=[)\]`*_]){BEHIND.pattern}|^{COLON.pattern}[ \t]*$", re.MULTILINE)
# Tokens right before an attribute list. Behind those of MARKED, a list without a colon must begin with a name.
CLOSING = ("link_close", "image")
MARKED = ("code_inline", "em_close", "strong_close")


def read_attributes(state: StateCore) -> None:
    """Remove attribute lists from the text, and set their names as ids."""
    env = env_of(state)
    for at in range(len(state.tokens) - 1, -1, -1):
        token = state.tokens[at]
        if token.type != "inline" or "{" not in token.content:
            continue
        block = state.tokens[at - 1]
        if block.type == "heading_open":
            _of_heading(block, token, env)
        elif block.type == "paragraph_open" and (found := LINE.search(token.content)):
            _of_paragraph(state.tokens, at, found.group().strip(), env)
        elif COLON.fullmatch(token.content.strip()) and state.tokens[at - 2].type == "tr_open":
            _of_table(state.tokens, at, env)
            continue
        token.children = list(_within(token.children or [], token, env))


def _of_heading(block: Token, inline: Token, env: Env) -> None:
    last = inline.children[-1] if inline.children else None
    if last and last.type == "text" and (found := AT_END.search(last.content)):
        last.content = last.content[: found.start()]
        inline.content = AT_END.sub("", inline.content)
        name = _read(found.group(), inline, env)
        if name and block.tag != "h1":
            block.attrSet("id", name)


def _of_paragraph(tokens: list[Token], at: int, written: str, env: Env) -> None:
    """A list on the last line of a paragraph; a paragraph that is only a list belongs to the block above."""
    inline, block = tokens[at], tokens[at - 1]
    children = inline.children or []
    start = next((n for n in range(len(children) - 1, -1, -1) if children[n].type == "softbreak"), -1)
    if any(one.type != "text" for one in children[start + 1 :]):
        return  # the braces are code, or hold other markup
    name = _read(written, inline, env)
    if start >= 0:
        inline.children, inline.content = children[:start], LINE.sub("", inline.content)
        _named(tokens[at - 2] if block.hidden else block, name)
        return
    above = next((one for one in reversed(tokens[: at - 1]) if one.level == block.level and one.nesting >= 0), None)
    if above and above.type != "inline":
        _named(above, name)
    del tokens[at - 1 : at + 2]


def _of_table(tokens: list[Token], at: int, env: Env) -> None:
    """A list on the line below a table, which was parsed as its last row."""
    start, end = at - 2, end_of(tokens, at - 2)
    if tokens[end + 1].type == "tbody_close" and not any(one.content for one in tokens[at + 1 : end]):
        table = next(one for one in reversed(tokens[:start]) if one.type == "table_open")
        _named(table, _read(tokens[at].content, tokens[at], env))
        del tokens[start : end + 1]


def _named(token: Token, name: str) -> None:
    if name and not (token.type == "heading_open" and token.tag == "h1"):
        token.attrSet("id", name)


def _within(children: Sequence[Token], inline: Token, env: Env) -> Iterator[Token]:
    """The tokens of a line of text without attribute lists; an empty element before the target has the id."""
    kept: list[Token] = []
    for token in children:
        before = kept[-1].type if kept else ""
        pattern = BEHIND if before in CLOSING else ANCHOR if before in MARKED else None
        if token.type == "text" and pattern and (found := pattern.match(token.content)):
            token.content = token.content[found.end() :]
            if name := _read(found.group(), inline, env):
                start = _beginning(kept)
                kept[start:start] = [_raw(f'<span id="{name}">'), _raw("</span>")]
        kept.append(token)
    yield from kept


def _beginning(kept: Sequence[Token]) -> int:
    """The index of the token that opens the last element."""
    depth = 0
    for at in range(len(kept) - 1, -1, -1):
        depth += kept[at].nesting
        if depth == 0:
            return at
    return 0


def _raw(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)


def _read(written: str, inline: Token, env: Env) -> str:
    """The name in an attribute list; other attributes than classes get a warning."""
    if others := OTHER.findall(written):
        message, hint = f"'{', '.join(others)}' is left out", "delete it: how a page looks is the site's"
        SourcePosition(env, inline).warn(message, hint, written, "foreign")
    found = NAME.search(written)
    return found[1] if found else ""
