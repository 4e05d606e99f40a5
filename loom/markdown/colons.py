"""Lines of three colons as others write them: `:::note[Title]` and `::: tip Title` are call-outs, the rest is text."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

# What Docusaurus, Starlight and VuePress call a call-out, as ours.
KINDS = {
    "note": "note", "tip": "tip", "important": "important", "warning": "warning", "caution": "caution",
    "danger": "caution", "info": "note",
}  # fmt: skip
BARE = re.compile(
    rf"[ \t]*(?P<kind>{'|'.join(KINDS)})(?:[ \t]*\[(?P<words>.*)\]|[ \t]+(?P<title>[^\s\[{{:].*?))?"
    r"[ \t]*(?:\{[^{}]*\})?[ \t:]*\Z",
    re.IGNORECASE,
)
# Directives that nobody else has: without their braces they are a slip. '::: {.class}' is Pandoc's.
OWN = re.compile(
    r"\s*(?:\{(?![ \t]*[.#])|(?:aside|check|figure|glossary|mnemonic|predict|references|scene)(?![\w.:\[-]))"
)


def colon_blocks(md: MarkdownIt) -> None:
    """Add the rule of directives, `:::{name}`, to a parser, and of the call-outs that others write with colons."""
    md.use(container_plugin, "directive", validate=lambda params, _: bool(OWN.match(params) or BARE.match(params)))
    container = next(one.fn for one in md.block.ruler.__rules__ if one.name == "container_directive")

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        known = len(state.tokens)
        if not container(state, start, end, silent):
            return False
        if not silent and (found := BARE.match(state.tokens[known].info)):
            _call_out(state.tokens, known, found)
        return True

    md.block.ruler.at("container_directive", rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _call_out(tokens: list[Token], at: int, found: re.Match[str]) -> None:
    """Make a directive of Loom's of one without braces. Its title may hold Markdown."""
    opening, kind = tokens[at], found["kind"].lower()
    title = (found["words"] or found["title"] or ("" if kind == KINDS[kind] else kind.capitalize())).strip()
    opening.info = f"{{{KINDS[kind]}}} {title}"
    opening.meta = {"bare": True, "titled": bool(title)}
    if title:
        line = opening.map[0] if opening.map else 0
        inline = Token("inline", "", 0, map=[line, line + 1], content=title, children=[], level=opening.level + 2)
        begin = Token("alert_title_open", "p", 1, map=[line, line + 1], level=opening.level + 1, block=True)
        tokens[at + 1 : at + 1] = [begin, inline, Token("alert_title_close", "p", -1, level=opening.level + 1)]
