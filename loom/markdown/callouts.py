"""Call-outs of other generators, with colons or indented: `:::note[Title]`, `!!! note "Title"`, `=== "Tab"`.

Other lines of three colons without braces are text. Tabs are shown one below the other.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

from loom.markdown.env import env_of
from loom.markdown.tokens import rule_of, source_line

OPENING = re.compile(
    r"(?P<sign>!!!|\?\?\?\+?|===[!+]?)(?:[ \t]*(?P<kind>[A-Za-z][\w-]*)(?:[ \t]+[\w-]+)*)?"
    r"(?:[ \t]+\"(?P<title>.*)\")?[ \t]*\Z"
)
# A quick test: a text without a match is parsed without the rule.
ANY = re.compile(r"!!!|\?\?\?|===[!+]?[ \t]+\"")
# Kinds of Material for MkDocs, and the nearest kind here.
NEAREST = {
    "attention": "warning", "bug": "caution", "check": "tip", "danger": "caution", "done": "tip", "error": "caution",
    "fail": "caution", "failure": "caution", "hint": "tip", "success": "tip",
}  # fmt: skip
KINDS = ("note", "tip", "important", "warning", "caution")
INDENT = 4
COLON_KINDS = (*KINDS, "danger", "info")  # of Docusaurus, Starlight and VuePress
BARE = re.compile(
    rf"[ \t]*(?P<kind>{'|'.join(COLON_KINDS)})(?:[ \t]*\[(?P<words>.*)\]|[ \t]+(?P<title>[^\s\[{{:].*?))?"
    r"[ \t]*(?:\{[^{}]*\})?[ \t:]*\Z",
    re.IGNORECASE,
)
# Loom's own directives: without braces they are a mistake. '::: {.class}' is Pandoc's.
OWN = re.compile(
    r"\s*(?:\{(?![ \t]*[.#])|(?:aside|check|figure|glossary|mnemonic|predict|references|scene)(?![\w.:\[-]))"
)


def _nearest(kind: str) -> str:
    """The kind of Loom's call-outs that another generator's kind is shown as."""
    return kind if kind in KINDS else NEAREST.get(kind, "note")


def indented_blocks(md: MarkdownIt) -> None:
    """Add the rule to a parser."""
    md.block.ruler.before("fence", "indented", _indented, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    for name, html in (
        ("fold_close", "</details>\n"),
        ("fold_title_open", "<summary>"),
        ("fold_title_close", "</summary>\n"),
    ):
        md.add_render_rule(name, lambda *_, html=html: html)
    md.add_render_rule("fold_open", lambda _, tokens, at, *__: f"<details{' open' * tokens[at].meta['open']}>")


def _indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    found = OPENING.match(source_line(state, start))
    if not found or state.is_code_block(start) or (found["sign"][0] == "=") == bool(found["kind"]):
        return False
    last = _last(state, start, end)
    if last == start + 1 and not found["title"]:
        return False  # an empty call-out may just be text
    if not silent:
        _push(state, found, start, last)
    return True


def _last(state: StateBlock, start: int, end: int) -> int:
    """The line after the last indented one."""
    last = start + 1
    for line in range(start + 1, end):
        if not state.isEmpty(line):
            if state.sCount[line] < state.blkIndent + INDENT:
                break
            last = line + 1
    return last


def _push(state: StateBlock, found: re.Match[str], start: int, last: int) -> None:
    kind = (found["kind"] or "tab").lower()
    if kind == "tab":
        message, hint = f"the tab '{found['title']}' is no tab here: tabs stand below each other", "write headings"
        env_of(state).warn(env_of(state).file_line(start), message, hint, "foreign")
    block = "fold" if found["sign"][0] == "?" else "alert"
    opening = state.push(f"{block}_open", "div", 1)
    opening.map, opening.block = [start, last], True
    opening.meta = {
        "kind": kind if kind == "tab" else _nearest(kind),
        "open": "+" in found["sign"],
    }
    title = found["title"] if found["title"] is not None else kind.capitalize()
    if title or block == "fold":
        state.push(f"{block}_title_open", "p", 1).map = [start, start + 1]
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = title or kind.capitalize(), [start, start + 1], []
        state.push(f"{block}_title_close", "p", -1)
    parent, most, indent = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "container", last, indent + INDENT
    state.md.block.tokenize(state, start + 1, last)
    state.parentType, state.lineMax, state.blkIndent = parent, most, indent
    state.push(f"{block}_close", "div", -1)
    state.line = last


def colon_blocks(md: MarkdownIt) -> None:
    """Add the rule of directives, `:::{name}`, to a parser, which also reads call-outs with colons."""
    md.use(container_plugin, "directive", validate=lambda params, _: bool(OWN.match(params) or BARE.match(params)))
    container = rule_of(md.block.ruler, "container_directive")

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        known = len(state.tokens)
        if not container(state, start, end, silent):
            return False
        if not silent and (found := BARE.match(state.tokens[known].info)):
            _call_out(state.tokens, known, found)
        return True

    md.block.ruler.at("container_directive", rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _call_out(tokens: list[Token], at: int, found: re.Match[str]) -> None:
    """Turn a call-out without braces into a directive. Its title may hold Markdown."""
    opening, kind = tokens[at], found["kind"].lower()
    title = (found["words"] or found["title"] or ("" if kind in KINDS else kind.capitalize())).strip()
    opening.info = f"{{{_nearest(kind)}}} {title}"
    opening.meta = {"bare": True, "titled": bool(title)}
    if title:
        line = opening.map[0] if opening.map else 0
        inline = Token("inline", "", 0, map=[line, line + 1], content=title, children=[], level=opening.level + 2)
        begin = Token("alert_title_open", "p", 1, map=[line, line + 1], level=opening.level + 1, block=True)
        tokens[at + 1 : at + 1] = [begin, inline, Token("alert_title_close", "p", -1, level=opening.level + 1)]
