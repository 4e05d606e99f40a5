"""Code blocks: highlighting, captions, and a warning for diagrams, which are not drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from markdown_it.token import Token
from markupsafe import Markup, escape

from loom.errors import LoomError
from loom.markdown.env import Env
from loom.markdown.syntax import caption
from loom.markdown.tokens import named

# Languages without highlighting, and some common ones, to tell a misspelt language from an unknown one.
PLAIN = ("text", "plain", "plaintext", "txt", "none")
DIAGRAMS = ("mermaid", "plantuml", "graphviz", "dot")
COMMON = ("bash", "console", "cuda", "html", "javascript", "json", "markdown", "python", "rust", "toml", "yaml")
DIRECTIVE = re.compile(r"\{[\w:-]+\}")


def fence(_: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    """A code block as HTML."""
    token = tokens[index]
    language = token.info.split()[0] if token.info.strip() else "text"
    found = DIRECTIVE.match(token.info.strip())
    if found and found.group() == "{mermaid}":
        language, found = "mermaid", None
    if found:
        message = f"'{token.markup}{found.group()}' is a block of code, and no directive"
        hint = f"write :::{found.group()}, and ::: at its end"
        raise LoomError(env.problem(env.line_of(token), message, hint))
    words = caption(env, token.map[0] if token.map else -1)
    if language in DIAGRAMS:
        message, hint = f"this {language} diagram is shown as its source", "draw it as a picture, or as a scene"
        env.warn(env.line_of(token), message, hint, "undrawn")
        words = words or f"A diagram in {language.capitalize()}, which is not drawn here: this is its source."
    code = highlighted(token.content, language, env, token)
    name = f"<figcaption>{escape(words)}</figcaption>" if words else ""  # `Markup.format` takes many times as long
    return f'<figure class="code"{named(token)}>{name}<pre tabindex="0"><code>{code}</code></pre></figure>\n'


def highlighted(code: str, language: str, env: Env, token: Token) -> Markup:
    """Code as HTML with Pygments' short class names; without highlighting if the language is unknown."""
    if language in PLAIN:
        return escape(code)
    from pygments import highlight  # slow to import, and only needed for pages with code
    from pygments.util import ClassNotFound

    try:
        return Markup(highlight(code, _lexer(language), _formatter()))
    except ClassNotFound:
        if near := get_close_matches(language.lower(), COMMON, n=1, cutoff=0.8):
            message = f"unknown language '{language}' of a code block"
            env.warn(env.line_of(token), message, f"did you mean '{near[0]}'?", "language")
        return escape(code)


@cache
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name("json" if language == "jsonc" else language, stripnl=False)


@cache
def _formatter() -> Any:
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(nowrap=True)
