"""Render tokens as prose: pieces of HTML, with placeholders for what needs the rest of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token
from msgspec.structs import replace

from loom.addresses import decoded_href, names_state
from loom.content.placeholders import TITLES, CiteRef, ImageRef, LinkRef, PhraseRef, Piece
from loom.errors import LoomError
from loom.markdown.env import Env
from loom.markdown.foreign_links import without_foreign_links
from loom.markdown.formulas import MATH, formula
from loom.markdown.html_blocks import comment_only, run_end, run_pieces, runs
from loom.markdown.inline_html import is_tag, line_piece, tag_actions
from loom.markdown.likely_typos import SIGNS, likely_typo
from loom.markdown.roles import read_role
from loom.markdown.sentences import Reading
from loom.markdown.source_lines import SourcePosition
from loom.markdown.tokens import plain_text
from loom.quantity import unbroken

# Left in the text by an undefined footnote or link, by math that is not closed, or by a link that no page may have.
LEFT_OVER = re.compile(r"\[\^[^\[\]\s]+\]|\]\[[^\]]+\]|\$\$|\]\((?i:javascript|vbscript|file|data):")
# A quick test: in a paragraph without a match, text tokens need no further checks.
SUSPECT = re.compile(rf"{LEFT_OVER.pattern}|\{{uncited\}}|\\|&|{SIGNS}")


TITLED = ("alert_title_open", "fold_title_open")  # the beginning of a call-out's title
# Frequent tokens whose HTML is always the same.
SAME = {"em_open": "<em>", "em_close": "</em>", "strong_open": "<strong>", "strong_close": "</strong>"}


def fragments(md: MarkdownIt, tokens: list[Token], env: Env) -> list[Piece]:
    """The HTML of a token stream, with placeholders.

    This is the loop of markdown-it's renderer, without joining the results; a rule may give several pieces. Mistakes
    within a paragraph are added to `env.problems`; a mistake in a block as a whole is raised.
    """
    rules, plain = md.renderer.rules, md.renderer.renderToken  # type: ignore[attr-defined]
    pieces: list[Piece] = []
    ends: dict[int, int] | None = None
    done = 0
    for index, token in enumerate(tokens):
        if index < done:  # within a run of HTML blocks, which is rendered as a whole
            continue
        if token.type == "inline":
            before = tokens[index - 1].type
            if before in TITLED and token.content in TITLES:
                pieces.append(PhraseRef(token.content))
            else:
                _inline(md, token, env, "a heading" if before == "heading_open" else "", pieces.append)
        elif token.type == "html_block":
            ends = runs(tokens) if ends is None else ends
            done = run_end(ends, index) + 1
            pieces += run_pieces(tokens[index:done], lambda within: fragments(md, list(within), env), env)
        elif token.type in MATH:
            pieces.append(formula(token, env.line_of(token), env))
        else:
            found = rules.get(token.type, plain)(tokens, index, md.options, env)
            pieces += [found] if isinstance(found, str) else found
    return pieces


def _inline(md: MarkdownIt, block: Token, env: Env, within: str, add: Callable[[Piece], None]) -> None:
    """Add the pieces of a paragraph. A placeholder that becomes a link can't stand `within` a heading or a link."""
    position = SourcePosition(env, block, env.found_until)
    children = without_foreign_links(block.children or [], block, env)
    reading: Reading | None = None
    clean = not SUSPECT.search(block.content)
    action = tag_actions(children) if "<" in block.content or "{" in block.content else {}
    for index, token in enumerate(children):
        kind = token.type
        if kind == "text" and clean:
            add(escapeHtml(unbroken(token.content)))
            continue
        if kind in SAME:
            add(SAME[kind])
            continue
        position.next_token()
        try:
            if within and kind == "myst_role":
                raw = f"{{{token.meta['name']}}}`{token.content}"
                raise position.problem(f"'{raw}`' stands in {within}", "put it into the text beside it", raw)
            if within and kind == "image" and names_state(str(token.attrs["src"])):
                message = f"a picture that leads to a state stands in {within}"
                raise position.problem(message, "put it into the text beside it", "![")
            if index in action and is_tag(token):
                piece = line_piece(token, action[index], position)
                within = _within(token, piece, within)
            else:
                piece = _piece(md, children, index, env, position)
            if isinstance(piece, CiteRef):  # it needs the sentence that it supports
                reading = reading or Reading(children, env.line_of(block))
                piece = replace(piece, claim=reading.sentence_of(index))
            add(piece)
        except LoomError as error:  # go on with the paragraph, whose other placeholders are checked later
            env.problems += error.problems
        if kind in ("softbreak", "hardbreak"):
            position.newline()
        elif kind in ("link_open", "link_close") and within != "a heading":
            within = "a link" if kind == "link_open" else ""


