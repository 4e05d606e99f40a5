"""Warn of the syntax of other generators, which is plain text here, and say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.common.utils import normalizeReference
from markdown_it.token import Token

from loom.markdown.env import Env
from loom.markdown.foreign_forms import FORMS, PUT_IN, Form
from loom.markdown.formulas import MATH
from loom.markdown.source_lines import SourcePosition
from loom.markdown.syntax import COMMENT
from loom.markdown.tokens import without_code

# HTML elements with literal text, and all other tags.
TAGS = re.compile(r"<(code|kbd|pre|samp|var)\b[^<>]*>[^<]*|</?[A-Za-z][^<>]*>", re.IGNORECASE)
VERBATIM = re.compile(r"\s*<(?:pre|script|style|textarea)\b", re.IGNORECASE)
# LaTeX between '\(' and '\)': it has a command, a power, an index, or only short names. Between '\[' and '\]', which
# are more often just escaped brackets, it must have an operator or be a single letter. '\(c\)' and '\[x\]' are text.
MATHS = r"\\[A-Za-z]|\^|_\{|\A\s*(?!(?:[crx]|tm)\s*\Z)"
WITHIN = re.compile(rf"{MATHS}(?!.*[a-z]{{3}}).*[a-z]", re.DOTALL | re.IGNORECASE)
DISPLAYED = re.compile(rf"{MATHS}(?:[a-z]\s*\Z|(?=.*[=+<>_])(?!.*[a-z]{{3}}).*[a-z])", re.DOTALL | re.IGNORECASE)
ANCHOR = re.compile(r"(?<!\{)\{(?::[ \t]*[#.]|[ \t]*#)[A-Za-z][\w:.-]*(?:[ \t][^{}\n]*)?\}")
ANCHOR_SIGNS = ("{#", "{ ", "{:")

# Snippets of MkDocs, includes of mdBook, shortcodes of Hugo, includes of DocFX. In code, only at the start of a line.
SNIPPET = r";*--+8<--+(?:[ \t]+[\"'][^\n\"']*[\"'])?"
COMMAND = re.compile(
    rf"^{SNIPPET}|\{{\{{[#<%][^{{}}]*\}}\}}|\[!INCLUDE ?\[[^\[\]]*\]\([^()\[\]]*\)\]", re.MULTILINE | re.IGNORECASE
)
IN_CODE = re.compile(rf"^[ \t]*(?:{SNIPPET}|\{{\{{#[^{{}}\n]*\}}\}})[ \t]*$", re.MULTILINE)
COMMAND_SIGNS = ("8<-", "{{", "[!")
SIGNS = (*(sign for form in FORMS for sign in form.signs), *ANCHOR_SIGNS)


def warn_foreign_syntax(tokens: Sequence[Token], env: Env) -> None:
    """Warn of the syntax of other generators, and of their commands that include other text."""
    _warn_forms(tokens, env)
    for token in tokens:
        if not any(sign in token.content for sign in COMMAND_SIGNS):
            continue
        position = SourcePosition(env, token)
        for command in dict.fromkeys(_commands(token)):
            first = command.split("\n")[0]
            position.warn(f"'{first}' is another generator's, and is text here", PUT_IN, first, "foreign")


def _commands(token: Token) -> Iterator[str]:
    if token.type in ("fence", "code_block"):
        yield from (found.group().strip() for found in IN_CODE.finditer(token.content))
    elif token.type == "inline":
        yield from (found.group() for found in COMMAND.finditer(without_code(token.content)))


def _warn_forms(tokens: Sequence[Token], env: Env) -> None:
    """Warn of all FORMS, but not in code and formulas."""
    for at, token in enumerate(tokens):
        if token.type not in ("inline", "html_block") or not any(sign in token.content for sign in SIGNS):
            continue
        text, where = _words(token), _where(tokens, at)
        for form in FORMS:
            if form.where in where and any(sign in text for sign in form.signs):
                for found in form.pattern.finditer(text):
                    if _is_meant(form, found, env):
                        _warn(token, text, found, form.what, form.hint(found), env)
        for child in token.children or []:
            for found in ANCHOR.finditer(child.content) if child.type == "text" else ():
                hint = "write it right behind code, emphasis or a link, or behind a heading"
                start = text.find(found.group())
                if start >= 0 and text[start - 1 : start] != "\\":
                    _warn(token, text, found, "names nothing here, and is text", hint, env, start)


def _where(tokens: Sequence[Token], at: int) -> tuple[str, ...]:
    """The values of `Form.where` that match this token."""
    if not at or tokens[at - 1].type != "paragraph_open":
        return ("",)
    return ("", "paragraph", "block") if tokens[at].level == 1 else ("", "paragraph")


def _is_meant(form: Form, found: re.Match[str], env: Env) -> bool:
    """Whether a match is really foreign syntax: escaped brackets may be literal, [[words]] may be a defined link."""
    groups = found.groupdict()
    if "display" in groups:
        within, displayed = groups["line"], groups["display"]
        return bool(DISPLAYED.search(displayed) if within is None else WITHIN.search(within))
    words = groups.get("page") or found.group().strip().strip("[]")
    return normalizeReference(words) not in env.get("references", {})


def _words(token: Token) -> str:
    """A text with code, formulas, comments and tags replaced by spaces."""
    if token.type == "html_block":
        before, end, behind = token.content.rpartition("-->")
        text = COMMENT.sub(_blank, before + end) + behind
        return "" if VERBATIM.match(text) else TAGS.sub(_blank, text)
    text = without_code(token.content)
    for child in token.children or []:
        if child.type in MATH or (child.type == "html_inline" and child.content.startswith("<!--")):
            text = text.replace(child.content, _blanked(child.content), 1)
    return TAGS.sub(_blank, text) if "<" in text else text


def _blank(found: re.Match[str]) -> str:
    return _blanked(found.group())


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _warn(token: Token, text: str, found: re.Match[str], what: str, hint: str, env: Env, start: int = -1) -> None:
    position = SourcePosition(env, token)
    for _ in range(text.count("\n", 0, found.start() if start < 0 else start)):
        position.newline()
    first = found.group().strip().split("\n")[0]
    position.warn(f"'{first}' {what}", hint, first, "foreign")
