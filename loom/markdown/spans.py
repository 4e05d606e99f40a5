"""Record where a page's source has Loom's own syntax, which the export as plain Markdown replaces.

In the source `See {term}`warp`.` a role is at 4 to 16: this is its *span*. Inline rules note at their tokens the range
that they have read (`recording_span`); it counts from the start of the block's text. When all blocks are parsed,
`_gather` translates these ranges into places of the source, and adds the spans of whole lines, such as directives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, image, link
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_inline
from mdit_py_plugins.myst_role.index import myst_role

from loom.addresses import names_state
from loom.content.placeholders import Span
from loom.markdown.attributes import AT_END, LISTED, NAME
from loom.markdown.env import Env, env_of
from loom.markdown.source_lines import SourceLines
from loom.markdown.tokens import directive, without_code

Rule = Callable[[StateInline, bool], bool]
SIGNS = ("mark_open", "sub_open", "sup_open")
# The address of a link or a picture in HTML.
ADDRESS = re.compile(r"<(?:a|img)\s(?:[^<>]*\s)?(?:href|src)\s*=\s*[\"']?(?P<address>[^\"'<>\s]+)", re.IGNORECASE)
AS = re.compile(r"^:as: *(\S+)", re.MULTILINE)  # the other name of a scene that is embedded twice
DEFINED = re.compile(r"\[(?:[^\[\]\\]|\\.)*\]:[ \t]*(?:\n[ \t>]*)?", re.DOTALL)
NOTED = {"myst_role": myst_role, "link": link, "image": image, "footnote_inline": footnote_inline}


def record_spans(md: MarkdownIt) -> None:
    """Make a parser record spans in `Env.spans`, before footnotes are moved to the end of the page."""
    for name, rule in NOTED.items():
        md.inline.ruler.at(name, recording_span(rule))
    md.core.ruler.after("inline", "spans", _gather)


def recording_span(rule: Rule) -> Rule:
    """Wrap an inline rule, so that it records at its token the range that it has read."""

    def recording(state: StateInline, silent: bool) -> bool:
        start, known = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            token = next(one for one in state.tokens[known:] if one.type != "text")
            place = (start, state.pos)
            if token.type in ("link_open", "image"):
                place = _destination(state, start + (token.type == "image"), state.pos)
            token.meta |= {"span": place, "start": start}
        return True

    return recording


def _destination(state: StateInline, start: int, end: int) -> tuple[int, int]:
    """The range of a link's address; empty, at `end`, if the address is defined elsewhere."""
    at = state.md.helpers.parseLinkLabel(state, start, state.src[start - 1 : start] != "!") + 1
    if at >= end or state.src[at] != "(":
        return end, end
    at += 1
    while state.src[at].isspace():
        at += 1
    return at, parseLinkDestination(state.src, at, end).pos


def _gather(state: StateCore) -> None:
    lines = SourceLines(state.src)
    env = env_of(state)
    env.spans = sorted([*_block_spans(lines, state.tokens, env), *_line_spans(lines, env)])


def _block_spans(lines: SourceLines, tokens: Sequence[Token], env: Env) -> Iterator[Span]:
    """The spans of texts, blocks of HTML and directives."""
    for at, token in enumerate(tokens):
        first, last = token.map or (0, 0)
        before = tokens[at - 1].type if at else ""
        if token.type == "inline" and token.map:
            yield from _text_spans(lines, token, env, before)
            if before == "heading_open":
                yield from _heading_name(lines, last - 1)
        elif token.type == "html_block":
            yield from _html_spans(lines.text, lines.starts[first], lines.starts[last])
        elif token.type == "container_directive_open":
            yield from _directive_spans(lines, token, first, last, next(iter(tokens[at + 1 : at + 2]), token))


