"""The sheet on which people review drawings: every scene, both widths, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from loom.compute import frame_of, states_of
from loom.discover import Found
from loom.frames import SceneData
from loom.layout import Layout
from loom.model import Output
from loom.scene import WIDTHS
from loom.states import from_end
from loom.svg import svg
from loom.templates import common, fill


@dataclass(frozen=True)
class Sample:
    """A step in both widths."""

    number: int
    say: str
    pictures: tuple[Markup, ...]


def gallery_page(layout: Layout) -> Output:
    """The page `/gallery/`: out of navigation and search engines."""
    web = layout.web
    sheets = [(found, _samples(found, web.data[name])) for name, found in web.founds.items()]
    values = {**common(web.site, layout.assets, "gallery/"), "sheets": sheets, "indexed": False}
    return {PurePosixPath("gallery/index.html"): fill(layout.jinja, "gallery.html", values)}


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
