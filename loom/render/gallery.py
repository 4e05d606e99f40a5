"""The sheet on which people review drawings: every scene, both widths, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from loom.model import Output
from loom.render.context import RenderContext
from loom.render.frames import Pictures
from loom.render.templates import common, fill
from loom.scene import WIDTHS
from loom.scenes.parameters import from_end
from loom.scenes.results import SceneData


@dataclass(frozen=True)
class Sample:
    """A step in both widths."""

    number: int
    say: str
    pictures: tuple[Markup, ...]


def gallery_page(context: RenderContext) -> Output:
    """The page `/gallery/`: out of navigation and search engines."""
    index = context.index
    sheets = [(known.info, _samples(known.at({}))) for known in index.data.values()]
    values = {**common(index.config, context.assets, "gallery/"), "sheets": sheets, "indexed": False}
    return {PurePosixPath("gallery/index.html"): fill(context.jinja, "gallery.html", values)}


def _samples(data: SceneData) -> list[Sample]:
    """What a scene shows at first, and at its key steps."""
    said = data.say({})
    wanted = {from_end(number, len(said)) for number in (data.info.opening, *data.info.key_steps)}
    pictures = [Pictures(data, {}, width) for width in WIDTHS]
    return [
        Sample(number, said[number - 1], tuple(one.step(number, f"step {number}") for one in pictures))
        for number in sorted(wanted)
    ]
