"""Check a page's outline: levels of headings, unclosed directives, and duplicate anchors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token

from loom.content.blocks import Block, Embed, Heading, Predict, QuickCheck
from loom.errors import Problem
from loom.markdown.tokens import directive, line_of, plain_text
from loom.markdown.warnings import warn


@dataclass(frozen=True)
class Title:
    """The heading that is the page's title: its text, and its lines in the source."""

    text: str
    lines: tuple[int, int]


def split_title(tokens: list[Token]) -> tuple[list[Token], Title | None]:
    """Split off the title, which the template prints: the first heading, if it is of level 1. Text may precede it."""
    at = next((index for index, token in enumerate(tokens) if token.type == "heading_open" and not token.level), -1)
    if at < 0 or tokens[at].tag != "h1":
        return tokens, None
    first, last = tokens[at].map or (0, 0)
    return tokens[:at] + tokens[at + 3 :], Title(plain_text(tokens[at + 1]), (first, last))


def warn_titles(title: Title | None, given: str, env: dict[str, Any]) -> None:
    """Warn if the front matter has another title than the heading of the page."""
    if title and given and given.split() != title.text.split():
        message = f"two titles: 'title: {given}' above, and the heading '{title.text}'"
        warn(env, title.lines[0] + 1 + env["offset"], 0, message, "keep one of them", "title")


def warn_outline(tokens: Sequence[Token], env: dict[str, Any]) -> None:
    """Warn of headings of level 1 below the title, and of skipped levels."""
    level = 1
    for token in tokens:
        if token.type != "heading_open":
            continue
        now, line = int(token.tag[1]), line_of(token, env)
        if now == 1:
            hint = "the title is one; begin with '##'"
            warn(env, line, 0, "a second heading of level 1", hint, "heading")
        elif now > level + 1:
            message = f"a heading of level {now} follows one of level {level}"
            warn(env, line, 0, message, "leave no level out", "heading")
        level = now


def shared_anchors(blocks: Sequence[Block], headings: Sequence[Heading], env: Mapping[str, Any]) -> list[Problem]:
    """Anchors that two scenes, questions, figures or headings of a page share."""
    named = [(heading.id, f"the heading '{heading.text}'", heading.line) for heading in headings]
    figures = {label: line for line, label in reversed(env["figures"].items()) if label}
    named += [(label, f"the figure '{label}'", line) for label, line in figures.items()]
    for block in blocks:
        if isinstance(block, (QuickCheck, Predict)):
            named.append((block.id, "a question", block.line))
        for part in block.body if isinstance(block, Predict) else (block,):
            if isinstance(part, Embed):
                named.append((part.name, f"the scene '{part.name}'", part.line))
    problems = []
    first: dict[str, tuple[str, int]] = {}
    for anchor, what, line in sorted(named, key=lambda one: one[2]):
        other, at = first.setdefault(anchor, (what, line))
        if (other, at) != (what, line):
            message = f"{what} has the anchor '#{anchor}', as {other} in line {at} has"
            hint = "call one of them something else: ':as: name'" if what == other else "reword one of them"
            problems.append(Problem(env["path"], line, 0, message, hint))
    return problems


def unclosed(tokens: list[Token], env: dict[str, Any]) -> list[Problem]:
    """Directives without an end. A line of colons ends only one directive, the outermost of those that end there."""
    lines, ended = env["lines"], set()
    problems = []
    for token in tokens:
        if token.type != "container_directive_open":
            continue
        last = token.map[1] if token.map else 0
        if last in ended or not (last < len(lines) and lines[last].lstrip().startswith(":::")):
            message, hint = (
                f"the directive '{directive(token)[0]}' is never closed",
                f"end it with a line '{token.markup}'",
            )
            if token.meta.get("bare"):
                warn(env, line_of(token, env), 0, message, hint, "foreign")
            else:
                problems.append(Problem(env["path"], line_of(token, env), 0, message, hint))
        ended.add(last)
    return problems
