"""The roofline of an H100: the chosen block, real ones, and what products in them reached."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Mark, Plot, number
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import PART, dots
from .model import BF16, PEAK, REAL_TILES, Product, attainable, mainloop_intensity, ridge
from .narration import stops
from .stage import Stage

TERA = 1e12
TILES = f"tiles of {REAL_TILES[1]} to {REAL_TILES[-1]}"
DOT = 12  # units from a dot's left to the words behind it
SPAN = (0.25, 1024)  # FLOP/B that the roofline shows


def draw_speed(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The roofline of an H100, and a dot that climbs it, by this block and real ones: each is there when it is passed.

    In the end there is what was measured.
    """
    product: Product = moment.result
    way, last = stops(product), moment.progress == 1
    passed = way if last else way[: moment.beat]
    plot = Plot(stage, stage.plot, Axis("intensity", "FLOP/B", SPAN, log=True, ticks=(1, 8, 64, 512)),
                Axis("most that an H100 can do in BF16", "TFLOP/s", (0.01, 2000), log=True, ticks=(1, 1000)),
                "speed")  # fmt: skip
    yield from plot.axes()
    tops = (SPAN[0], ridge(), SPAN[1])
    yield plot.curve("roof", tops, [float(attainable(one)) / TERA for one in tops], "data modelled")
    x, y = plot.at(ridge(), PEAK / TERA)
    yield stage.line("ridge", x, y, x, plot.box.bottom, "axis dashed thin", read=f"ridge: {number(ridge())} FLOP/B")
    for tile in [tile for tile in REAL_TILES[1:] if (tile, tile) in passed]:
        words = f"{tile} × {tile}: {number(float(mainloop_intensity(tile, tile, BF16)))} FLOP/B"
        yield stage.circle(f"tile-{tile}", *_place(plot, tile, tile), stage.pick(3.5, 4.5), "data", read=words)
    if last:
        yield from draw_tile_name(stage, plot)
        yield from draw_measured(stage, plot)
    if (product.rows, product.columns) in passed:
        words = f"{product.rows} × {product.columns}: {number(product.intensity)} FLOP/B"
        x, y = _place(plot, product.rows, product.columns)
        yield stage.circle("here", x, y, stage.pick(4.5, 6), "hot", read=words)
        yield stage.text("here-name", x + 11, y + 0.95 * stage.size, words, "label strong halo")
    if not last:
        yield stage.circle("climbs", *_place(plot, *way[moment.beat]), stage.pick(4.5, 6), "hot")


def draw_measured(stage: Stage, plot: Plot) -> Iterator[Mark]:
    """Real products, above what HBM alone would feed their tiles; their name stands before that of the axis."""
    seen = dots()
    yield from rings(stage, plot, "measured", seen, stage.pick(2, 3))
    if seen:
        words = stage.pick("○ measured", f"○ measured on an {PART}")  # on a phone only the title has room for the GPU
        x = stage.pick(DOT + stage.text_width(f"{TILES}  "), plot.box.x)
        yield stage.text("measured-words", x, _foot(stage, plot), words, "note measured")


def draw_tile_name(stage: Stage, plot: Plot) -> Iterator[Mark]:
    """What the dots are: before them, or on a phone under the axis, behind another dot."""
    if stage.narrow:
        yield stage.circle("tile-key", 3.5, _foot(stage, plot) - 0.35 * stage.size, 3.5, "data")
        yield stage.text("tile-name", DOT, _foot(stage, plot), TILES, "note")
        return
    x, y = _place(plot, REAL_TILES[1], REAL_TILES[1])
    yield stage.text("tile-name", x - 12, y - 8, TILES, "note", anchor="end")


def _foot(stage: Stage, plot: Plot) -> float:
    """The baseline of what stands beside the name of the axis."""
    return plot.box.bottom + stage.pick(33, 36)


def _place(plot: Plot, rows: int, columns: int) -> tuple[float, float]:
    """Where a block stands under the roof."""
    intensity = float(mainloop_intensity(rows, columns, BF16))
    return plot.at(intensity, float(attainable(intensity)) / TERA)
