"""The roofline of an H100, with a dot where this tile's main loop stands. The other toy tiles can be pressed."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Mark, Plot

from .model import BF16, PEAK, REAL_TILES, TILES, attainable, mainloop_intensity, ridge
from .moments import SPEED, State
from .stage import Stage
from .words import figure

TERA = 1e12
SPAN = (0.25, 1024.0)  # [FLOP/B]


def _place(plot: Plot, tile: int) -> tuple[float, float]:
    """Where a tile stands under the roof."""
    intensity = float(mainloop_intensity(tile, tile, BF16))
    return plot.at(intensity, float(attainable(intensity)) / TERA)


def draw_speed(stage: Stage, state: State) -> Iterator[Mark]:
    """The roof from the start, with naive's dot; in the last step the dot moves, and real tiles show."""
    pen, tops = stage.pen, (SPAN[0], ridge(), SPAN[1])
    plot = Plot(pen, stage.plot, Axis("intensity", "FLOP/B", SPAN, log=True, ticks=(1, 8, 64)),
                Axis("most that an H100 can do in BF16", "TFLOP/s", (0.2, 2000), log=True, ticks=(100, 1000)),
                "speed")  # fmt: skip
    yield from plot.axes()
    yield plot.curve("roof", tops, [float(attainable(one)) / TERA for one in tops])
    x, y = plot.at(ridge(), PEAK / TERA)
    yield pen.line("ridge", x, y, x, plot.box.bottom, "axis dashed thin")
    yield pen.text("ridge-name", x, plot.box.bottom + 5 + pen.size, f"ridge {figure(ridge())}", "note", anchor="middle")
    if state.step == SPEED:
        yield from _others(plot, state)
    yield from _here(plot, state)


def _others(plot: Plot, state: State) -> Iterator[Mark]:
    pen = plot.pen
    for tile in TILES:
        if tile != state.product.tile:
            words = f"set the tile to {tile} × {tile}"
            yield pen.circle(f"tile-{tile}", *_place(plot, tile), 4, "data", set={"tile": tile}, label=words)
    for tile in REAL_TILES:
        x, y = _place(plot, tile)
        yield pen.circle(f"tile-{tile}", x, y, 3.5, "pad")
        words = f"tile {tile}" if tile == REAL_TILES[0] else str(tile)
        yield pen.text(f"tile-{tile}-name", x - 2, y - 6, words, "note", anchor="end")


def _here(plot: Plot, state: State) -> Iterator[Mark]:
    pen, last = plot.pen, state.step == SPEED
    tile = state.product.tile if last else TILES[0]
    x, y = _place(plot, tile)
    intensity = figure(float(mainloop_intensity(tile, tile, BF16)))
    words = f"{tile} × {tile}: {intensity} FLOP/B" if last else f"naive: {intensity} FLOP/B"
    yield pen.circle("here", x, y, 5 if pen.narrow else 6.5, "hot" if last else "data")
    yield pen.text("here-name", x + 9, y + 0.95 * pen.size, words, "hot strong" if last else "note")
