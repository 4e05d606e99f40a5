"""Marks to static SVG: the same attributes that the player sets."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from loom.draw.marks import Mark, attributes, svg_tag


def svg(marks: Iterable[Mark], width: float, height: float, *, label: str = "", name: str = "") -> Markup:
    """A picture. `label` is its text alternative; without one it is decoration beside text that says the same.

    Its elements stand in the order of the marks, which is how the player knows them.
    """
    described = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    head = Markup('<svg class="picture {}" viewBox="0 0 {:g} {:g}" {}>').format(name, width, height, described)
    return head + Markup("").join(_element(mark) for mark in marks) + Markup("</svg>")


def _element(mark: Mark) -> Markup:
    pairs = "".join(f' {name}="{escape(str(value))}"' for name, value in attributes(mark).items())
    tag = svg_tag(mark)
    return Markup(f"<{tag}{pairs}>{escape(mark.text)}</{tag}>")
