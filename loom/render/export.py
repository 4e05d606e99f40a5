"""A scene for slides and papers: a picture, or a film, from the frames that the player gets."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from loom.draw.svg import Element, svg
from loom.errors import LoomError, Problem
from loom.render.encoders import RATE, gif, mp4
from loom.render.film import moments, story
from loom.render.rasterize import NEEDS, CardTools, all_rasterised
from loom.scene import WIDTHS
from loom.scenes.frames import DataFile
from loom.scenes.parameters import from_end, read_step
from loom.scenes.results import SceneData

FORMATS = {"svg": (), "png": ("resvg_py",), "gif": ("resvg_py", "PIL"), "mp4": ("resvg_py", "PIL", "av")}
MARGIN = 12  # around the drawing, in its units


@dataclass(frozen=True)
class ExportRequest:
    """What is asked for: `drawing` is that for phones or the wide one, `width` are the pixels of the picture."""

    format: str
    step: str = ""
    drawing: str = "wide"
    width: int = 0
    transparent: bool = False


def lacking(wanted: str) -> list[str]:
    """The packages that a format needs and that are not there."""
    needed = dict.fromkeys([*NEEDS[1:], *FORMATS[wanted]])
    return [name for name in needed if importlib.util.find_spec(name) is None]


def exported(data: SceneData, params: Mapping[str, str], wish: ExportRequest, tools: CardTools) -> bytes:
    """The file."""
    said, key = data.say(params), data.key(params)
    step, wrong = read_step(wish.step, len(said)) if wish.step else (from_end(data.info.opening, len(said)), "")
    if wrong:
        raise LoomError(Problem("--step", 0, 0, wrong, f"write a number from 1 to {len(said)}"))
    if wish.format == "mp4" and wish.transparent:
        raise LoomError(Problem("--transparent", 0, 0, "an MP4 can't be transparent", "make a GIF, or pictures as PNG"))
    sheet = Canvas(data, wish, tools)
    file = DataFile(data.files[data.file(params, wish.drawing)])
    if wish.format in ("svg", "png"):
        picture = sheet.drawn(file.frame(key, step), said[step - 1])
        return picture.encode() if wish.format == "svg" else next(sheet.pngs([picture]))
    seen = list(moments(story(file, key, said, step if wish.step else None), 1000 / RATE))
    pictures = zip(sheet.pngs(sheet.drawn(one.marks) for one in seen), [one.lasts for one in seen], strict=True)
    return gif(pictures) if wish.format == "gif" else mp4(pictures)


class Canvas:
    """What all pictures of an export stand on: it needs no style sheet and nothing else from elsewhere."""

    def __init__(self, data: SceneData, wish: ExportRequest, tools: CardTools) -> None:
        self.data, self.wish, self.tools = data, wish, tools
        self.size = WIDTHS[wish.drawing], data.heights[wish.drawing]

    def drawn(self, marks: Iterable[Element], said: str = "") -> str:
        """A picture that stands by itself."""
        width, height = (side + 2 * MARGIN for side in self.size)
        pixels = self.wish.width or round(width)
        paper = Markup('<rect fill="{}" x="{}" y="{}" width="{:g}" height="{:g}"/>').format(
            self.tools.names["--paper"], -MARGIN, -MARGIN, width, height
        )
        inner = str(svg(marks, *self.size)).removeprefix("<svg").removesuffix("</svg>")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width:g} {height:g}" '
            f'width="{pixels}" height="{round(pixels * height / width)}">'
            f"<title>{escape(self.data.info.title)}</title><desc>{escape(said)}</desc>"
            f"<style>{self.tools.rules}</style>{'' if self.wish.transparent else paper}<g{inner}</g></svg>"
        )

    def pngs(self, pictures: Iterable[str]) -> Iterator[bytes]:
        """The pictures in pixels."""
        return all_rasterised(pictures, self.tools.fonts)
