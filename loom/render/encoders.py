"""Encode timed pictures as a film: GIF with Pillow, MP4 with PyAV, from the extra `export`."""

from __future__ import annotations

import io
from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

Timed = Iterable[tuple[bytes, float]]  # a PNG, and its duration in milliseconds
CLEAR = 255  # the palette index for transparency, behind those of the colours
RATE = 25  # pictures per second


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
