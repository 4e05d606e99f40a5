"""Render an author's blocks of HTML, with the Markdown between their elements.

A block of HTML ends at a blank line: `<details>`, blank line, `**text**`, blank line, `</details>` are three blocks.
To clean each alone would close the element before the text. So blocks that belong together are a *run* (`runs`): its
HTML is joined into one piece, in which `<hr data-at="0">` marks the place of the Markdown behind a block. The piece is
cleaned, and read back tag by tag, with the Markdown in the place of the marks (`_read_back`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from itertools import pairwise

from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from loom.addresses import names_state
from loom.content.placeholders import ImageRef, MathRef, PhraseRef, Piece, Pieces
from loom.markdown.allowed_html import AROUND, EMPTIED, ENDLESS, LOOKS, TAG, VOID, attributes_of, cleaned, name_of
from loom.markdown.env import Env
from loom.markdown.inline_html import TagAction, refuse, tag_piece, warn_tag
from loom.markdown.source_lines import SourcePosition
from loom.markdown.syntax import table_frame, uncommented

INTERACTIVE = re.compile(r"<a[ >]|tabindex=|<(?:details|input)\b")
MARKS = re.compile(r"data-at-*")


def runs(tokens: Sequence[Token]) -> dict[int, int]:
    """For each block of HTML whose elements are closed in a later block: the last such block."""
    ends: dict[int, int] = {}
    stacks: dict[int, list[tuple[str, int]]] = {}
    for at, token in enumerate(tokens):
        for level in [level for level in stacks if level > token.level]:
            del stacks[level]  # an element can't outlast the list or quote that it stands in
        if token.type != "html_block":
            continue
        stack = stacks.setdefault(token.level, [])
        for name, ends_it in _tags(token.content):
            if not ends_it:
                stack.append((name, at))
            elif name in [one for one, _ in stack[-50:]]:
                while (last := stack.pop())[0] != name:
                    pass
                ends[last[1]] = at
    return ends


def _tags(html: str) -> Iterator[tuple[str, bool]]:
    """The tags that come in pairs: the name of each, and whether it is a closing tag."""
    for found in TAG.finditer(uncommented(html)):
        name = name_of(found.group())
        if name in AROUND and name not in VOID | ENDLESS:
            yield name, found.group().startswith("</")


def run_end(ends: Mapping[int, int], at: int) -> int:
    """The last block of the run of HTML that begins at `at`: `ends` followed through all blocks in between."""
    last = at
    while at <= last:
        last, at = max(last, ends.get(at, at)), at + 1
    return last


def run_pieces(tokens: Sequence[Token], inner: Callable[[Sequence[Token]], Pieces], env: Env) -> Pieces:
    """Render a run: its first and last tokens are blocks of HTML, with Markdown and other such blocks in between.

    The blocks are sanitised as one piece, in which every element is closed, and the Markdown behind each is inserted.
    """
    level = tokens[0].level
    places = [at for at, one in enumerate(tokens) if one.type == "html_block" and one.level == level]
    places = [at for at in places if comment_only(tokens[at], SourcePosition(env, tokens[at]))]
    if not places:
        return []
    first, last = tokens[places[0]], tokens[places[-1]]
    prepared = [_prepared(tokens[at], env) for at in places]
    raw = "\n".join(prepared)
    _unbalanced(raw, SourcePosition(env, first, last=last))
    # An attribute name that is not in the text: longer than any similar one.
    mark = max(["data-at", *(f"{one}-" for one in MARKS.findall(raw.lower()))], key=len)
    behind = [inner(tokens[at + 1 : end]) for at, end in pairwise([*places, len(tokens)])]
    html = "".join(f'{one}<hr {mark}="{at}">' if behind[at] else one for at, one in enumerate(prepared))
    return list(_read_back(cleaned(html, mark), mark, behind, SourcePosition(env, first, last=last), env))


def comment_only(token: Token, position: SourcePosition) -> str:
    """HTML without comments. An unclosed comment, and text right behind one, are mistakes."""
    rest = uncommented(token.content).strip()
    raw = rest.splitlines()[0] if rest else ""
    if "<!--" in rest:
        raw = rest[rest.index("<!--") :].splitlines()[0]
        raise position.problem("a comment that is never closed", "end it with '-->'", raw)
    if rest[:1] not in ("", "<") and token.content.lstrip().startswith("<!--"):
        raise position.problem(f"'{raw}' stands behind the end of a comment", "put it on a line of its own", raw)
    return rest


def _prepared(token: Token, env: Env) -> str:
    """HTML in which everything but tags is escaped, and so are unclosed tags of unknown elements."""
    html, position = uncommented(token.content), SourcePosition(env, token)
    ended = env.ended
    pieces, at = [], 0
    for found in TAG.finditer(html):
        raw, name = found.group(), name_of(found.group())
        refuse(name, raw, position)
        known = name in AROUND | LOOKS | EMPTIED
        action: TagAction = "kept" if known and name not in EMPTIED else "dropped" if known or name in ended else "text"
        if action != "kept" and not (raw.startswith("</") and action == "dropped"):
            warn_tag(raw, action, position)
        pieces += [html[at : found.start()].replace("<", "&lt;"), escapeHtml(raw) if action == "text" else raw]
        at = found.end()
    return "".join([*pieces, html[at:].replace("<", "&lt;")])


def _unbalanced(raw: str, position: SourcePosition) -> None:
    counts: Counter[str] = Counter()
    for name, ends_it in _tags(raw):
        counts[name] += -1 if ends_it else 1
    for name, count in counts.items():
        if count:
            tag, what = (f"<{name}>", "is never closed") if count > 0 else (f"</{name}>", "closes nothing")
            position.warn(f"'{tag}' {what}", "let it end in the text that it begins in", tag[:-1], "html")


def _read_back(html: str, mark: str, behind: Sequence[Pieces], position: SourcePosition, env: Env) -> Iterator[Piece]:
    tags = list(TAG.finditer(html))
    dropped = _dropped_links([found.group() for found in tags], mark, behind)
    for index in sorted(dropped):
        _warn_dropped(tags[index].group(), position)
    at = 0
    for index, found in enumerate(tags):
        raw, name = found.group(), name_of(found.group())
        yield html[at : found.start()]
        at = found.end()
        carried = attributes_of(raw)
        if name == "hr" and mark in carried:
            yield from behind[int(carried[mark])]
        elif raw.startswith("</"):
            yield "" if index in dropped else "</table></div>" if name == "table" else raw
        elif index not in dropped:
            if name == "table":
                yield from table_frame(env)
            yield tag_piece(name, carried, position, unescape(carried.get("src") or carried.get("href") or raw))
    yield html[at:]


def _dropped_links(tags: Sequence[str], mark: str, behind: Sequence[Pieces]) -> set[int]:
    """The indices of the tags of links around Markdown that can't stand in a link: they are dropped."""
    dropped: set[int] = set()
    begun, held = -1, False
    for at, tag in enumerate(tags):
        name = name_of(tag)
        if name == "hr" and mark in (carried := attributes_of(tag)):
            held = held or any(map(_is_interactive, behind[int(carried[mark])]))
        elif name == "a" and tag.startswith("</"):
            dropped |= {begun, at} if held else set()
        elif name == "a":
            begun, held = at, False
    return dropped


def _is_interactive(piece: Piece) -> bool:
    """Whether a piece is interactive or may become so, and can't stand in a link: a link, a table, code."""
    if isinstance(piece, str):
        return bool(INTERACTIVE.search(piece))
    return not isinstance(piece, (ImageRef, MathRef, PhraseRef)) or names_state(getattr(piece, "src", ""))


def _warn_dropped(tag: str, position: SourcePosition) -> None:
    if href := attributes_of(tag).get("href", ""):
        message = f"the link to '{href}' is left out: it stands around another link, a table or code"
        position.warn(message, "let it end before that begins", href, "html")
