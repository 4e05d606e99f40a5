"""What stands in the prose of a page and only the whole site can fill."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class PlainData(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Can be written to disk, and is read again as what it was."""


# Inline places. `line` and `column` point into the author's file.


class TermRef(PlainData, frozen=True):
    text: str
    target: str
    line: int
    column: int = 0


class CiteRef(PlainData, frozen=True):
    """One or more citations that stand together: (reference id, place inside it).

    `claim` is the sentence that rests on them, and `role` what they are to it; empty: the site decides.
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
    """A formula; `shown` is `inline`, `block` or `within` a paragraph on a line of its own. Those with a label have a
    number.
    """

    latex: str
    shown: str
    line: int
    label: str = ""
    number: int = 0


class EquationRef(PlainData, frozen=True):
    """A place that names a numbered equation of its page."""

    label: str
    line: int
    column: int = 0


class FigureRef(PlainData, frozen=True):
    """A place that names a figure of its page; '%s' in its text is the figure's number, empty: it says just that."""

    label: str
    text: str
    line: int
    column: int = 0


class PhraseRef(PlainData, frozen=True):
    """Words that Loom itself adds to a page, one of `PHRASES`: said in the site's language when that is known."""

    phrase: str
    value: str = ""


TITLES = ("Note", "Tip", "Important", "Warning", "Caution", "Remember")  # of call-outs
PHRASES = ("Link to “{value}”", "Figure {value}", "Table", "Footnotes", "done", "to be done", *TITLES)
Placeholder = TermRef | CiteRef | ValueRef | LinkRef | ImageRef | MathRef | EquationRef | FigureRef | PhraseRef


class Span(NamedTuple):
    """A part of a source that only Loom understands: from `start` to before `end`.

    Its kind is a role, a link's address, a comment, a caption, a scene, the sign that makes a link to a state a
    picture, or a directive's first line or its end.
    """

    start: int
    end: int
    kind: str
    name: str = ""
    text: str = ""
