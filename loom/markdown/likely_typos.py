"""Find text that is nearly Markdown and most likely a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from markdown_it.token import Token

from loom.errors import Problem
from loom.markdown.env import Env
from loom.markdown.foreign_forms import OURS
from loom.markdown.roles import KNOWN_ROLES

ROLE = re.compile(r"\{([a-z:]+)\}[ ]?(\w[\w-]*)")
BROKEN = re.compile(r"\{([a-z:]+)\}`(?:(`)|[^`]*\Z)")  # a role with nothing in it, or without its end
APART = re.compile(r"\{([a-z:]+)\} \Z")  # a role with a space before its text, which is code then
INDENTED = re.compile(r":::+\{([a-z]+)\}")
COLONS = r"(?:::|[:：]{0,5}：[:：]{0,5})"  # two of them, or wide ones of an East Asian keyboard among them
MISSPELT = re.compile(rf"\A({COLONS})\{{([a-z]+)\}}")
SET = re.compile(r"\{(\w+)=(?=[\"“”„‟‘’«»])")
CURLY = re.compile(r"\{caption=[“”„‟‘’«»][^{}]*\}")
# The parentheses of a link. No match contains the start of another, so that a search takes linear time.
ADDRESS = re.compile(r"\]\((?P<address>[^()<>\"]*)\)")
FILE = re.compile(r"\.\w{2,5}\Z")
SIGNS = rf"\{{[a-z:]+\}}(?:[ ]?\w|[ ]`|`(?:`|[^`]*\Z))|(?m:^{COLONS}\{{)|{SET.pattern}|\]\([^()<>\s]+\s"


def likely_typo(text: str, code: str = "") -> tuple[str, str, str]:
    """The first likely mistake in a text: the words, a message and a hint; all empty if there is none.

    `code` is what stands behind the text in backticks.
    """
    for role in ROLE.finditer(text):
        if near := get_close_matches(role[1], KNOWN_ROLES, n=1, cutoff=0.7):
            hint = f"write {{{near[0]}}}`{role[2]}`"
            return role.group(), f"'{role.group()}' is a role without its backticks", hint
    for role in BROKEN.finditer(text):
        if near := get_close_matches(role[1], KNOWN_ROLES, n=1, cutoff=0.7):
            raw, what = (role.group(), "has nothing in it") if role[2] else (f"{{{role[1]}}}`", "is never closed")
            return raw, f"the role '{raw}' {what}", f"write {{{near[0]}}}`…`"
    if (opening := MISSPELT.match(text)) and opening[2] in OURS:
        raw, colons = opening.group(), "two" if opening[1] == "::" else "wide"
        return raw, f"'{raw}' has {colons} colons, and opens nothing", f"write :::{{{opening[2]}}}, and ::: at its end"
    if code and (apart := APART.search(text)) and apart[1] in KNOWN_ROLES:
        raw = f"{apart.group()}`{code}`"
        return raw, f"'{raw}' is no role: there is a space in it", f"write {{{apart[1]}}}`{code}`"
    for name in SET.finditer(text):
        if name[1] != "caption" and get_close_matches(name[1], ["caption"], cutoff=0.8):
            return name.group(), f"'{name.group()}' is no caption", 'write {caption="…"}'
    if found := CURLY.search(text):
        hint = 'write {caption="…"} with straight quotation marks'
        return found.group(), f"'{found.group()}' has curly quotation marks", hint
    for link, address in _spaced(text):
        hint = f"write <{address}> between the parentheses, or rename the file"
        return link, f"'{link}' has a space in its address", hint
    return "", "", ""


def _spaced(text: str) -> Iterator[tuple[str, str]]:
    """Links and pictures that are none because of a space in the file's name: their text and address."""
    behind = 0
    for found in ADDRESS.finditer(text):
        address = found["address"]
        begin = text.find("[", max(behind, text.rfind("]", behind, found.start()) + 1), found.start())
        behind = found.end()
        if begin >= 0 and len(address.split()) > 1 and not address[0].isspace() and FILE.search(address):
            begin -= text[begin - 1 : begin] == "!"
            yield text[begin : found.end()], address


def unclosed_fences(tokens: Sequence[Token], env: Env) -> list[Problem]:
    """Code blocks without an end: they run to the end of the page, or of the block around them."""
    problems = []
    for token in tokens:
        first, last = token.map or (0, 0)
        if token.type != "fence":
            continue
        ending = env.lines[last - 1].lstrip("> \t").rstrip() if last - first > 1 else ""
        if len(ending) < len(token.markup) or ending.strip(token.markup[0]):
            hint = f"end it with a line '{token.markup}'"
            problems.append(env.problem(env.line_of(token), "a block of code that is never closed", hint))
    return problems


def indented_directives(tokens: Sequence[Token], env: Env) -> list[Problem]:
    """Directives that are code, because of the spaces or the tab before them."""
    blocks = [(token, INDENTED.match(token.content)) for token in tokens if token.type == "code_block"]
    return [
        env.problem(env.line_of(token), f"'{found.group()}' is indented, and so is code", "write it without its indent")
        for token, found in blocks
        if found and found[1] in OURS
    ]
