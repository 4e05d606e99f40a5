"""The picture: what an output or a block loads, what shared memory hands out again, the count of both, and the speed
that comes of it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Plot, number
from loom.scene import Moment

from .model import BF16, OUTPUT, PEAK, REAL_TILES, SIDE, TILES, Product, attainable, mainloop_intensity, ridge
from .stage import NARROW, WIDE, Stage

TERA = 1e12
SPAN = (0.25, 1024.0)  # [FLOP/B]
Span = tuple[int, int, int, int]  # first row, first column, rows, columns


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    yield from draw_matrices(stage, moment)
    yield from draw_highlights(stage, moment)
    yield from draw_shared(stage, moment)
    yield from draw_lines(stage, moment)
    yield from draw_counts(stage, moment)
    yield from draw_speed(stage, moment.result.tile, moment.phase == "speed")


def spans(moment: Moment) -> dict[str, Span]:
    """The elements of A and of B that are read, and the outputs that they are read for."""
    tile, (row, column) = moment.result.tile, moment.result.block
    if moment.phase == "naive":
        return {"a": (OUTPUT[0], 0, 1, SIDE), "b": (0, OUTPUT[1], SIDE, 1), "c": (*OUTPUT, 1, 1)}
    deep = SIDE if moment.since("done") else tile
    return {"a": (row, 0, tile, deep), "b": (0, column, deep, tile), "c": (row, column, tile, tile)}


def draw_matrices(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The matrices and their names; the pair of tiles, unseen in A and B until loaded, then in shared memory."""
    a, b, c = stage.matrices.values()
    for key, box in stage.matrices.items():
        yield stage.rect(f"{key}-floor", box, "cell", round=0)
    low, half = a.bottom + stage.size + 3, a.width / 2
    yield stage.text("a-name", a.x + half, low, "A", anchor="middle")
    yield stage.text("c-name", c.x + half, low, "C = A·B", anchor="middle")
    yield stage.text("b-name", b.right + 7, b.y + half, "B", middle=True)
    tile, (row, column) = moment.result.tile, moment.result.block
    places, role = stage.staged(tile), "kept soft"
    if moment.phase == "naive":
        places, role = (stage.part("a", row, 0, tile, tile), stage.part("b", 0, column, tile, tile)), "cell"
    for key, box in zip("ab", places, strict=True):
        yield stage.rect(f"{key}-staged", box, role, round=0)
    yield stage.grid("cells", [(box, SIDE, SIDE) for box in (a, b, c)], "axis thin soft")


