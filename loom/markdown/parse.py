"""Parse Markdown into a page: a sequence of blocks, with its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from loom.content.blocks import Block, Embed, Heading, Listing, Option, Page, Predict, Prose, QuickCheck, Statement
from loom.content.source import Source
from loom.errors import LoomError, Problem
from loom.hints import suggest
from loom.markdown.dialect import CALLOUTS, parser_for, slug
from loom.markdown.env import Env
from loom.markdown.figures import figure_parts, warn_pictures
from loom.markdown.foreign_syntax import warn_foreign_syntax
from loom.markdown.fragments import fragments, joined
from loom.markdown.likely_typos import indented_directives, unclosed_fences
from loom.markdown.outline import closed, shared_anchors, split_title, warn_outline, warn_titles
from loom.markdown.sentences import statements
from loom.markdown.syntax import lost_captions
from loom.markdown.tokens import directive, end_of, fields, plain_text, top_blocks

LISTINGS = ("references", "glossary")
SCENE_NAME = re.compile(r"[a-z][a-z0-9-]*")


def parse_page(source: Source, *, stated: bool = False) -> tuple[Page, list[Problem]]:
    """A page as far as it can be read, and every mistake in its text.

    With `stated`, its sentences are collected, so that `check` can hold them to their sources.
    """
    env = Env(source)
    text = source.body if source.body.endswith("\n") else f"{source.body}\n"  # the parser expects a final line end
    md = parser_for(text)
    return _Reader(md, env, stated).page(source, md.parse(text, env))


class _Reader:
    """Reads one page's tokens; goes on after a mistake, to report all of them."""

    def __init__(self, md: MarkdownIt, env: Env, stated: bool) -> None:
        self.md, self.env, self.stated = md, env, stated
        self.problems = env.problems
        self.statements: list[Statement] = []

    def page(self, source: Source, tokens: list[Token]) -> tuple[Page, list[Problem]]:
        warn_foreign_syntax(tokens, self.env)
        tokens, heading = split_title(closed(tokens, self.env))
        self.problems += unclosed_fences(tokens, self.env) + indented_directives(tokens, self.env)
        blocks = tuple(self.blocks(tokens))
        headings = tuple(self.headings(tokens))
        self.problems += lost_captions(self.env)
        warn_outline(tokens, self.env)
        self.problems += shared_anchors(blocks, headings, self.env)
        above, lines = (heading.text, heading.lines) if heading else ("", (0, 0))
        warn_titles(heading, source.meta.title, self.env)
        page = Page(source, source.title(above), blocks, headings, tuple(self.statements))
        warn_pictures(page.parts(), self.env)
        figures = {label: at for at, label in enumerate(self.env.figures.values(), 1) if label}
        spans, warnings = tuple(self.env.spans), tuple(self.env.warnings)
        page = replace(page, spans=spans, warnings=warnings, heading=above, figures=figures, title_lines=lines)
        return page, self.problems

    def blocks(self, tokens: list[Token]) -> Iterator[Block]:
        """Blocks: stretches of prose, divided by the directives that are blocks of their own."""
        start = index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "container_directive_open":
                end = end_of(tokens, index)
                if directive(token)[0] not in CALLOUTS:
                    yield from self.prose(tokens[start:index])
                    yield from self._directive(token, tokens[index + 1 : end])
                    start = end + 1
                index = end
            index += 1
        yield from self.prose(tokens[start:])

    def prose(self, tokens: list[Token], *, stated: bool = True) -> Iterator[Prose]:
        """Tokens as HTML with placeholders; nothing if they are empty. Questions and answers are not `stated`."""
        try:
            parts = joined(fragments(self.md, tokens, self.env))
        except LoomError as error:  # try again block by block, to find further mistakes
            blocks = list(top_blocks(tokens))
            if len(blocks) > 1:
                for block in blocks:
                    yield from self.prose(block, stated=stated)
            else:
                self.problems += error.problems
            return
        if stated and self.stated:
            self.statements += statements(tokens, self.env)
        if parts:
            yield Prose(parts)

    def headings(self, tokens: list[Token]) -> Iterator[Heading]:
        for index, token in enumerate(tokens):
            if token.type == "heading_open" and "id" in token.attrs:
                text, line = plain_text(tokens[index + 1]), self.env.line_of(token)
                yield Heading(int(token.tag[1]), str(token.attrs["id"]), text, line)

    def _problem(self, token: Token, message: str, hint: str = "") -> None:
        self.env.add(self.env.line_of(token), message, hint)

    def _directive(self, token: Token, inner: list[Token]) -> Iterator[Block]:
        name, argument = directive(token)
        if name == "scene":
            yield from self._embed(token, argument, inner)
            return
        if argument and name in ("check", "predict", *LISTINGS):
            self._problem(token, f"'{name}' takes nothing behind it; here is '{argument}'", "write it on its own line")
        if name in ("check", "predict"):
            yield from self._question(token, inner)
        elif name in LISTINGS:
            yield Listing(name, self.env.line_of(token))
        elif name == "figure":
            caption = [part for prose in self.prose(inner) for part in prose.parts]
            yield Prose(joined(figure_parts(token, inner, caption, self.env)))
        else:
            known = ("scene", "check", "figure", "predict", *CALLOUTS, *LISTINGS)
            word = name.removeprefix("::: ").split(" ")[0]
            hint = suggest(word, known) if word not in known else f"write {token.markup}{{{word}}}"
            self._problem(token, f"unknown directive '{name}'", hint)

    def _embed(self, token: Token, argument: str, inner: list[Token]) -> Iterator[Embed]:
        if not argument:
            self._problem(token, "which scene?", "write :::{scene} scene-id")
            return
        argument, _, state = argument.partition(" ") if "=" in argument else (argument, "", "")
        if state:
            self._problem(token, f"'{state}' stands behind the scene's name", "write ':name: value' in lines below it")
        options = fields(inner, self.env)
        listed = end_of(inner, 0) + 1 if inner and inner[0].type == "field_list_open" else 0
        if inner[listed:]:
            self._problem(inner[listed], "a scene holds only ':name: value' lines", "write its text before or after it")
        called, line = options.pop("as", ("", 0))
        if called and not SCENE_NAME.fullmatch(called):
            message, hint = f"a scene can't be called '{called}'", "use small letters, digits and hyphens"
            self.env.add(line, message, hint)
        yield Embed(argument, options, self.env.line_of(token), called)

    def _question(self, token: Token, inner: list[Token]) -> Iterator[QuickCheck | Predict]:
        name, _ = directive(token)
        start = next((at for at, item in enumerate(inner) if item.type == "bullet_list_open"), None)
        if start is None:
            self._problem(token, f"a {name} needs a list of answers", "write them as '- [ ] …' and '- [x] …'")
            return
        end = end_of(inner, start)
        question = _one(self.prose(inner[:start], stated=False))
        before = len(self.problems)  # an answer that can't be read may be the right one
        options = tuple(self._options(inner[start + 1 : end], explained=name == "check"))
        anchor = f"{name}-" + slug(" ".join(item.content for item in inner[:start] if item.type == "inline"))[:48]
        if not question.parts:
            self._problem(token, f"this {name} has no question", "write it before the answers")
        if not any(option.right for option in options) and len(self.problems) == before:
            self._problem(token, f"no answer of this {name} is right", "mark one with '- [x]'")
        elif name == "predict" and all(option.right for option in options):
            self._problem(token, "every answer of this predict is right", "add one that is not: '- [ ] …'")
        line, rest = self.env.line_of(token), inner[end + 1 :]
        if name == "check":
            if rest:
                self._problem(rest[0], "text behind the answers of a check", "write it under an answer, indented")
            yield QuickCheck(anchor, question, options, line)
            return
        if any(option.explanation.parts for option in options):
            self._problem(token, "an answer of a predict has an explanation", "write it behind the scene")
        body = tuple(self.blocks(rest))
        allowed = tuple(block for block in body if isinstance(block, (Prose, Embed)))
        for block in body:
            if not isinstance(block, (Prose, Embed)):
                message, hint = "a predict holds text and scenes only", "move this directive out of it"
                self.env.add(block.line, message, hint)
        if not any(isinstance(block, Embed) for block in allowed):
            self._problem(token, "a predict opens a scene, and there is none in it", "put :::{scene} … inside")
        yield Predict(anchor, question, options, allowed, line)

    def _options(self, items: list[Token], *, explained: bool) -> Iterator[Option]:
        for opening, *rest in top_blocks(items):
            inner = rest[:-1]
            paragraph = end_of(inner, 0) + 1 if inner else 0
            if "checked" not in opening.meta or paragraph < 2:
                self._problem(opening, "an answer begins with '[ ]' or '[x]'", "write '- [ ] …' or '- [x] …'")
            else:
                text = _one(self.prose(inner[1:2], stated=False))
                explanation = _one(self.prose(inner[paragraph:]))
                if explained and not explanation.parts:
                    self._problem(opening, "an answer has no explanation", "write it under the answer, indented")
                yield Option(text, explanation, bool(opening.meta["checked"]))


def _one(prose: Iterator[Prose]) -> Prose:
    return next(prose, Prose(()))
