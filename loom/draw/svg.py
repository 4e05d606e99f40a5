"""Marks to static SVG: the same attributes that the player sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from markupsafe import Markup, escape

from loom.draw.marks import Mark, attributes, svg_tag


class Element(NamedTuple):
    """A mark as SVG draws it."""

    tag: str
    attributes: Mapping[str, float | str]
    words: str = ""


def element(mark: Mark) -> Element:
    """How a mark is drawn."""
    return Element(svg_tag(mark), attributes(mark), mark.text)


def svg(marks: Iterable[Mark | Element], width: float, height: float, *, label: str = "", name: str = "") -> Markup:
    """A picture. `label` is its text alternative; without one it is decoration beside text that says the same.

    Its elements stand in the order of the marks, which is how the player knows them.
    """
    described = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    head = Markup('<svg class="picture {}" viewBox="0 0 {:g} {:g}" {}>').format(name, width, height, described)
    drawn = (one if isinstance(one, Element) else element(one) for one in marks)
    return head + Markup("".join(map(_written, drawn))) + Markup("</svg>")


def _written(one: Element) -> str:
    pairs = "".join([f' {name}="{escape(str(value))}"' for name, value in one.attributes.items()])
    return f"<{one.tag}{pairs}>{escape(one.words)}</{one.tag}>"
