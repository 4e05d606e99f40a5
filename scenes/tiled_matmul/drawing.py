"""The picture of a matrix product: numbers of A and B come k by k, and sums of C grow."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, count, memoized, number
from loom.scene import Moment

from .model import SIDE, Product
from .speed import draw_speed
from .stage import NARROW, WIDE, Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    yield from draw_matrices(stage)
    if moment.phase in ("naive", "block"):
        yield from draw_sweep(stage, moment)
    else:
        yield from draw_blocks(stage, moment)
    if moment.phase != "speed":
        yield from draw_slice(stage, moment)
    yield from draw_hand(stage, moment)
    yield from draw_answer(stage, moment)
    if moment.phase != "speed" or not stage.narrow:
        yield from draw_counts(stage, moment)
    if moment.phase == "speed":
        yield from draw_speed(stage, moment)


def draw_matrices(stage: Stage) -> Iterator[Mark]:
    """A, B and C, empty."""
    matrices = {"A": stage.a, "B": stage.b, "C": stage.c}
    for name, box in matrices.items():
        yield stage.rect(f"matrix-{name}", box, "cell soft", round=0)
    lines = [line for box in matrices.values() for line in _inner(box)]
    yield stage.strokes("elements", lines, "grid")
    names = (
        (stage.a.x, stage.a.y - 6, ""),
        (stage.b.x - 7, stage.b.y + stage.large, "end"),
        (stage.c.right + 26, stage.c.bottom - 4, ""),  # clear of the knob at the corner of the largest block
    )
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
    """What comes for one k, from near: each number of A meets each of B. A phone has room for its words."""
    product: Product = moment.result
    rows, columns = (1, 1) if moment.phase == "naive" else (product.rows, product.columns)
    last = "for each k" if moment.phase == "all" else f"k = {round(moment.progress * SIDE) - 1}"
    x, y = stage.pick((stage.near.x, stage.near.y), (stage.near.right + 34, stage.near.y + 58))
    if not stage.narrow:
        yield from draw_near(stage, "naive" if moment.phase == "naive" else "block", rows, columns)
    yield stage.text("near-k", x, y, last, "note")
    for at, (many, what, role) in enumerate(((f"{rows} + {columns}", "loaded", "memory"),
                                             (f"{rows} × {columns}", "multiplied", "work"))):  # fmt: skip
        base = y + stage.pick(24, 30) + at * stage.pick(44, 28)
        yield stage.text(f"near-{what}", x, base, many, f"{role} strong", size=stage.large)
        after = x + stage.text_width("16 × 16", size=stage.large, strong=True) + 10
        left, low = stage.pick((x, base + 15), (after, base))
        yield stage.text(f"near-{what}-name", left, low, what, role)


@memoized
def draw_near(stage: Stage, key: str, rows: int, columns: int) -> Iterator[Mark]:
    """Some numbers of A and of B, and a product for each two of them."""
    (x, y, wide, _), side = stage.near, stage.near.width / (max(rows, columns) + 1.4)
    gap = min(2.0, side / 8)
    left, top = x + wide - columns * side, y + 1.4 * side
    across = [Box(left + at * side, y, side - gap, side - gap) for at in range(columns)]
    down = [Box(left - 1.4 * side, top + at * side, side - gap, side - gap) for at in range(rows)]
    for at, box in enumerate(across + down):
        yield stage.rect(f"{key}-slice-{at}", box, "memory", round=1)
    sums = [Box(one.x, other.y, side - gap, side - gap) for other in down for one in across]
    yield stage.outlines(f"{key}-slice-products", sums, "work")


def draw_blocks(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Block after block, row by row of blocks; the strips of A and B are those of the latest."""
    product: Product = moment.result
    across, rows, columns = SIDE // product.columns, product.rows, product.columns
    done = round(moment.past("all") * product.blocks)
    down, last = divmod(done - 1, across)
    yield stage.rect("strip-a", stage.part(stage.a, down * rows, 0, rows, SIDE), "data", round=0)
    yield stage.rect("strip-b", stage.part(stage.b, 0, last * columns, SIDE, columns), "data", round=0)
    told = f"{done:,} of {count(product.blocks, 'block')}"
    yield stage.rect("finished", stage.part(stage.c, 0, 0, down * rows, SIDE), "work soft", round=0, read=told)
    part = stage.part(stage.c, down * rows, 0, rows, (last + 1) * columns)
    yield stage.rect(f"finished-{down}", part, "work soft", round=0, read=told)
    boxes = [stage.part(stage.c, row, column, rows, columns)
             for row in range(0, SIDE, rows) for column in range(0, SIDE, columns)]  # fmt: skip
    yield stage.outlines("blocks", boxes, "grid")


def draw_hand(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The corner of the first block, whose outline waits while a single output is made."""
    product: Product = moment.result
    rows, columns = product.rows, product.columns
    if moment.phase != "block":
        yield stage.outlines("held", [stage.part(stage.c, 0, 0, rows, columns)], "hot thin")
    yield stage.knob("corner", *stage.corner(rows, columns), ("rows", "columns"), stage.corners, "size of a block")


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
    """The multiplications until now, and under them the loads that they take: one by one, and in blocks."""
    product: Product = moment.result
    loads, uses = counted(moment)
    base = stage.bars.y - stage.pick(9, 12)
    yield stage.text("multiplied", stage.bars.x, base, f"{uses:,}", "value strong", size=stage.large)
    most = product.uses * SIDE * product.blocks
    left = stage.bars.x + stage.text_width(f"{most:,}", size=stage.large, strong=True) + 6
    words = "multiplication until now takes" if uses == 1 else "multiplications until now take"
    yield stage.text("multiplied-name", left, base, words, "label")
    rows = stage.bars.rows(2, stage.pick(6, 8))
    names = ("one by one", f"{product.rows} × {product.columns}")
    left = stage.text_width((*names, "16 × 16")) + 10
    full = stage.bars.width - left - stage.text_width("8,192 loads") - 8
    for key, name, value, role, row in zip(("alone", "shared"), names, (2 * uses, loads),
                                           ("quiet", "work"), rows, strict=True):  # fmt: skip
        if (key, moment.phase) == ("shared", "naive"):
            continue
        middle, long = row.y + row.height / 2, full * value / product.naive
        yield stage.text(f"{key}-name", row.x, middle, name, middle=True)
        yield stage.rect(f"{key}-bar", Box(row.x + left, row.y, long, row.height), role, round=1)
        words = f"{value:,} loads"
        yield stage.text(f"{key}-value", row.x + left + long + 6, middle, words, "value", middle=True)
