"""Blocks that are indented below their first line: `!!! note "Title"`, `??? note` and `=== "Tab"` of MkDocs."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from loom.markdown.warnings import warn

OPENING = re.compile(
    r"(?P<sign>!!!|\?\?\?\+?|===[!+]?)(?:[ \t]*(?P<kind>[A-Za-z][\w-]*)(?:[ \t]+[\w-]+)*)?"
    r"(?:[ \t]+\"(?P<title>.*)\")?[ \t]*\Z"
)
# A text without such a line is read without the rule.
ANY = re.compile(r"!!!|\?\?\?|===[!+]?[ \t]+\"")
# Kinds that others have, as the nearest of ours.
NEAREST = {
    "attention": "warning", "bug": "caution", "check": "tip", "danger": "caution", "done": "tip", "error": "caution",
    "fail": "caution", "failure": "caution", "hint": "tip", "success": "tip",
}  # fmt: skip
KINDS = ("note", "tip", "important", "warning", "caution")
INDENT = 4


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
    found = OPENING.match(state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]])
    if not found or state.is_code_block(start) or (found["sign"][0] == "=") == bool(found["kind"]):
        return False
    last = _last(state, start, end)
    if last == start + 1 and not found["title"]:
        return False  # nothing is in it, so that it may be any text
    if not silent:
        _push(state, found, start, last)
    return True


def _last(state: StateBlock, start: int, end: int) -> int:
    """The line behind the last one that is indented."""
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
        warn(state.env, start + 1 + state.env["offset"], 0, message, hint, "foreign")
    block = "fold" if found["sign"][0] == "?" else "alert"
    opening = state.push(f"{block}_open", "div", 1)
    opening.map, opening.block = [start, last], True
    opening.meta = {
        "kind": kind if kind in (*KINDS, "tab") else NEAREST.get(kind, "note"),
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
