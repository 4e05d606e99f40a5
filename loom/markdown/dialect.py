"""The Markdown dialect: CommonMark with the MyST flavour, and the HTML of each token."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import escape
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from loom.content.placeholders import TITLES, PhraseRef, Pieces
from loom.errors import LoomError
from loom.markdown.callouts import ANY, KINDS, colon_blocks, indented_blocks
from loom.markdown.code import fence
from loom.markdown.env import Env
from loom.markdown.extensions import add_extensions
from loom.markdown.figures import figure_options
from loom.markdown.outline import MAIN
from loom.markdown.syntax import caption, own_syntax, table_frame
from loom.markdown.tokens import directive, named, plain_text
from loom.markdown.typography import add_typography

CALLOUTS = {**{kind: kind.capitalize() for kind in KINDS}, "aside": "", "mnemonic": "Remember"}
Tokens = Sequence[Token]


def slug(text: str) -> str:
    """The anchor of a heading: its text in lower case, with hyphens."""
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-") or "section"


# Rules that are tried at every position, and a string without which a rule can't match anything in a text.
REQUIRED = {
    "attributes": "{", "autolink": "<", "bare_address": "://", "caption": "{caption=", "comment": "<!--",
    "container_directive": ":::", "entity": "&", "figure_options": "{figure}", "footnote_def": "[^",
    "footnote_inline": "^[", "footnote_ref": "[^", "footnote_tail": "[^", "html_block": "<", "html_inline": "<",
    "image": "![", "mark": "==", "math_block": "$$", "math_inline": "$", "myst_role": "}`", "strikethrough": "~~",
    "sub": "~", "sup": "^", "table": "|",
}  # fmt: skip
# A line that may belong to a definition list or a field list.
LISTED = re.compile(r"^(?:[^\w\n]|\d)*[:~]", re.MULTILINE)


def parser_for(text: str) -> MarkdownIt:
    """The parser without the rules that can't match anything in this text, which would take a sixth of the time."""
    idle = {rule for rule, needed in REQUIRED.items() if needed not in text}
    if "[^" in text or "^[" in text:
        idle.discard("footnote_tail")
    if not LISTED.search(text):
        idle |= {"deflist", "fieldlist"}
    if not ANY.search(text):
        idle.add("indented")
    return _without(frozenset(idle))


@cache
def _without(idle: frozenset[str]) -> MarkdownIt:
    return dialect().disable(sorted(idle))


def dialect() -> MarkdownIt:
    """The parser, with every plugin and rule of the dialect."""
    md = MarkdownIt("commonmark", {"typographer": True}).enable(["table", "strikethrough", "smartquotes"])
    add_typography(md)
    md.core.ruler.push("anchor", _anchors)
    colon_blocks(md)
    md.use(myst_role_plugin).use(deflist_plugin).use(footnote_plugin)
    add_extensions(md)
    figure_options(md)
    indented_blocks(md)
    own_syntax(md)
    for name, rule in RULES.items():
        md.add_render_rule(name, rule)
    return md


def _anchors(state: StateCore) -> None:
    """Give each heading below the title a unique anchor: the second 'Use' is `use-1`."""
    headings = [at for at, token in enumerate(state.tokens) if token.type == "heading_open"]
    taken = {MAIN, *(state.tokens[at].attrs["id"] for at in headings if state.tokens[at].attrs.get("id"))}
    numbers: dict[str, int] = {}  # the last number for each text, so that many equal headings take linear time
    for at in headings:
        opening = state.tokens[at]
        if opening.tag == "h1" or opening.attrs.get("id"):
            continue
        said = [one.content for one in state.tokens[at + 1].children or () if one.type in ("text", "code_inline")]
        name = anchor = slug("".join(said))
        while anchor in taken:
            numbers[name] = numbers.get(name, 0) + 1
            anchor = f"{name}-{numbers[name]}"
        taken.add(anchor)
        opening.attrs["id"] = anchor


