"""The gallery, for looking at drawings: every scene at both widths, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from loom.model import Output
from loom.render.context import RenderContext
from loom.render.templates import common, fill
from loom.render.words import Words
from loom.scene import WIDTHS
from loom.scenes.frames import Pictures
from loom.scenes.parameters import absolute_step
from loom.scenes.results import SceneData

STRIP = 12  # the approximate number of beats of a step that are shown


@dataclass(frozen=True)
class Sample:
    """A step at both widths, with dots at the places of its handles, and its beats as a strip."""

    number: int
    say: str
    pictures: tuple[Markup, ...]
    beats: Sequence[Markup]


def gallery_page(context: RenderContext) -> Output:
    """The page `/gallery/`, which is not in the navigation, and hidden from search engines, with its style sheets."""
    index, styles = context.index, context.assets.scale | context.assets.gallery
    sheets = [(known.info, _samples(known.at({}), context.words)) for known in index.data.values()]
    values = {
        **common(index.config, context.assets, "gallery/"),
        "sheets": sheets,
        "styles": [str(path) for path in styles],
        "indexed": False,
    }
    return {PurePosixPath("gallery/index.html"): fill(context.jinja, "gallery.html", values), **styles}


def _samples(data: SceneData, words: Words) -> list[Sample]:
    """The opening step and the key steps of a scene."""
    said = data.say({})
    wanted = {absolute_step(number, len(said)) for number in (data.info.opening, *data.info.key_steps)}
    pictures = [Pictures(data, {}, width) for width in WIDTHS]
    return [
        Sample(
            number,
            said[number - 1],
            tuple(one.step(number, f"{words('Step')} {number}", rails=True) for one in pictures),
            pictures[0].beats(number)[:: max(1, pictures[0].file.beats(pictures[0].key, number) // STRIP)],
        )
        for number in sorted(wanted)
    ]
