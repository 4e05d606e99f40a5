"""A page's outline: its levels follow each other, its directives end, and no two things on it have one anchor."""

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
    """A heading that is the page's title: its words, and its lines in the text."""

    text: str
    lines: tuple[int, int]


def split_title(tokens: list[Token]) -> tuple[list[Token], Title | None]:
    """A page without the heading that is its title, which the template prints, and that heading.

    It is the first heading, of level 1; words may stand before it.
    """
    at = next((index for index, token in enumerate(tokens) if token.type == "heading_open" and not token.level), -1)
    if at < 0 or tokens[at].tag != "h1":
        return tokens, None
    first, last = tokens[at].map or (0, 0)
    return tokens[:at] + tokens[at + 3 :], Title(plain_text(tokens[at + 1]), (first, last))


def warn_titles(title: Title | None, given: str, env: dict[str, Any]) -> None:
    """The title of the front matter names the page elsewhere; over the page stands its heading."""
    if title and given and given.split() != title.text.split():
        message = f"two titles: 'title: {given}' above, and the heading '{title.text}'"
        warn(env, title.lines[0] + 1 + env["offset"], 0, message, "keep one of them", "title")


def warn_outline(tokens: Sequence[Token], env: dict[str, Any]) -> None:
    """The title is the one heading of level 1, and no level is left out below it."""
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
    """A scene, a question, a figure and a heading of one page can't have the same anchor."""
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
    """Directives without an end. A line of colons ends one directive, the outermost of those that end there."""
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
