"""Rules that replace those of the Markdown libraries: comments, captions, footnotes, math, raw HTML, large tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block, table
from markdown_it.rules_block.table import escapedSplit
from markdown_it.rules_inline import StateInline, html_inline
from markupsafe import escape
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.footnote.index import footnote_def

from loom.content.placeholders import PhraseRef, Piece
from loom.errors import Problem
from loom.markdown.env import Env, env_of
from loom.markdown.spans import record_spans, recording_span
from loom.markdown.tokens import source_line

COMMENT = re.compile(r"<!(?=--).*?-->", re.DOTALL)  # '<!-->' is a comment, too
CAPTION = re.compile(r"\{caption=(?P<quote>[\"'])(?P<words>.*)(?P=quote)\}\s*\Z")
LIMIT = 100_000  # cells of a table, each of which takes over a kilobyte of memory
RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?\Z")  # the delimiter row
# Pandoc's rule: no space inside the signs and no digit behind them, so that '$5' is a price.
_math_inline = math_inline_dollar(allow_space=False, allow_digits=False, allow_double=True)
_math_spaced = math_inline_dollar(allow_digits=False, allow_double=True)


def own_syntax(md: MarkdownIt) -> None:
    """Add the rules to a parser."""
    md.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    md.use(dollarmath_plugin, allow_digits=False, double_inline=True)
    md.inline.ruler.at("math_inline", _math)
    md.inline.ruler.before("html_inline", "comment", recording_span(_comment))
    md.inline.ruler.at("html_inline", recording_span(_element))
    md.block.ruler.at("html_block", _html, {"alt": ["paragraph", "reference", "blockquote"]})
    md.block.ruler.before("fence", "caption", _caption)
    md.block.ruler.at("footnote_def", _footnote, {"alt": ["paragraph", "reference"]})
    record_spans(md)


def uncommented(text: str) -> str:
    """A text without comments. The text behind the last '-->' is not searched, which keeps the time linear."""
    before, end, behind = text.rpartition("-->")
    return COMMENT.sub("", before + end) + behind


def caption(env: Env, line: int) -> str:
    """The caption of a block that begins in this line of the text, counted from 0."""
    return env.captions.pop(line, ("", 0))[0]


def table_frame(env: Env, words: str = "", attributes: str = "") -> Iterator[Piece]:
    """The scrolling frame of a table. Its accessible name is the caption, numbered if it is not unique on the page."""
    env.tables[words or "Table"] += 1
    count = env.tables[words or "Table"]
    yield '<div class="table" role="region" tabindex="0" aria-label="'
    yield escape(words) if words else PhraseRef("Table")
    yield f'{f" {count}" if count > 1 else ""}"{attributes}>'


def lost_captions(env: Env) -> list[Problem]:
    """Captions without a table or a code block below them."""
    message, hint = "a caption without a table or a code block", "put it on the line above one"
    return [env.problem(env.file_line(line), message, hint) for _, line in env.captions.values()]


def _math(state: StateInline, silent: bool) -> bool:
    """Math. At position 0 the library's rule looks at index -1, the last character: a line end is put there."""
    text = state.src
    state.src = f"{text}\n"
    try:
        rule = _math_spaced if state.src.startswith("$$", state.pos) else _math_inline
        return rule(state, silent)
    finally:
        state.src = text


def _comment(state: StateInline, silent: bool) -> bool:
    """A comment ends at the first '-->'; the library's rule also goes on after three dashes."""
    found = COMMENT.match(state.src, state.pos) if state.pos < _last_end(state.src) else None
    if found is None:
        return False
    if not silent:
        state.push("html_inline", "", 0).content = found.group()
    state.pos = found.end()
    return True


@lru_cache(maxsize=1)
def _last_end(text: str) -> int:
    """Where the last comment of a text ends. It is asked at each '<!--', and kept: else the time would be quadratic."""
    return text.rfind("-->")


def _element(state: StateInline, silent: bool) -> bool:
    """Raw HTML without comments, for which the library's rule would scan to the end of the text each time."""
    return not state.src.startswith("<!--", state.pos) and html_inline(state, silent)


def _html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block of raw HTML. A line with text behind a comment begins a paragraph instead, which holds both."""
    if not state.src.startswith("<", state.bMarks[start] + state.tShift[start]):
        return False
    line = source_line(state, start)
    return not (COMMENT.match(line) and uncommented(line).strip()) and html_block(state, start, end, silent)


def _footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A footnote. Of two with one name only one can be shown, and the library takes the last."""
    name = source_line(state, start)[2:].partition("]:")[0]
    known = f":{name}" in state.env.get("footnotes", {}).get("refs", ())
    read = footnote_def(state, start, end, silent)
    if read and known and not silent:
        message, hint = f"a second footnote '{name}': the one before it is not shown", "call one of them something else"
        env_of(state).warn(env_of(state).file_line(start), message, hint, "reference")
    return read


def _caption(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A caption, which is stored for the block below it."""
    found = CAPTION.match(source_line(state, start))
    if found is None or state.is_code_block(start):
        return False
    if not silent:
        state.line = state.skipEmptyLines(start + 1)
        env_of(state).captions[state.line] = found["words"], start
    return True


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    columns = _columns(state, start, end)
    if columns and not silent:
        last = start + 2
        while last < end and not state.isEmpty(last):
            last += 1
        cells = columns * (last - start - 1)
        if cells > LIMIT:
            env = env_of(state)
            message = f"this table has {cells:,} cells, and may have {LIMIT:,}"
            env.add(env.file_line(start), message, "link to a file of data")
            state.line = last
            return True
    read = table(state, start, end, silent)
    if read and not silent:
        _warn_cells(state, start + 2, state.line, columns)
    return read


def _warn_cells(state: StateBlock, first: int, last: int, columns: int) -> None:
    """Warn of cells with words that stand behind the last column: they are not shown, here and on forges."""
    for line in range(first, last):
        cells = escapedSplit(source_line(state, line).strip().removeprefix("|"))
        if lost := next((cell.strip() for cell in cells[columns:] if cell.strip()), ""):
            message = f"'{lost}' stands behind the last column of this table, and is not shown"
            hint = "give it a heading, or write '\\|' for a sign within a cell"
            env_of(state).warn(env_of(state).file_line(line), message, hint, "table")


def _columns(state: StateBlock, start: int, end: int) -> int:
    """The number of columns of the table that begins at a line; 0 if there is none."""
    if start + 2 >= end:
        return 0
    rule = source_line(state, start + 1)
    return len(rule.strip("| \t").split("|")) if RULE.match(rule) else 0
