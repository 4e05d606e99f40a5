"""Check a page's outline: levels of headings, ends of directives, and duplicate anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from loom.content.blocks import Block, Heading, Predict, QuickCheck, embeds_of
from loom.errors import Problem
from loom.markdown.env import Env
from loom.markdown.tokens import directive, end_of, plain_text

MAIN = "main"  # the anchor of the text of each page, where "Skip to the text" leads
COLONS = re.compile(r"[ \t>*+\d.)-]*(:{3,})")  # behind the signs of quotes and lists


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


def warn_titles(title: Title | None, given: str, env: Env) -> None:
    """Warn if the front matter has another title than the heading of the page."""
    if title and given and given.split() != title.text.split():
        message = f"two titles: 'title: {given}' above, and the heading '{title.text}'"
        env.warn(env.file_line(title.lines[0]), message, "keep one of them", "title")


def warn_outline(tokens: Sequence[Token], env: Env) -> None:
    """Warn of headings of level 1 below the title, and of skipped levels."""
    level = 1
    for token in tokens:
        if token.type != "heading_open":
            continue
        now, line = int(token.tag[1]), env.line_of(token)
        if now == 1:
            hint = "the title is one; begin with '##'"
            env.warn(line, "a second heading of level 1", hint, "heading")
        elif now > level + 1:
            message = f"a heading of level {now} follows one of level {level}"
            env.warn(line, message, "leave no level out", "heading")
        level = now


def shared_anchors(blocks: Sequence[Block], headings: Sequence[Heading], env: Env) -> list[Problem]:
    """Anchors that two scenes, questions, figures or headings of a page share, or one of them with the page."""
    named = [(heading.id, f"the heading '{heading.text}'", heading.line) for heading in headings]
    figures = {label: line for line, label in reversed(env.figures.items()) if label}
    named += [(label, f"the figure '{label}'", line) for label, line in figures.items()]
    named += [(one.id, "a question", one.line) for one in blocks if isinstance(one, (QuickCheck, Predict))]
    embeds = list(embeds_of(blocks))
    named += [(one.name, f"the scene '{one.name}'", one.line) for one in embeds]
    problems = []
    first = {MAIN: ("the text of each page", 0)}
    for anchor, what, line in sorted(named, key=lambda one: one[2]):
        other, at = first.setdefault(anchor, (what, line))
        if (other, at) != (what, line):
            message = f"{what} has the anchor '#{anchor}', as {other}{f' in line {at}' if at else ''} has"
            hint = "reword one of them"
            shown = [one for one in embeds if one.name == anchor]
            if len(shown) > 1 or any(one.called or not at for one in shown):
                hint = f"call {'one of them' if at else 'it'} something else: ':as: name'"
            elif any(f"{{#{anchor}" in _line(number, env) for number in (at, line)):
                hint = f"write another name than '#{anchor}'"
            problems.append(env.problem(line, message, hint))
    return problems


def _line(number: int, env: Env) -> str:
    """A line of the author's file; empty if the page's text does not have it."""
    return "".join(env.lines[number - 1 - env.offset :][:1])


def closed(tokens: list[Token], env: Env) -> list[Token]:
    """The tokens of a page, without the directives around others that never end, which are mistakes.

    What such a directive holds is read as if it stood alone, so that no mistakes are reported that only follow.
    """
    ends: dict[int, list[Token]] = {}  # a line of colons may be the end of several: each has to end within its parent
    for token in tokens:
        if token.type == "container_directive_open":
            ends.setdefault(token.map[1] if token.map else 0, []).append(token)
    spare = [*_spare_ends(tokens)]
    left_out: set[int] = set()
    sound = True
    for last, sharing in ends.items():
        owner = _owner(sharing, last, env.lines)
        lost = sharing if owner is None else [one for one in sharing if one is not owner][:1]
        sound &= not lost
        for token in lost:
            inner = sharing[sharing.index(token) + 1 :]
            if owner in inner and any(line > last and colons == token.markup for line, colons in spare):
                message = f"the directive '{directive(token)[0]}' ends where '{directive(inner[0])[0]}' within it does"
                hint = f"give it more colons than what it holds: '{token.markup}:' at both its ends"
            else:
                message = f"the directive '{directive(token)[0]}' is never closed"
                hint = f"end it with a line '{token.markup}'"
                if inner and not token.meta.get("bare"):
                    at = tokens.index(token)
                    left_out |= {at, end_of(tokens, at)}
            if token.meta.get("bare"):
                env.warn(env.line_of(token), message, hint, "foreign")
            else:
                env.add(env.line_of(token), message, hint)
    for line, colons in spare if sound else ():  # else they may be the ends of the directives above
        message = f"the line '{colons}' ends no directive, and is text here"
        env.warn(env.file_line(line), message, "delete it", "foreign")
    return [token for at, token in enumerate(tokens) if at not in left_out]


def _owner(sharing: Sequence[Token], last: int, lines: Sequence[str]) -> Token | None:
    """Which of several directives a line ends: the innermost with as many colons and the same indent, or the first."""
    margin, end = _colons(lines[last]) if last < len(lines) else (0, "")
    if not end:
        return None
    alike = [one for one in sharing if one.map and _colons(lines[one.map[0]]) == (margin, end)]
    return alike[-1] if alike else sharing[0]


def _colons(line: str) -> tuple[int, str]:
    """How far from the margin a line's colons stand, and the colons."""
    found = COLONS.match(line)
    return (found.start(1), found[1]) if found else (0, "")


def _spare_ends(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Lines of colons that are text, because no directive is open: their numbers from 0, and the colons.

    The directive of another generator is text as a whole: its end is not among them.
    """
    others = 0
    for at, token in enumerate(tokens):
        if token.type == "inline" and token.map and ":::" in token.content and tokens[at - 1].type == "paragraph_open":
            for number, line in enumerate(token.content.split("\n"), token.map[0]):
                if line.lstrip().startswith(":::"):
                    ending = not line.strip(" \t:")
                    if ending and not others:
                        yield number, line.strip()
                    others = max(0, others - 1) if ending else others + 1
