"""The picture: what an output or a block loads, what shared memory hands out again, and the count of both."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .model import OUTPUT, SIDE
from .moments import DONE, LOAD, NAIVE, REUSE, State
from .speed import draw_speed
from .stage import Stage, grid
from .words import figure


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_floor(stage)
    yield from draw_staged(stage, state)
    yield grid("cells", [(box, SIDE, SIDE) for box in (stage.a, stage.b, stage.c)], "axis thin soft")
    yield from draw_loaded(stage, state)
    yield from draw_outputs(stage, state)
    yield from draw_shared(stage, state)
    yield from draw_lines(stage, state)
    yield from draw_counts(stage, state)
    yield from draw_speed(stage, state)


def draw_floor(stage: Stage) -> Iterator[Mark]:
    """The matrices and their names."""
    pen, low = stage.pen, stage.a.bottom + stage.pen.size + 3
    for key, box in (("a", stage.a), ("b", stage.b), ("c", stage.c)):
        yield pen.rect(f"{key}-floor", box, "cell", round=0)
    yield pen.text("a-name", stage.a.x + stage.side / 2, low, "A", "label", anchor="middle")
    yield pen.text("c-name", stage.c.x + stage.side / 2, low, "C = A·B", "label", anchor="middle")
    yield pen.text("b-name", stage.b.right + 7, stage.b.y + stage.side / 2, "B", "label", middle=True)


def draw_staged(stage: Stage, state: State) -> Iterator[Mark]:
    """The pair of tiles: unseen in A and B until they are loaded, then in shared memory."""
    tile, (row, column) = state.product.tile, state.product.block
    places, role = stage.staged(tile), "kept soft"
    if state.step == NAIVE:
        places, role = (stage.part(stage.a, row, 0, tile, tile), stage.part(stage.b, 0, column, tile, tile)), "cell"
    for key, box in zip("ab", places, strict=True):
        yield stage.pen.rect(f"{key}-staged", box, role, round=0)


Span = tuple[int, int, int, int]  # first row, first column, rows, columns


def spans(state: State) -> tuple[Span, Span, Span]:
    """The elements of A and of B that are read, and the outputs that they are read for."""
    tile, (row, column) = state.product.tile, state.product.block
    if state.step == NAIVE:
        return (OUTPUT[0], 0, 1, SIDE), (0, OUTPUT[1], SIDE, 1), (*OUTPUT, 1, 1)
    deep = SIDE if state.step >= DONE else tile
    return (row, 0, tile, deep), (0, column, deep, tile), (row, column, tile, tile)


def draw_loaded(stage: Stage, state: State) -> Iterator[Mark]:
    """What is read from global memory now: a row and a column, a pair of tiles, or whole strips tile by tile."""
    a, b, _ = spans(state)
    role = "hot soft" if state.step == REUSE else "hot"
    yield stage.pen.rect("a-loaded", stage.part(stage.a, *a), role, round=0)
    yield stage.pen.rect("b-loaded", stage.part(stage.b, *b), role, round=0)


def draw_outputs(stage: Stage, state: State) -> Iterator[Mark]:
    """The outputs that gain from it."""
    pen, tile, (row, column) = stage.pen, state.product.tile, state.product.block
    if state.step >= DONE:
        yield pen.rect("c-done", stage.c, "kept soft", round=0)
    role = "kept soft" if state.step in (LOAD, REUSE) else "kept"
    yield pen.rect("c-now", stage.part(stage.c, *spans(state)[2]), role, round=0)
    if state.step == REUSE:
        yield pen.rect("c-row", stage.part(stage.c, OUTPUT[0], column, 1, tile), "kept", round=0)
        yield pen.rect("c-column", stage.part(stage.c, row, OUTPUT[1], tile, 1), "kept", round=0)


def draw_shared(stage: Stage, state: State) -> Iterator[Mark]:
    """What shared memory holds, and how often it is used. Naive has none, and its loads are told instead."""
    pen, corner, product = stage.pen, stage.corner, state.product
    tile, (row, column) = product.tile, product.block
    middle = corner.x + corner.width / 2
    if state.step == NAIVE:
        words = (f"{product.one_output} loads", "for one output")
        yield pen.text(
            "big", middle, corner.y + corner.height / 2, words[0], "hot strong", anchor="middle", size=pen.large
        )
        yield pen.text(
            "small", middle, corner.y + corner.height / 2 + 1.4 * pen.size, words[1], "label", anchor="middle"
        )
        return
    yield pen.rect("shared", corner, "kept outline", round=4)
    yield pen.text("shared-name", middle, corner.y + 1.35 * pen.size, "shared memory", "kept strong", anchor="middle")
    unit = stage.staged_cell(tile)
    inside = ((OUTPUT[0] - row, 0), (0, OUTPUT[1] - column))
    for key, box, (down, across) in zip("ab", stage.staged(tile), inside, strict=True):
        if state.step == REUSE:
            picked = Box(box.x + across * unit, box.y + down * unit, unit, unit)
            yield pen.rect(f"{key}-picked", picked, "kept", round=0)
        low = corner.y + (28 + 44 if pen.narrow else 42 + 66) + pen.size + 2
        yield pen.text(f"{key}-staged-name", box.x + box.width / 2, low, f"of {key.upper()}", "note", anchor="middle")
    yield pen.text(
        "shared-words", middle, corner.bottom - 0.6 * pen.size, _shared_words(state), "label", anchor="middle"
    )


def _shared_words(state: State) -> str:
    product = state.product
    if state.step == LOAD:
        return f"{product.pair} elements"
    if state.step == DONE:
        return "the only pair" if product.turns == 1 else f"{product.turns} pairs in turn"
    return "each used once" if product.reuse == 1 else f"each used {figure(product.reuse)} times"


def draw_lines(stage: Stage, state: State) -> Iterator[Mark]:
    """The elements of what is highlighted, and the edges of tiles and blocks."""
    boxes, tile = (stage.a, stage.b, stage.c), state.product.tile
    inner = [(stage.part(box, *span), *span[2:]) for box, span in zip(boxes, spans(state), strict=True)]
    if state.step == NAIVE:
        yield grid("inner", inner, "grid thin")
        return
    yield grid("inner", inner + [(box, tile, tile) for box in stage.staged(tile)], "grid thin")
    yield grid("tiles", [(box, SIDE // tile, SIDE // tile) for box in boxes], "axis thin")


def draw_counts(stage: Stage, state: State) -> Iterator[Mark]:
    """Loads so far: naive's for the same work within naive's total, and the tiled ones on the same scale."""
    pen, box, product = stage.pen, stage.bars, state.product
    names = ("naive", f"{product.tile} × {product.tile}")
    left, after = stage.plot.x - box.x, pen.room(f"{product.naive:,}", strong=True) + 7
    full, thick = box.width - left - after, 14 if pen.narrow else 18
    yield pen.text("count-title", box.x, box.y + pen.size, _heading(state), "note")
    tops = [box.y + pen.size + 8 + index * (thick + 6) for index in range(2)]
    counts = (state.naive_so_far, state.tiled_so_far)
    yield pen.rect("naive-all", Box(box.x + left, tops[0], full, thick), "ghost outline", round=0)
    for key, name, count, top in zip(("naive", "tiled"), names, counts, tops, strict=True):
        bar = Box(box.x + left, top, full * count / product.naive, thick)
        yield pen.text(f"{key}-name", box.x, top + thick / 2, name, "label", middle=True)
        yield pen.rect(f"{key}-bar", bar, "quiet" if key == "naive" else "hot", round=0)
        if count or key == "naive":
            yield pen.text(f"{key}-count", bar.right + 6, top + thick / 2, _counted(state, key, count),
                           "label" if key == "naive" else "hot strong", middle=True)  # fmt: skip


def _heading(state: State) -> str:
    rest = {NAIVE: "so far", LOAD: "so far", REUSE: "for the same work"}
    return f"elements loaded {rest.get(state.step, f'for all {SIDE**2} outputs')}"


def _counted(state: State, key: str, count: int) -> str:
    product = state.product
    if key == "naive":
        if count == 0:
            return f"{product.naive:,} in all"
        return f"{count:,}" if count == product.naive else f"{count:,} of {product.naive:,}"
    if state.step < DONE or product.times == 1:
        return f"{count:,}"
    return f"{count:,}: {figure(product.times)}× fewer"
