"""Figures: a picture with a number, a caption, a width, and a name for cross-references; pictures that say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from loom.addresses import names_state
from loom.content.placeholders import ImageRef, PhraseRef, Piece
from loom.hints import suggest
from loom.markdown.env import Env
from loom.markdown.formulas import LABEL
from loom.markdown.tokens import directive, source_line

OPTION = re.compile(r":(?P<name>[\w-]+):(?:[ \t]+(?P<value>.*\S))?[ \t]*\Z")
WIDTH = re.compile(r"[1-9][0-9]{0,3}(?:px)?\Z|(?:100|[1-9]?[0-9])%\Z")
KNOWN = ("alt", "name", "title", "width")


def figure_options(md: MarkdownIt) -> None:
    """Add the rule that reads the ':name: value' lines at the beginning of a figure."""
    md.block.ruler.before("fence", "figure_options", _options)


def _options(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    last = state.tokens[-1] if state.tokens else None
    if silent or not last or last.type != "container_directive_open" or directive(last)[0] != "figure":
        return False
    found: dict[str, tuple[str, int]] = {}
    line = start
    while line < end and (option := OPTION.match(source_line(state, line))):
        found[option["name"]] = option["value"] or "", line
        line += 1
    if line == start:
        return False
    token = state.push("figure_options", "", 0)
    token.map, token.meta, state.line = [start, line], {"options": found}, line
    return True


def figure_parts(token: Token, inner: Sequence[Token], caption: Sequence[Piece], env: Env) -> Iterator[Piece]:
    """A figure as HTML and placeholders; `inner` are the tokens inside its directive."""
    source, line = directive(token)[1], env.line_of(token)
    options = _options_of(inner)
    for name, (value, at) in options.items():
        at = env.file_line(at)
        if name not in KNOWN:
            env.add(at, f"a figure has no '{name}'", suggest(name, KNOWN))
        elif name == "width" and not WIDTH.match(value):
            env.add(at, f"the width '{value}' is none", "write :width: 60% or :width: 320px")
        elif name == "name" and not LABEL.match(value):
            hint = "use letters, digits, '-', '_', ':' and '.'"
            env.add(at, f"'{value}' can't be the name of a figure", hint)
    if not source:
        env.add(line, "which picture?", "write :::{figure} picture.svg")
        return
    alt, label, title, width = (options.get(name, ("", 0))[0] for name in ("alt", "name", "title", "width"))
    number = _number(label, line, env)
    anchor = f' id="{escapeHtml(label)}"' if label else ""
    yield f'<figure class="figure"{anchor}>'
    yield ImageRef(unquote(source.strip("<>")), alt, line, 0, title, width)
    first = caption[0] if caption else ""
    yield from ('<figcaption><p><span class="number">', PhraseRef("Figure {value}", str(number)), "</span>")
    if isinstance(first, str) and first.startswith("<p>"):
        yield from (f" {first[3:]}", *caption[1:])
    else:
        yield from ("</p>", *caption)
    yield "</figcaption></figure>\n"


def _options_of(inner: Sequence[Token]) -> dict[str, tuple[str, int]]:
    """The options at the beginning of a figure: by name, the value and the line in the text."""
    first = inner[0] if inner else None
    return dict(first.meta["options"]) if first and first.type == "figure_options" else {}


def _number(label: str, line: int, env: Env) -> int:
    """The number of a figure on its page. A name that is used twice is a problem."""
    known = env.figures
    if label in known.values() and known.get(line) != label and label:
        first = next(at for at, name in known.items() if name == label)
        message = f"the figure '{label}' is there twice, first in line {first}"
        env.add(line, message, "give each a name of its own")
    known[line] = label
    return list(known).index(line) + 1


def warn_pictures(parts: Iterable[object], env: Env) -> None:
    """Warn of pictures without a text alternative; for pictures of a scene's state that is an error elsewhere."""
    for part in parts:
        if isinstance(part, ImageRef) and not part.alt.strip() and not names_state(part.src):
            message = f"the picture '{part.src}' has no text alternative"
            hint = "write :alt: what it shows" if part.line in env.figures else "write ![what it shows](…)"
            env.warn(part.line, message, hint, "alt")
