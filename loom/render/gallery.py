"""The sheet on which people review drawings: every scene, both widths, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from loom.draw.svg import svg
from loom.model import Output
from loom.render.context import RenderContext
from loom.render.templates import common, fill
from loom.scene import WIDTHS
from loom.scenes.discover import Found
from loom.scenes.parameters import from_end
from loom.scenes.results import SceneData
from loom.scenes.run import frame_of, states_of


@dataclass(frozen=True)
class Sample:
    """A step in both widths."""

    number: int
    say: str
    pictures: tuple[Markup, ...]


def gallery_page(context: RenderContext) -> Output:
    """The page `/gallery/`: out of navigation and search engines."""
    index = context.index
    sheets = [(known.found, _samples(known.found, known.data)) for known in index.data.values()]
    values = {**common(index.config, context.assets, "gallery/"), "sheets": sheets, "indexed": False}
    return {PurePosixPath("gallery/index.html"): fill(context.jinja, "gallery.html", values)}


def _samples(found: Found, data: SceneData) -> list[Sample]:
    params = found.scene.resting({})
    states = states_of(found, params)
    wanted = {from_end(number, len(states)) for number in (found.scene.opening, *found.scene.key_steps)}
    variant = data.variants[found.scene.key(params)]

    def picture(number: int, name: str) -> Markup:
        frame = frame_of(found, states[number - 1], WIDTHS[name], params, number)
        return svg(frame, WIDTHS[name], data.heights[name], label=f"step {number}", name=name)

    return [
        Sample(number, variant.say[number - 1], tuple(picture(number, name) for name in WIDTHS))
        for number in sorted(wanted)
    ]
