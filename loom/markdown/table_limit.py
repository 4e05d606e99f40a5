"""Refuse enormous tables before their cells are parsed, and tell rows with cells that no column shows."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_block.table import escapedSplit

from loom.errors import Problem
from loom.markdown.tokens import source_line
from loom.markdown.warnings import warn

LIMIT = 100_000  # cells of a table, each of which takes over a kilobyte of memory
RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?\Z")  # the delimiter row


def limit_tables(md: MarkdownIt) -> None:
    """Make a parser refuse enormous tables, and tell cells that are left out."""
    md.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    columns = _columns(state, start, end)
    if columns and not silent:
        last = start + 2
        while last < end and not state.isEmpty(last):
            last += 1
        cells = columns * (last - start - 1)
        if cells > LIMIT:
            env = state.env
            line, message = env["offset"] + start + 1, f"this table has {cells:,} cells, and may have {LIMIT:,}"
            env["problems"].append(Problem(env["path"], line, 0, message, "link to a file of data"))
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
            warn(state.env, line + 1 + state.env["offset"], 0, message, hint, "table")


def _columns(state: StateBlock, start: int, end: int) -> int:
    """The number of columns of the table that begins at a line; 0 if there is none."""
    if start + 2 >= end:
        return 0
    rule = source_line(state, start + 1)
    return len(rule.strip("| \t").split("|")) if RULE.match(rule) else 0
