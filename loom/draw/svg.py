"""Marks to static SVG: what the player draws, written in fewer bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from markupsafe import Markup, escape

from loom.draw.marks import Mark, fields, svg_tag
from loom.draw.path import shortest


class Element(NamedTuple):
    """A mark as SVG draws it."""

    tag: str
    attributes: Mapping[str, float | str]
    words: str = ""

    @property
    def roles(self) -> list[str]:
        """The mark's role and its modifiers."""
        return str(self.attributes.get("class", "")).split()


def element(mark: Mark) -> Element:
    """How a mark is drawn."""
    return Element(svg_tag(mark), fields(mark), mark.text)


def svg(marks: Iterable[Mark | Element], width: float, height: float, *, label: str = "", name: str = "") -> Markup:
    """A picture. `label` is its text alternative; without one it is decoration beside text that says the same.

    Its elements stand in the order of the marks, without hints: it does not answer the hand. The most frequent type
    size is written once, at the root.
    """
    elements = [one if isinstance(one, Element) else element(one) for one in marks]
    drawn = [one for one in elements if "hint" not in one.roles]
    sizes = Counter([one.attributes["font-size"] for one in drawn if "font-size" in one.attributes])
    usual = max(sizes, key=sizes.__getitem__) if sizes else None
    described = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    size = Markup(' font-size="{}"').format(usual) if sizes else ""
    head = Markup('<svg class="picture {}" viewBox="0 0 {:g} {:g}" {}{}>').format(name, width, height, described, size)
    return head + Markup("".join([_written(one, usual) for one in drawn])) + Markup("</svg>")


def _written(one: Element, usual: float | str | None) -> str:
    found = {name: value for name, value in one.attributes.items() if name != "font-size" or value != usual}
    if "d" in found:
        found["d"] = shortest(str(found["d"]))
    pairs = "".join([f' {name}="{escape(str(value))}"' for name, value in found.items()])
    return f"<{one.tag}{pairs}>{escape(one.words)}</{one.tag}>" if one.words else f"<{one.tag}{pairs}/>"