def _within(token: Token, piece: Piece, within: str) -> str:
    """What encloses the tokens behind an author's tag: a link, if the tag opens one."""
    if isinstance(piece, LinkRef):
        return within or "a link"
    return "" if piece == "</a>" and within == "a link" else within


def _piece(md: MarkdownIt, tokens: list[Token], index: int, env: Env, position: SourcePosition) -> Piece:
    token = tokens[index]
    env.line = position.line - 1 - env.offset  # inline tokens have no line numbers
    if token.type == "myst_role":
        return read_role(token.meta["name"], token.content, position)
    if token.type == "link_open":
        href = decoded_href(str(token.attrs["href"]))
        line, column = (position.line, 0) if token.info == "auto" else position.place(f"]({href}")
        return LinkRef(href, line, column + 2 if column else 0, str(token.attrs.get("title", "")))
    if token.type == "image":
        title = str(token.attrs.get("title", ""))
        return ImageRef(unquote(str(token.attrs["src"])), plain_text(token), position.line, 0, title)
    if token.type == "html_inline":
        return escapeHtml(comment_only(token, position))
    if token.type in MATH:
        return formula(token, position.line, env)
    if token.type == "text" and _is_waiver(tokens[index + 1 : index + 2]):
        token.content = token.content.rstrip()  # the waiver behind it is not shown
    if token.type == "text" and (left := LEFT_OVER.search(token.content)):
        _left_over(left.group(), position)
    if token.type == "text":
        raw, message, hint = likely_typo(token.content, _code(tokens[index + 1 : index + 2]))
        if message and not position.escaped(raw):
            raise position.problem(message, hint, raw)
        return escapeHtml(unbroken(token.content))
    rules = md.renderer.rules  # type: ignore[attr-defined]
    if token.type in rules:
        return str(rules[token.type](tokens, index, md.options, env))
    return str(md.renderer.renderToken(tokens, index, md.options, env))  # type: ignore[attr-defined]


def _left_over(raw: str, position: SourcePosition) -> None:
    """An unclosed formula is a mistake; undefined brackets may be meant literally, and get a warning."""
    message, hint = f"'{raw}' leads nowhere", "define it, or escape it with '\\'"
    if raw == "$$":
        raise position.problem("a formula that is never closed", "end it with '$$', or escape it with '\\'", raw)
    if raw.startswith("]("):
        message, hint = f"'{raw}…)' is not a kind of link that a page may have, and is text here", "use https:"
    position.warn(message, hint, raw, "reference")


def _code(tokens: list[Token]) -> str:
    return tokens[0].content if tokens and tokens[0].type == "code_inline" else ""


def _is_waiver(tokens: list[Token]) -> bool:
    return bool(tokens) and tokens[0].type == "myst_role" and tokens[0].meta["name"] == "uncited"


def joined(parts: Iterable[Piece]) -> tuple[Piece, ...]:
    """Merge neighbouring pieces of HTML."""
    result: list[Piece] = []
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
            continue
        if pieces:
            result.append("".join(pieces))
            pieces.clear()
        result.append(part)
    if pieces:
        result.append("".join(pieces))
    return tuple(result)
