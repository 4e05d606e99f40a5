"""A parsed page: a sequence of blocks, and the holes in their prose that only the whole site can fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from loom.content.span import Span
from loom.model import Source

# Inline places. `line` and `column` point into the author's file.


@dataclass(frozen=True)
class TermRef:
    text: str
    target: str
    line: int
    column: int = 0


@dataclass(frozen=True)
class CiteRef:
    """One or more citations that stand together: (reference id, place inside it).

    `claim` is the sentence that rests on them, and `role` what they are to it; empty: the site decides.
    """

    items: tuple[tuple[str, str], ...]
    line: int
    column: int = 0
    role: str = ""
    claim: str = ""


@dataclass(frozen=True)
class ValueRef:
    scene: str
    name: str
    pins: Mapping[str, str]
    text: str
    line: int
    column: int = 0


@dataclass(frozen=True)
class LinkRef:
    """The opening of a link; its text and its end are ordinary HTML around it."""

    href: str
    line: int
    column: int = 0


@dataclass(frozen=True)
class ImageRef:
    src: str
    alt: str
    line: int
    column: int = 0


Hole = TermRef | CiteRef | ValueRef | LinkRef | ImageRef


@dataclass(frozen=True)
class Prose:
    """HTML with holes in it, in order."""

    parts: tuple[str | Hole, ...]

    @property
    def html(self) -> str:
        """The HTML, once the holes are filled."""
        (whole,) = self.parts
        return cast(str, whole)


@dataclass(frozen=True)
class Embed:
    """A scene in a page. `options` are parameters and `step`: name → (text, line)."""

    scene: str
    options: Mapping[str, tuple[str, int]]
    line: int

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters it begins with, as they are written."""
        return [(name, text) for name, (text, _) in self.options.items() if name != "step"]


@dataclass(frozen=True)
class Option:
    """An answer: its text, what is said of it, and whether it is right."""

    text: Prose
    explanation: Prose
    right: bool


@dataclass(frozen=True)
class Check:
    id: str
    question: Prose
    options: tuple[Option, ...]
    line: int


@dataclass(frozen=True)
class Predict:
    """A guess to make before `body` (a scene and what is said of it) opens."""

    id: str
    question: Prose
    options: tuple[Option, ...]
    body: tuple[Prose | Embed, ...]
    line: int


@dataclass(frozen=True)
class Listing:
    """The place of a generated list: `references` or `glossary`."""

    kind: str
    line: int


Block = Prose | Embed | Check | Predict | Listing


@dataclass(frozen=True)
class Heading:
    level: int
    id: str
    text: str
    line: int


@dataclass(frozen=True)
class Statement:
    """A sentence, or a row of a table: its words, and what it `rests` on, which is cited, computed or a scene.

    `waiver` is the author's reason why it needs nothing to rest on.
    """

    text: str
    line: int
    rests: frozenset[str]
    waiver: str = ""


@dataclass(frozen=True)
class Page:
    """A parsed page: what it says, before anything of the rest of the site is known."""

    source: Source
    title: str
    blocks: tuple[Block, ...]
    headings: tuple[Heading, ...] = ()
    statements: tuple[Statement, ...] = ()  # read only where they are asked for
    title_lines: tuple[int, int] = (0, 0)  # the lines of the text that are a heading with the title
    spans: tuple[Span, ...] = ()  # in their order

    @property
    def id(self) -> str:
        return self.source.id

    @property
    def embeds(self) -> dict[str, Embed]:
        """The scenes that the page shows, by id, in order."""
        parts = (part for block in self.blocks for part in (block.body if isinstance(block, Predict) else (block,)))
        return {part.scene: part for part in parts if isinstance(part, Embed)}

    def lists(self, kind: str) -> bool:
        """Whether the page holds a generated list of this kind."""
        return any(isinstance(block, Listing) and block.kind == kind for block in self.blocks)

    def proses(self) -> Iterator[Prose]:
        """Every piece of prose, however deep."""
        for block in self.blocks:
            if isinstance(block, Prose):
                yield block
            elif isinstance(block, (Check, Predict)):
                yield block.question
                for option in block.options:
                    yield from (option.text, option.explanation)
                if isinstance(block, Predict):
                    yield from (part for part in block.body if isinstance(part, Prose))
