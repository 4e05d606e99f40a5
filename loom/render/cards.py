"""A page's social card: its title, the site's name and its first picture, as a PNG."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from markupsafe import Markup

from loom.content.blocks import Page
from loom.draw.text import text_width, wrap
from loom.render.assets import fingerprint
from loom.render.context import PageContext
from loom.render.scene_figure import SceneFigure
from loom.render.templates import fill

BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
MARGIN, WIDTH = 72, 1200
LINES = {84: 2, 76: 3, 68: 4, 60: 4, 52: 5, 46: 6, 40: 7}  # type sizes of the title, with the allowed number of lines
ROOM = (460, 530)  # the largest width and height of the picture


class Card(msgspec.Struct, frozen=True):
    """A card as SVG, not rasterised yet, and the path of its PNG, which has a hash of the contents in its name."""

    path: str
    svg: str


def card(context: PageContext, page: Page, figure: SceneFigure | None) -> Card | None:
    """The card of a page; None if the site has no `url:`, or the packages for drawing are not installed."""
    config, tools = context.site.config, context.shared.card_tools
    if not (config.url and context.frame.cards and tools):
        return None
    picture = _picture(figure) if figure else None
    lines, size = _title(page.title, WIDTH - 2 * MARGIN - (picture["width"] + MARGIN if picture else 0))
    values = {
        "rules": Markup(tools.rules) if picture else "",
        "site": config.title,
        "title": lines,
        "size": size,
        "summary": wrap(page.source.meta.summary, 30, 900)[:3],
        "picture": picture,
    }
    svg = fill(context.jinja, "card.svg", values).decode()
    name = fingerprint({"svg": svg.encode(), "tools": context.frame.cards.encode()})
    return Card(f"assets/cards/{page.id.replace('/', '-')}.{name}.png", svg)


def _picture(figure: SceneFigure) -> dict[str, Any]:
    """The scene's narrow opening picture, as large as fits beside the title."""
    markup = figure.pictures[0]
    found = BOX.search(markup)
    width, height = (float(side) for side in found.groups()) if found else (1.0, 1.0)
    scale = min(ROOM[0] / width, ROOM[1] / height)
    return {"markup": markup, "width": round(scale * width), "height": round(scale * height)}


def _title(title: str, room: float) -> tuple[list[str], int]:
    """The title in lines, and its type size."""
    for size in LINES:
        lines = wrap(title, size, room)
        if len(lines) <= LINES[size] and all(text_width(line, size) <= room for line in lines):
            return _even(title, size, room), size
    return wrap(title, size, room)[: LINES[size]], size


def _even(title: str, size: int, room: float) -> list[str]:
    """The title in the same number of lines, of lengths as equal as possible."""
    lines = wrap(title, size, room)
    while len(closer := wrap(title, size, room := room - size / 4)) == len(lines):
        if any(text_width(line, size) > room for line in closer):
            break
        lines = closer
    return lines