def draw_highlights(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What is read from global memory now, a row and a column, tiles, or whole strips; and the outputs that gain."""
    reuse, tile, (row, column) = moment.phase == "reuse", moment.result.tile, moment.result.block
    boxes = {key: stage.part(key, *span) for key, span in spans(moment).items()}
    for key in "ab":
        yield stage.rect(f"{key}-loaded", boxes[key], "hot soft" if reuse else "hot", round=0)
    if moment.since("done"):
        yield stage.rect("c-done", stage.matrices["c"], "kept soft", round=0)
    yield stage.rect("c-now", boxes["c"], "kept soft" if moment.phase in ("load", "reuse") else "kept", round=0)
    if reuse:
        yield stage.rect("c-row", stage.part("c", OUTPUT[0], column, 1, tile), "kept", round=0)
        yield stage.rect("c-column", stage.part("c", row, OUTPUT[1], tile, 1), "kept", round=0)


def draw_shared(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What shared memory holds, and how often it is used. Naive has none, and its loads are told instead."""
    corner, product, size = stage.corner, moment.result, stage.size
    tile, (row, column) = product.tile, product.block
    x, y = corner.x + corner.width / 2, corner.y + corner.height / 2
    if moment.phase == "naive":
        words = f"{product.one_output} loads"
        yield stage.text("big", x, y, words, "hot strong", anchor="middle", size=stage.large)
        yield stage.text("small", x, y + 1.4 * size, "for one output", anchor="middle")
        return
    yield stage.rect("shared", corner, "kept outline", round=4)
    yield stage.text("shared-name", x, corner.y + 1.35 * size, "shared memory", "kept strong", anchor="middle")
    unit, low = stage.staged_cell(tile), corner.y + stage.top + stage.most + size + 2
    inside = ((OUTPUT[0] - row, 0), (0, OUTPUT[1] - column))
    for key, box, (down, across) in zip("ab", stage.staged(tile), inside, strict=True):
        if moment.phase == "reuse":
            picked = Box(box.x + across * unit, box.y + down * unit, unit, unit)
            yield stage.rect(f"{key}-picked", picked, "kept", round=0)
        yield stage.text(f"{key}-staged-name", box.x + box.width / 2, low, f"of {key.upper()}", "note", anchor="middle")
    words = "each used once" if product.reuse == 1 else f"each used {number(product.reuse)} times"
    if moment.phase == "load":
        words = f"{product.pair} elements"
    elif moment.phase == "done":
        words = "the only pair" if product.turns == 1 else f"{product.turns} pairs in turn"
    yield stage.text("shared-words", x, corner.bottom - 0.6 * size, words, anchor="middle")


def draw_lines(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The elements of what is highlighted, and the edges of tiles and blocks."""
    tile = moment.result.tile
    inner = [(stage.part(key, *span), *span[2:]) for key, span in spans(moment).items()]
    if moment.phase == "naive":
        yield stage.grid("inner", inner, "grid thin")
        return
    yield stage.grid("inner", inner + [(box, tile, tile) for box in stage.staged(tile)], "grid thin")
    yield stage.grid("tiles", [(box, SIDE // tile, SIDE // tile) for box in stage.matrices.values()], "axis thin")


def draw_counts(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Loads so far: naive's for the same work within naive's total, and the tiled ones on the same scale."""
    box, product, size = stage.bars, moment.result, stage.size
    left, high = stage.plot.x, stage.pick(14, 18)
    full = box.right - left - stage.room(f"{product.naive:,}", strong=True) - 7
    rest = {"naive": "so far", "load": "so far", "reuse": "for the same work"}
    heading = f"elements loaded {rest.get(moment.phase, f'for all {SIDE**2} outputs')}"
    yield stage.text("count-title", box.x, box.y + size, heading, "note")
    tracks = Box(left, box.y + size + 8, full, 0).stack(high, high, gap=6)
    yield stage.rect("naive-all", tracks[0], "ghost outline", round=0)
    naive, tiled = product.so_far(moment.phase)
    rows = (
        ("naive", "naive", naive, _naive_words(product, naive), "quiet", "label"),
        ("tiled", f"{product.tile} × {product.tile}", tiled, _tiled_words(moment, tiled), "hot", "hot strong"),
    )
    for (key, name, count, words, role, tone), track in zip(rows, tracks, strict=True):
        bar, y = Box(left, track.y, full * count / product.naive, high), track.y + high / 2
        yield stage.text(f"{key}-name", box.x, y, name, middle=True)
        yield stage.rect(f"{key}-bar", bar, role, round=0)
        if words:
            yield stage.text(f"{key}-count", bar.right + 6, y, words, tone, middle=True)


def _naive_words(product: Product, count: int) -> str:
    if count == 0:
        return f"{product.naive:,} in all"
    return f"{count:,}" if count == product.naive else f"{count:,} of {product.naive:,}"


def _tiled_words(moment: Moment, count: int) -> str:
    fewer = moment.since("done") and moment.result.times > 1
    return f"{count:,}{f': {number(moment.result.times)}× fewer' if fewer else ''}" if count else ""


def draw_speed(stage: Stage, own: int, last: bool) -> Iterator[Mark]:
    """The roofline of an H100 with naive's dot; in the last step the dot moves to this tile, and others show."""
    plot = Plot(stage, stage.plot, Axis("intensity", "FLOP/B", SPAN, log=True, ticks=(1, 8, 64)),
                Axis("most that an H100 can do in BF16", "TFLOP/s", (0.2, 2000), log=True, ticks=(100, 1000)),
                "speed")  # fmt: skip
    tops, box = (SPAN[0], ridge(), SPAN[1]), plot.box
    yield from plot.axes()
    yield plot.curve("roof", tops, [float(attainable(one)) / TERA for one in tops])
    x, y = plot.at(ridge(), PEAK / TERA)
    yield stage.line("ridge", x, y, x, box.bottom, "axis dashed thin")
    words = f"ridge {number(ridge())}"
    yield stage.text("ridge-name", x, box.bottom + 5 + stage.size, words, "note", anchor="middle")
    if last:
        for tile in TILES:
            if tile != own:  # to be pressed
                label = f"set the tile to {tile} × {tile}"
                yield stage.circle(f"tile-{tile}", *_place(plot, tile), 4, "data", set={"tile": tile}, label=label)
        for tile in REAL_TILES:
            x, y = _place(plot, tile)
            words = f"tile {tile}" if tile == REAL_TILES[0] else str(tile)
            yield stage.circle(f"tile-{tile}", x, y, 3.5, "pad")
            yield stage.text(f"tile-{tile}-name", x - 2, y - 6, words, "note", anchor="end")
    tile = own if last else TILES[0]
    x, y = _place(plot, tile)
    words = f"{tile} × {tile}" if last else "naive"
    words += f": {number(Product(tile).intensity)} FLOP/B"
    yield stage.circle("here", x, y, stage.pick(5, 6.5), "hot" if last else "data")
    yield stage.text("here-name", x + 9, y + 0.95 * stage.size, words, "hot strong" if last else "note")


def _place(plot: Plot, tile: int) -> tuple[float, float]:
    """Where a tile stands under the roof."""
    intensity = float(mainloop_intensity(tile, tile, BF16))
    return plot.at(intensity, float(attainable(intensity)) / TERA)
