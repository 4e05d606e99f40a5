"""Extensions from other flavours of Markdown: highlighted text, sub- and superscripts, bare URLs, attribute lists."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.field_list import fieldlist_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin
from mdit_py_plugins.subscript import sub_plugin
from mdit_py_plugins.superscript import superscript_plugin

from loom.addresses import is_address
from loom.markdown.attributes import read_attributes
from loom.markdown.env import env_of
from loom.markdown.spans import recording_span
from loom.markdown.tokens import directive, rule_of

END = re.compile(r"[\s<]")  # what ends a bare address


def add_extensions(md: MarkdownIt) -> None:
    """Add the rules to a parser."""
    md.options["tasklists"] = md.options["alerts"] = True
    md.use(sub_plugin).use(superscript_plugin).use(fieldlist_plugin)
    _only_in_directives(md)
    _addresses(md)
    md.inline.ruler.before("emphasis", "mark", recording_span(_mark))
    for name in ("sub", "sup"):
        md.inline.ruler.at(name, recording_span(rule_of(md.inline.ruler, name)))
    md.core.ruler.after("inline", "attributes", read_attributes)


def _only_in_directives(md: MarkdownIt) -> None:
    """Read field lists only at the beginning of a scene's directive: elsewhere ':rocket: Launch' is text."""
    fields = rule_of(md.block.ruler, "fieldlist")

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent:  # asked whether a field ends a paragraph
            return bool(env_of(state).in_fields and fields(state, start, end, silent))
        last = state.tokens[-1] if state.tokens else None
        if not last or last.type != "container_directive_open" or directive(last)[0] != "scene":
            return False
        env_of(state).in_fields = True
        found = bool(fields(state, start, end, silent))
        env_of(state).in_fields = False
        return found

    md.block.ruler.at("fieldlist", rule, {"alt": ["paragraph", "reference", "blockquote"]})


def _addresses(md: MarkdownIt) -> None:
    """Turn bare addresses with a scheme into links. GitHub's other forms are left out: they slow all texts down."""
    other = MarkdownIt("commonmark").use(gfm_autolink_plugin)
    protocol = rule_of(other.inline.ruler, "gfm_autolink_protocol")

    def rule(state: StateInline, silent: bool) -> bool:
        text, at = state.src, state.pos
        if not text.startswith("://", at) or not text.endswith(("http", "https"), 0, at):
            return False  # the library's rule would scan the text before and after it
        start = at - len("https" if text.endswith("https", 0, at) else "http")
        end = END.search(text, at)
        return is_address(text[start : end.start() if end else None]) and bool(protocol(state, silent))

    md.inline.ruler.push("bare_address", rule)


def _mark(state: StateInline, silent: bool) -> bool:
    """'==words==', but not between letters, where '==' is an operator."""
    text, start = state.src, state.pos
    if not text.startswith("==", start) or text[start + 2 : start + 3] in ("", " ", "\n", "="):
        return False
    if start and (text[start - 1].isalnum() or text[start - 1] in "=!<>"):
        return False
    end = text.find("==", start + 2, state.posMax)
    if end < 0 or text[end - 1].isspace() or text[end + 2 : end + 3].isalnum() or text[end + 2 : end + 3] == "=":
        return False
    if not silent:
        most = state.posMax
        state.push("mark_open", "mark", 1).markup = "=="
        state.pos, state.posMax = start + 2, end
        state.md.inline.tokenize(state)
        state.posMax = most
        state.push("mark_close", "mark", -1).markup = "=="
    state.pos = end + 2
    return True
