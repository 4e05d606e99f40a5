"""What the rules share while one page is read: markdown-it's `env`, with fields for what Loom's own rules need."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, cast

from markdown_it.ruler import StateBase
from markdown_it.token import Token

from loom.content.placeholders import Span
from loom.content.source import Source
from loom.errors import Problem

ENDED = re.compile(r"</([A-Za-z][\w-]*)")


class Env(dict[str, Any]):
    """What is known of a page, and what has been found in it.

    The library and its plugins keep what they find under keys, such as 'references' and 'footnotes'.
    """

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.path = source.path
        self.offset = source.offset  # lines of the author's file above the text
        self.lines = source.body.split("\n")
        self.ended = {name.lower() for name in ENDED.findall(source.body)}  # elements of HTML with an end tag
        self.line = 0  # of the text, from 0: where the inline token stands that is being rendered
        self.in_fields = False  # whether the lines ':name: value' of a scene are being read
        self.problems: list[Problem] = []
        self.warnings = dict.fromkeys(source.warnings)  # each once, in the order of the text
        self.figures: dict[int, str] = {}  # names, by line of the file
        self.equations: dict[str, int] = {}  # lines of the file, by label
        self.captions: dict[int, tuple[str, int]] = {}  # words and own line, by the line of the text below
        self.tables = Counter[str]()  # how often each accessible name has been given
        self.found_until: dict[tuple[int, str], int] = {}  # see SourcePosition
        self.spans: list[Span] = []

    def line_of(self, token: Token) -> int:
        """The line of a block token in the author's file, counted from 1."""
        return self.file_line(token.map[0] if token.map else self.line)

    def file_line(self, line: int) -> int:
        """The line of the author's file, counted from 1, of one of the text, counted from 0."""
        return line + 1 + self.offset

    def problem(self, line: int, message: str, hint: str, rule: str = "", column: int = 0) -> Problem:
        """What is wrong in a line of the author's file."""
        return Problem(self.path, line, column, message, hint, rule)

    def add(self, line: int, message: str, hint: str) -> None:
        """Note a mistake, and go on."""
        self.problems.append(self.problem(line, message, hint))

    def warn(self, line: int, message: str, hint: str, rule: str, column: int = 0) -> None:
        """Warn of a line of the author's file, once even if it is read twice: `check` reports it, no build stops."""
        self.warnings[self.problem(line, message, hint, rule, column)] = None


def env_of(state: StateBase) -> Env:
    """The `Env` of the page that a rule reads."""
    return cast(Env, state.env)
