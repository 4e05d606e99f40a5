"""The picture of a matrix product: numbers of A and B come k by k, and sums of C grow."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, count, number
from loom.scene import Moment

from .model import SIDE, Product
from .speed import draw_speed
from .stage import NARROW, WIDE, Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, product = NARROW if width == NARROW.width else WIDE, moment.result
    yield from draw_matrices(stage)
    if moment.phase in ("naive", "block"):
        yield from draw_sweep(stage, moment)
        if not stage.narrow:
            yield from draw_slice(stage, moment)
    else:
        yield from draw_blocks(stage, moment)
    yield from draw_hand(stage, product)
    yield from draw_answer(stage, moment)
    if moment.phase != "speed" or not stage.narrow:
        yield from draw_counts(stage, moment)
    if moment.phase == "speed":
        yield from draw_speed(stage, product)


def draw_matrices(stage: Stage) -> Iterator[Mark]:
    """A, B and C, empty."""
    matrices = {"A": stage.a, "B": stage.b, "C": stage.c}
    for name, box in matrices.items():
        yield stage.rect(f"matrix-{name}", box, "cell soft", round=0)
    lines = [line for box in matrices.values() for line in _inner(box)]
    yield stage.strokes("elements", lines, "grid")
    names = ((stage.a.x, stage.a.y - 6, ""), (stage.b.x - 7, stage.b.y + stage.large, "end"),
             (stage.c.right + 8, stage.c.bottom - 4, ""))  # fmt: skip
    for name, (x, y, anchor) in zip(matrices, names, strict=True):
        yield stage.text(f"name-{name}", x, y, name, "label strong", size=stage.large, anchor=anchor or "start")


def _inner(box: Box) -> Iterator[list[tuple[float, float]]]:
    """The lines between the elements of a matrix."""
    cell = box.width / SIDE
    for at in range(1, SIDE):
        yield [(box.x + at * cell, box.y), (box.x + at * cell, box.bottom)]
        yield [(box.x, box.y + at * cell), (box.right, box.y + at * cell)]


def draw_sweep(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """For each k a column of A and a row of B, in the rows and columns of a block, and the sums that they add to."""
    product: Product = moment.result
    own = moment.phase  # one output's row is not the block's strip: nothing of the one becomes the other
    rows, columns = (1, 1) if own == "naive" else (product.rows, product.columns)
    done = round(moment.progress * SIDE)
    last = done - 1
    told = f"for k = {last} come {rows} of A and {columns} of B"
    yield stage.rect(f"{own}-row", stage.part(stage.a, 0, 0, rows, done), "data", round=0)
    yield stage.rect(f"{own}-column", stage.part(stage.b, 0, 0, done, columns), "data", round=0)
    yield stage.rect(f"{own}-a", stage.part(stage.a, 0, last, rows, 1), "memory", round=0, read=told)
    yield stage.rect(f"{own}-b", stage.part(stage.b, last, 0, 1, columns), "memory", round=0, read=told)
    sums = [stage.part(stage.c, row, column, 1, 1) for row in range(rows) for column in range(columns)]
    wide = (stage.cell - 1) * moment.progress
    bars = ([(one.x + 0.5, one.y + one.height / 2), (one.x + 0.5 + wide, one.y + one.height / 2)] for one in sums)
    yield stage.strokes(f"{own}-sums", bars, "work thick")
    yield stage.outlines(f"{own}-block", [stage.part(stage.c, 0, 0, rows, columns)], "work")


def draw_slice(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What comes for one k, from near: each number of A meets each of B."""
    product: Product = moment.result
    rows, columns = (1, 1) if moment.phase == "naive" else (product.rows, product.columns)
    (x, y), side = (stage.plot.x, 210), 100 / (max(rows, columns) + 1.4)
    left, top, gap = x + 1.4 * side, y + 1.4 * side, min(2.0, side / 8)
    key = f"{moment.phase}-slice"
    across = [Box(left + at * side, y, side - gap, side - gap) for at in range(columns)]
    down = [Box(x, top + at * side, side - gap, side - gap) for at in range(rows)]
    for at, box in enumerate(across + down):
        yield stage.rect(f"{key}-{at}", box, "memory", round=1)
    sums = [Box(one.x, other.y, side - gap, side - gap) for other in down for one in across]
    yield stage.outlines(f"{key}-products", sums, "work")
    loaded, made = f"{rows} + {columns} loaded", f"{rows} × {columns} multiplied"
    for at, words in enumerate((f"k = {round(moment.progress * SIDE) - 1}", loaded, made)):
        role = ("note", "memory strong", "work strong")[at]
        yield stage.text(f"{key}-words-{at}", x + 150, y + 40 + at * 1.4 * stage.size, words, role)


