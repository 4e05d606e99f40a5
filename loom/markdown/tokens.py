"""What several rules ask of Markdown tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from loom.markdown.env import Env

TARGETED = re.compile(r"(?P<text>.*\S)\s*<(?P<target>[^<>]+)>\s*\Z", re.DOTALL)
CODE = re.compile(r"(?<!`)(`+)(?!`)[^`](?:.*?[^`])??\1(?!`)", re.DOTALL)
FIELD = re.compile(r"\s*:([\w-]+):?[ \t]+(.+)")  # nearly a line ':name: value'


def rule_of(ruler: Ruler[Any], name: str) -> Any:
    """A rule that a parser has, by its name."""
    return next(one.fn for one in ruler.__rules__ if one.name == name)


def directive(token: Token) -> tuple[str, str]:
    """The name and the argument of `:::{name} argument`."""
    if not token.info.strip().startswith("{"):
        return f"::: {token.info.strip()}", ""  # not a directive's name
    name, _, argument = token.info.strip().removeprefix("{").partition("}")
    return name.strip(), argument.strip()


def plain_text(inline: Token) -> str:
    """The text of an inline token, without markup and comments."""
    children = [one for one in inline.children or [] if one.type != "html_inline"]
    return "".join(" " if one.type in ("softbreak", "hardbreak") else one.content for one in children)


def without_code(text: str) -> str:
    """A text of inline Markdown with its code blanked out."""
    return CODE.sub(lambda found: found[1] + " " * (len(found.group()) - 2 * len(found[1])) + found[1], text)


def shown_words(content: str) -> tuple[str, str]:
    """The text and the target of a role's content `text <target>`; a target alone is its own text."""
    named = TARGETED.match(content)
    text, target = (named["text"], named["target"]) if named else (content, content)
    return text.strip(), target.strip()


def named(token: Token) -> str:
    """The id of a block as an attribute of its tag; empty if it has none."""
    return f' id="{token.attrs["id"]}"' if "id" in token.attrs else ""


def source_line(state: StateBlock, number: int) -> str:
    """A line of the text that a block rule reads, without its indent."""
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def end_of(tokens: list[Token], start: int) -> int:
    """The index of the token that closes the one at `start`, or `start` if it closes itself."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth <= 0:
            return index
    return len(tokens) - 1


def fields(inner: list[Token], env: Env) -> dict[str, tuple[str, int]]:
    """The ':name: value' lines of a directive: by name, the value and the line in the author's file."""
    found: dict[str, tuple[str, int]] = {}
    for index, token in enumerate(inner):
        if token.type == "fieldlist_name_open":
            body = inner[index + 3 : end_of(inner, index + 3) + 1]
            value, *more = "".join(part.content for part in body if part.type == "inline").split("\n")
            name, line = inner[index + 1].content, env.line_of(token)
            if name in found:
                env.add(line, f"'{name}' is given twice", "keep one of them")
            for at, text in enumerate(more, line + 1):  # Markdown reads them as the end of the value
                near = FIELD.fullmatch(text)
                hint = f"write :{near[1]}: {near[2]}" if near else "write it around the scene"
                env.add(at, f"'{text}' is no ':name: value' line", hint)
            found[name] = (value, line)
    return found


def top_blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens of each block of the uppermost level."""
    index = 0
    while index < len(tokens):
        end = end_of(tokens, index)
        yield tokens[index : end + 1]
        index = end + 1