def _line_spans(lines: SourceLines, env: Env) -> Iterator[Span]:
    """The spans of captions, and of addresses that are defined in a line of their own: `[name]: address`."""
    for words, number in env.captions.values():
        yield Span(lines.find(number, "{caption="), lines.end(number), "caption", words)
    for one in (*env.get("references", {}).values(), *env.get("duplicate_refs", ())):
        begin, end = (lines.starts[line] for line in one["map"])
        if found := DEFINED.search(lines.text, begin, end):
            stop = parseLinkDestination(lines.text, found.end(), end).pos
            yield Span(found.end(), stop, "link")


def _heading_name(lines: SourceLines, number: int) -> Iterator[Span]:
    """The list of attributes at the end of a heading's line, as in `## Words {#name}`."""
    if found := AT_END.search(lines.lines[number]):
        start = lines.starts[number] + lines.lines[number].index("{", found.start())
        name = NAME.search(found.group())
        end = start + found.group().strip().index("}") + 1
        yield Span(start, end, "name" if name else "comment", name[1] if name else "")


def _directive_spans(lines: SourceLines, token: Token, first: int, last: int, options: Token) -> Iterator[Span]:
    """The opening and the closing line of a directive; of a scene, all in between as well."""
    name, argument = directive(token)
    opening = Span(lines.find(first, ":::"), lines.end(first), "directive", name, argument)
    if name == "figure":
        given = options.meta["options"] if options.type == "figure_options" else {}
        end = lines.end(options.map[1] - 1) if given and options.map else opening.end
        opening = Span(opening.start, end, "figure", argument, given.get("alt", ("",))[0])
    closed = ":::" in "".join(lines.lines[last : last + 1])
    closing = Span(lines.find(last, ":::"), lines.end(last), "end") if closed else opening
    if name == "scene":
        called = AS.search("\n".join(lines.lines[first + 1 : last]))
        yield Span(opening.start, closing.end, "scene", called[1] if called else argument)
    else:
        yield from (opening, closing)


def _html_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """The addresses of links and pictures in a block of HTML, and its comments."""
    for found in ADDRESS.finditer(text, start, end):
        yield Span(*found.span("address"), "link")
    while (start := text.find("<!--", start, end)) >= 0:
        close = text.find("-->", start + 2, end)
        stop = close + 3 if close >= 0 else end
        yield Span(start, stop, "comment")
        start = stop


def _text_spans(lines: SourceLines, block: Token, env: Env, before: str) -> Iterator[Span]:
    """The spans of an inline text, `before` which stands a token of this type."""
    source = lines.places(block, cell=before in ("td_open", "th_open"))
    if not source:
        return
    content = block.content
    listed = LISTED.finditer(without_code(content)) if "{" in content and before != "heading_open" else ()
    taken = [Span(*found.span(), "comment") for found in listed]
    for one in (*_noted(block.children or [], 0, env), *taken):
        if one.end > one.start:
            yield Span(source(one.start), source(one.end - 1) + 1, one.kind, one.name, one.text)


def _noted(children: Sequence[Token], offset: int, env: Env) -> Iterator[Span]:
    """The recorded spans of an inline text and of its inline footnotes, counted from its start."""
    for token in children:
        recorded = token.meta.get("span", (0, 0))
        start, end = (offset + at for at in recorded)
        if token.type == "myst_role":
            yield Span(start, end, "role", token.meta["name"], token.content)
        elif token.type == "html_inline" and (found := ADDRESS.match(token.content)):
            start, end = (start + at for at in found.span("address"))
            yield Span(start, end, "link")
        elif token.type == "html_inline" and token.content.startswith("<!--"):
            yield Span(start, end, "comment")
        elif token.type in SIGNS:
            length, name = len(token.markup), token.tag
            yield Span(start, start + length, "sign", f"<{name}>")
            yield Span(end - length, end, "sign", f"</{name}>")
        elif token.type in ("link_open", "image"):
            if names_state(str(token.attrs.get("src", ""))):  # a picture of a state becomes a link to it
                sign = offset + token.meta["start"]
                yield Span(sign, sign + 1, "still")
            yield Span(start, end, "link")
        elif token.type == "footnote_ref" and any(recorded):
            inner = env["footnotes"]["list"][token.meta["id"]]["tokens"]
            yield from _noted(inner, start + 2, env)