def draw_blocks(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Block after block, row by row of blocks; the strips of A and B are those of the latest."""
    product: Product = moment.result
    across, rows, columns = SIDE // product.columns, product.rows, product.columns
    done = round(moment.past("all") * product.blocks)
    down, last = divmod(done - 1, across)
    yield stage.rect("strip-a", stage.part(stage.a, down * rows, 0, rows, SIDE), "data", round=0)
    yield stage.rect("strip-b", stage.part(stage.b, 0, last * columns, SIDE, columns), "data", round=0)
    told = f"{done:,} of {count(product.blocks, 'block')}"
    yield stage.rect("finished", stage.part(stage.c, 0, 0, down * rows, SIDE), "work", round=0, read=told)
    part = stage.part(stage.c, down * rows, 0, rows, (last + 1) * columns)
    yield stage.rect(f"finished-{down}", part, "work", round=0, read=told)
    boxes = [stage.part(stage.c, row, column, rows, columns)
             for row in range(0, SIDE, rows) for column in range(0, SIDE, columns)]  # fmt: skip
    yield stage.outlines("blocks", boxes, "grid")


def draw_hand(stage: Stage, product: Product) -> Iterator[Mark]:
    """The corner of the first block."""
    place = stage.corner(product.rows, product.columns)
    yield stage.knob("corner", *place, ("rows", "columns"), stage.corners, "size of a block")


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """In the corner that A and B leave: how often a number is used once it is loaded."""
    naive = moment.phase == "naive"
    y = stage.pick(54, 74)
    share = "1×" if naive else f"{number(moment.result.times)}×"
    yield stage.text("times", 0, y, share, "value strong answer", size=stage.huge)
    for at, words in enumerate(("each number that", "is read is used")):
        yield stage.text(f"times-{at}", 0, y + (at - 2) * 1.3 * stage.size - stage.huge * 0.72 + 6, words)


def counted(moment: Moment) -> tuple[int, int]:
    """What has been loaded, and multiplied, until now."""
    product: Product = moment.result
    done = round(moment.progress * SIDE)
    if moment.phase == "naive":
        return 2 * done, done
    if moment.phase == "block":
        return product.slice * done, product.uses * done
    blocks = round(moment.past("all") * product.blocks)
    return product.slice * SIDE * blocks, product.uses * SIDE * blocks


def draw_counts(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Loads and multiplications until now, and the loads of all outputs one by one and in blocks."""
    product: Product = moment.result
    loads, uses = counted(moment)
    (x, y), line = stage.counts, 1.35 * stage.size
    for at, (name, value) in enumerate((("loaded", loads), ("multiplied", uses))):
        left, base = (x, y + at * 2.4 * line) if stage.narrow else (x + at * 150, y)
        yield stage.text(f"{name}-name", left, base, name, "note")
        yield stage.text(name, left, base + 1.2 * line + 2, f"{value:,}", "value strong", size=stage.large)
    rows = stage.bars.rows(2, stage.pick(6, 8))
    names = ("one by one", f"{product.rows} × {product.columns}")
    left = stage.room((*names, "16 × 16")) + 10
    full = stage.bars.width - left - stage.room("8,192 loads") - 8
    for key, name, value, role, row in zip(("alone", "shared"), names, (product.naive, product.loads),
                                           ("quiet", "work"), rows, strict=True):  # fmt: skip
        middle, long = row.y + row.height / 2, full * value / product.naive
        yield stage.text(f"{key}-name", row.x, middle, name, middle=True)
        yield stage.rect(f"{key}-bar", Box(row.x + left, row.y, long, row.height), role, round=1)
        words = f"{value:,} loads"
        yield stage.text(f"{key}-value", row.x + left + long + 6, middle, words, "value", middle=True)