def _heading_close(renderer: Any, tokens: Tokens, index: int, options: Any, env: Env) -> Pieces:
    opening, inline = tokens[index - 2], tokens[index - 1]
    tag = tokens[index].tag
    anchor = opening.attrs.get("id")
    if not anchor:
        return [f"</{tag}>\n"]
    start = f' <a class="anchor" href="#{escape(anchor)}" aria-label="'
    return [start, PhraseRef("Link to “{value}”", plain_text(inline)), f'">#</a></{tag}>\n']


def _table_open(_: Any, tokens: Tokens, index: int, options: Any, env: Env) -> Pieces:
    token = tokens[index]
    words = caption(env, token.map[0] if token.map else -1)
    title = f"<caption>{escape(words)}</caption>" if words else ""
    return [*table_frame(env, words, named(token)), f"<table>{title}\n"]


def _cell_open(_: Any, tokens: Tokens, index: int, options: Any, env: Env) -> str:
    # The plugin writes the alignment as a style attribute, which a strict content security policy refuses.
    token = tokens[index]
    style = str(token.attrs.get("style", "")).removeprefix("text-align:")
    scope = ' scope="col"' if token.tag == "th" else ""
    return f'<{token.tag}{scope} class="align-{style}">' if style else f"<{token.tag}{scope}>"


def _directive_open(_: Any, tokens: Tokens, index: int, options: Any, env: Env) -> Pieces:
    name, argument = directive(tokens[index])
    if name not in CALLOUTS:
        message = f"the directive '{name}' can't stand inside a list, a quote or a call-out"
        raise LoomError(env.problem(env.line_of(tokens[index]), message, "move it to the top level"))
    title = "" if tokens[index].meta.get("titled") else argument or CALLOUTS[name]
    begin = f'<div class="callout {name}" role="note">'
    if not title:
        return [f"{begin}\n"]
    return [f'{begin}<p class="callout-title">', PhraseRef(title) if title in TITLES else escape(title), "</p>\n"]


def _alert_open(_: Any, tokens: Tokens, index: int, options: Any, env: Env) -> str:
    return f'<div class="callout {tokens[index].meta["kind"].lower()}" role="note">\n'


def _list_open(renderer: Any, tokens: Tokens, index: int, options: Any, env: Env) -> str:
    tokens[index].attrs.pop("class", None)  # of a task list: its items have a class
    return str(renderer.renderToken(tokens, index, options, env))


def _item_open(renderer: Any, tokens: Tokens, index: int, options: Any, env: Env) -> Pieces:
    if "checked" not in tokens[index].meta:
        return [str(renderer.renderToken(tokens, index, options, env))]
    done, words = (" checked", "done") if tokens[index].meta["checked"] else ("", "to be done")
    return [f'<li class="task"><input type="checkbox" disabled{done} aria-label="', PhraseRef(words), '"> ']


def _footnotes_open(*_: Any) -> Pieces:
    return ['<section class="footnotes" role="doc-endnotes" aria-label="', PhraseRef("Footnotes"), '"><ol>\n']


RULES: dict[str, Callable[..., str | Pieces]] = {
    "figure_options": lambda *_: "",
    "alert_open": _alert_open,
    "alert_title_open": lambda *_: '<p class="callout-title">',
    "list_item_open": _item_open,
    "bullet_list_open": _list_open,
    "ordered_list_open": _list_open,
    "fence": fence,
    "code_block": fence,
    "heading_close": _heading_close,
    "table_open": _table_open,
    "table_close": lambda *_: "</table></div>\n",
    "th_open": _cell_open,
    "td_open": _cell_open,
    "container_directive_open": _directive_open,
    "container_directive_close": lambda *_: "</div>\n",
    "footnote_block_open": _footnotes_open,
    "footnote_block_close": lambda *_: "</ol></section>\n",
}
