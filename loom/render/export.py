"""Export a scene for slides and papers, from the player's data files: as a picture, or as a film.

The packages that this needs come with the extra `export`.
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from markupsafe import Markup, escape

from loom.draw.svg import Element, svg
from loom.errors import LoomError, Problem
from loom.render.film import moments, story
from loom.render.rasterize import NEEDS, CardTools, all_rasterised
from loom.scene import WIDTHS
from loom.scenes.frames import DataFile
from loom.scenes.parameters import absolute_step, read_step
from loom.scenes.results import SceneData

FORMATS = {"svg": (), "png": ("resvg_py",), "gif": ("resvg_py", "PIL"), "mp4": ("resvg_py", "PIL", "av")}
MARGIN = 12  # around the drawing, in its units
Timed = Iterable[tuple[bytes, float]]  # a PNG, and its duration in milliseconds
CLEAR = 255  # the palette index for transparency, behind those of the colours
RATE = 25  # pictures per second


@dataclass(frozen=True)
class ExportRequest:
    """The options of an export: `drawing` is "narrow" or "wide", `width` is in pixels."""

    format: str
    step: str = ""
    drawing: str = "wide"
    width: int = 0
    transparent: bool = False


def lacking(wanted: str) -> list[str]:
    """The packages that a format needs and that are not installed."""
    needed = dict.fromkeys([*NEEDS[1:], *FORMATS[wanted]])
    return [name for name in needed if importlib.util.find_spec(name) is None]


def exported(data: SceneData, params: Mapping[str, str], request: ExportRequest, tools: CardTools) -> bytes:
    """The exported file."""
    said, key = data.say(params), data.key(params)
    step, wrong = absolute_step(data.info.opening, len(said)), ""
    if request.step:
        step, wrong = read_step(request.step, len(said))
    if wrong:
        raise LoomError(Problem("--step", 0, 0, wrong, f"write a number from 1 to {len(said)}"))
    if request.format == "mp4" and request.transparent:
        raise LoomError(Problem("--transparent", 0, 0, "an MP4 can't be transparent", "make a GIF, or pictures as PNG"))
    canvas = Canvas(data, request, tools)
    file = DataFile(data.files[data.file(params, request.drawing)])
    if request.format in ("svg", "png"):
        picture = canvas.drawn(file.frame(key, step), said[step - 1])
        return picture.encode() if request.format == "svg" else next(canvas.pngs([picture]))
    seen = list(moments(story(file, key, said, step if request.step else None), 1000 / RATE))
    pictures = zip(canvas.pngs(canvas.drawn(one.marks) for one in seen), [one.lasts for one in seen], strict=True)
    return gif(pictures) if request.format == "gif" else mp4(pictures)


class Canvas:
    """Draws self-contained pictures, with the styles in them."""

    def __init__(self, data: SceneData, request: ExportRequest, tools: CardTools) -> None:
        self.data, self.request, self.tools = data, request, tools
        self.size = WIDTHS[request.drawing], data.heights[request.drawing]

    def drawn(self, marks: Iterable[Element], said: str = "") -> str:
        """A picture as self-contained SVG."""
        width, height = (side + 2 * MARGIN for side in self.size)
        pixels = self.request.width or round(width)
        paper = Markup('<rect fill="{}" x="{}" y="{}" width="{:g}" height="{:g}"/>').format(
            self.tools.names["--paper"], -MARGIN, -MARGIN, width, height
        )
        inner = str(svg(marks, *self.size)).removeprefix("<svg").removesuffix("</svg>")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width:g} {height:g}" '
            f'width="{pixels}" height="{round(pixels * height / width)}">'
            f"<title>{escape(self.data.info.title)}</title><desc>{escape(said)}</desc>"
            f"<style>{self.tools.rules}</style>{'' if self.request.transparent else paper}<g{inner}</g></svg>"
        )

    def pngs(self, pictures: Iterable[str]) -> Iterator[bytes]:
        """The pictures, rasterised."""
        return all_rasterised(pictures, self.tools.fonts)


def gif(pictures: Timed) -> bytes:
    """An animated GIF that loops for ever, with transparency."""
    from PIL import Image

    frames, lengths = [], []
    for raw, same in groupby(pictures, key=itemgetter(0)):
        image = Image.open(io.BytesIO(raw))
        frame = image.convert("RGB").quantize(CLEAR)
        if image.mode == "RGBA":
            frame.paste(CLEAR, mask=image.getchannel("A").point(lambda value: 255 * (value < 128)))
        frames.append(frame)
        lengths.append(max(20, round(sum(lasts for _, lasts in same) / 10) * 10))
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=lengths, loop=0, disposal=2,
                   transparency=CLEAR)  # fmt: skip
    return file.getvalue()


def mp4(pictures: Timed) -> bytes:
    """H.264 in the widely supported pixel format yuv420p, which needs even widths and heights."""
    import av
    import numpy as np
    from PIL import Image

    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream: Any = None
        time, shown = 0.0, 0
        for raw, lasts in pictures:
            image = Image.open(io.BytesIO(raw)).convert("RGB")
            image = image.crop((0, 0, image.width // 2 * 2, image.height // 2 * 2))  # padding would be a black line
            if stream is None:
                stream = container.add_stream("libx264", rate=RATE, options={"crf": "18", "preset": "medium"})
                stream.width, stream.height, stream.pix_fmt = image.width, image.height, "yuv420p"
            frame = av.VideoFrame.from_ndarray(np.asarray(image), format="rgb24")
            time += lasts
            while shown < time * RATE / 1000 - 0.5:
                frame.pts, frame.time_base = shown, Fraction(1, RATE)
                container.mux(stream.encode(frame))
                shown += 1
        container.mux(stream.encode())
    return file.getvalue()
