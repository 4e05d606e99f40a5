"""A parsed page: a sequence of blocks; their prose has placeholders that are filled with the whole site at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from loom.content.placeholders import Piece, PlainData, Span
from loom.content.source import Source
from loom.errors import Problem


class Prose(PlainData, frozen=True):
    """HTML with placeholders in it, in order."""

    parts: tuple[Piece, ...]

    @property
    def html(self) -> str:
        """The HTML, once the placeholders are filled."""
        (whole,) = self.parts
        return cast(str, whole)


class Embed(PlainData, frozen=True):
    """A scene in a page. `options` are parameters and `step`: name → (text, line).

    A scene that is embedded twice on a page has its own name in one place, and the name `called` in the other.
    """

    scene: str
    options: dict[str, tuple[str, int]]
    line: int
    called: str = ""

    @property
    def name(self) -> str:
        """Its name on the page, in links and for the player."""
        return self.called or self.scene

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters it begins with, as they are written."""
        return [(name, text) for name, (text, _) in self.options.items() if name != "step"]


class Option(PlainData, frozen=True):
    """An answer: its text, its explanation, and whether it is right."""

    text: Prose
    explanation: Prose
    right: bool


class QuickCheck(PlainData, frozen=True):
    id: str
    question: Prose
    options: tuple[Option, ...]
    line: int


class Predict(PlainData, frozen=True):
    """A question to answer before `body`, a scene with its text, opens."""

    id: str
    question: Prose
    options: tuple[Option, ...]
    body: tuple[Prose | Embed, ...]
    line: int


class Listing(PlainData, frozen=True):
    """The place of a generated list: `references` or `glossary`."""

    kind: str
    line: int


Block = Prose | Embed | QuickCheck | Predict | Listing


def embeds_of(blocks: Iterable[Block]) -> Iterator[Embed]:
    """The scenes among some blocks, and behind their questions."""
    parts = (part for block in blocks for part in (block.body if isinstance(block, Predict) else (block,)))
    return (part for part in parts if isinstance(part, Embed))


class Heading(PlainData, frozen=True):
    level: int
    id: str
    text: str
    line: int


class Statement(PlainData, frozen=True):
    """A sentence, or a row of a table: its text, and the kinds of support that it `rests` on: cited, computed, a scene.

    `waiver` is the author's reason why it needs no support.
    """

    text: str
    line: int
    rests: frozenset[str]
    waiver: str = ""


class Page(PlainData, frozen=True):
    """A parsed page, before anything of the rest of the site is known."""

    source: Source
    title: str
    blocks: tuple[Block, ...]
    headings: tuple[Heading, ...] = ()
    statements: tuple[Statement, ...] = ()  # only filled for `check`
    title_lines: tuple[int, int] = (0, 0)  # the lines of the text that are a heading with the title
    spans: tuple[Span, ...] = ()  # in their order
    heading: str = ""  # the heading above the page; its front matter may give another title
    warnings: tuple[Problem, ...] = ()  # what `check` reports, and no build
    figures: dict[str, int] = {}  # the numbers of those that have a name

    @property
    def id(self) -> str:
        return self.source.id

    @property
    def embeds(self) -> dict[str, Embed]:
        """The scenes that the page shows, by what they are called there, in order."""
        return {one.name: one for one in embeds_of(self.blocks)}

    def lists(self, kind: str) -> bool:
        """Whether the page holds a generated list of this kind."""
        return any(isinstance(block, Listing) and block.kind == kind for block in self.blocks)

    def proses(self) -> Iterator[Prose]:
        """Every piece of prose, in reading order, however deep."""
        return (part for part in self._pieces() if isinstance(part, Prose))

    def parts(self) -> Iterator[Piece | Embed]:
        """HTML, placeholders and scenes, in reading order."""
        for piece in self._pieces():
            if isinstance(piece, Prose):
                yield from piece.parts
            else:
                yield piece

    def _pieces(self) -> Iterator[Prose | Embed]:
        for block in self.blocks:
            if isinstance(block, (Prose, Embed)):
                yield block
            elif isinstance(block, (QuickCheck, Predict)):
                yield block.question
                for option in block.options:
                    yield from (option.text, option.explanation)
                if isinstance(block, Predict):
                    yield from block.body
