"""Placeholders: parts of a page's prose that are filled when the whole site is known."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class PlainData(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """A record that is kept on disk and read back with its type."""


# `line` and `column` point into the author's file.


class TermRef(PlainData, frozen=True):
    text: str
    target: str
    line: int
    column: int = 0


class CiteRef(PlainData, frozen=True):
    """One or more citations that stand together: (reference id, place inside it).

    `claim` is the sentence that they support, and `role` how; an empty role is chosen by the site.
    """

    items: tuple[tuple[str, str], ...]
    line: int
    column: int = 0
    role: str = ""
    claim: str = ""


class ValueRef(PlainData, frozen=True):
    scene: str
    name: str
    pins: dict[str, str]
    text: str
    line: int
    column: int = 0


class LinkRef(PlainData, frozen=True):
    """The opening of a link; its text and its end are ordinary HTML around it."""

    href: str
    line: int
    column: int = 0
    title: str = ""


class ImageRef(PlainData, frozen=True):
    """A picture. `width` and `height` are what its author gave: pixels, or a percentage of the text's width."""

    src: str
    alt: str
    line: int
    column: int = 0
    title: str = ""
    width: str = ""
    height: str = ""


class MathRef(PlainData, frozen=True):
    """A formula; `shown` is `inline`, `block`, or `within`: a display formula inside a paragraph.

    A formula with a label has a number.
    """

    latex: str
    shown: str
    line: int
    label: str = ""
    number: int = 0


class EquationRef(PlainData, frozen=True):
    """A cross-reference to a numbered equation of the page."""

    label: str
    line: int
    column: int = 0


class FigureRef(PlainData, frozen=True):
    """A cross-reference to a figure of the page; '%s' in its text is the figure's number. Empty: only the number."""

    label: str
    text: str
    line: int
    column: int = 0


class PhraseRef(PlainData, frozen=True):
    """Text that Loom itself adds to a page, one of `PHRASES`: it is translated when the site's language is known."""

    phrase: str
    value: str = ""


TITLES = ("Note", "Tip", "Important", "Warning", "Caution", "Remember")  # of call-outs
PHRASES = ("Link to “{value}”", "Figure {value}", "Table", "Footnotes", "done", "to be done", *TITLES)
Placeholder = TermRef | CiteRef | ValueRef | LinkRef | ImageRef | MathRef | EquationRef | FigureRef | PhraseRef
Piece = str | Placeholder  # of prose: HTML, or what will be replaced by HTML
Pieces = list[Piece]


class Span(NamedTuple):
    """A part of a source in Loom's own syntax, from `start` to before `end`: the Markdown export replaces it.

    Its kind is a role, a link's address, a comment, a caption, a scene, the '!' of a picture of a state, or the first
    or the last line of a directive.
    """

    start: int
    end: int
    kind: str
    name: str = ""
    text: str = ""
