"""What rows, columns and groups of a product are: one result is summed term by term along the channels."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, bracket, headline, memoized

ROWS, SUM, COLUMNS = 4, 8, 4  # of the small X·W that is drawn: tokens, channels, outputs
ROW, COLUMN = 1, 2  # of the result that is followed
GROUP = 4  # channels in a block


@memoized
def draw_product(pen: Pen, scale: str, done: int) -> Iterator[Mark]:
    """X on the left, W above the results: a row and a column meet in the result, when so many terms are added."""
    cell, gap = pen.pick((14.0, 22.0), (20.0, 30.0))
    left, top = pen.pick((24.0, 34.0), (96.0, 40.0))
    x = Box(left, top + SUM * cell + gap, SUM * cell, ROWS * cell)
    w = Box(x.right + gap, top, COLUMNS * cell, SUM * cell)
    y = Box(w.x, x.y, w.width, x.height)
    for key, box, rows, columns in (("x", x, ROWS, SUM), ("w", w, SUM, COLUMNS), ("y", y, ROWS, COLUMNS)):
        yield pen.strokes(f"{key}-cells", _grid(box, rows, columns), "grid")
    yield pen.rect("x-row", Box(x.x, x.y + ROW * cell, done * cell, cell), "data soft", round=0)
    yield pen.rect("w-column", Box(w.x + COLUMN * cell, w.y, cell, done * cell), "data soft", round=0)
    result = Box(y.x + COLUMN * cell, y.y + ROW * cell, cell, cell)
    yield pen.rect("y-cell", result, "work" if done == SUM else "work soft", round=0)
    yield from _names(pen, x, w, y)
    yield from _terms(pen, x, w, result, scale, done)
    yield pen.rect("shared", _group(scale, x, cell), "hot outline", round=1)
    words = {"tensor": "all of X"}.get(scale, scale.replace("block", "a block of"))
    yield pen.text("shared-name", x.x, x.bottom + pen.size + 6, f"a scale: {words}", "hot")


def _grid(box: Box, rows: int, columns: int) -> list[list[tuple[float, float]]]:
    """A matrix as lines."""
    across = [[(box.x, box.y + at * box.height / rows), (box.right, box.y + at * box.height / rows)]
              for at in range(rows + 1)]  # fmt: skip
    down = [[(box.x + at * box.width / columns, box.y), (box.x + at * box.width / columns, box.bottom)]
            for at in range(columns + 1)]  # fmt: skip
    return across + down


def _names(pen: Pen, x: Box, w: Box, y: Box) -> Iterator[Mark]:
    """What the sides of each matrix count."""
    for key, box, name in (("x", x, "X"), ("w", w, "W")):
        yield pen.text(f"{key}-name", box.x, box.y - 6, name, "label strong")
    yield pen.text("y-name", y.x, y.bottom + pen.size + 6, "X·W", "label strong")
    yield from bracket(pen, "channels", x.x + 16, x.right, x.y - 3, "channels", depth=4, below=False)
    beside = w.right + 8
    for key, at, words in (("w-rows", w.y + w.height / 2, "channels"), ("y-rows", y.y + y.height / 2, "tokens")):
        yield pen.text(key, beside, at, words, "note", middle=True)


def _terms(pen: Pen, x: Box, w: Box, result: Box, scale: str, done: int) -> Iterator[Mark]:
    """The sum as a row of its terms; a scale is applied as soon as all terms that share it are there."""
    wide, tall = pen.pick((35.0, 24.0), (44.0, 34.0))
    left, top = pen.pick((x.x, x.bottom + 58), (w.right + 110, result.y + (result.height - tall) / 2))
    sharing = {"channel": 1}.get(scale, GROUP if scale.startswith("block") else SUM)
    ended = done // sharing
    words = f"{'scale is' if ended == 1 else 'scales are'} applied in a sum of {SUM} products"
    yield from headline(pen, left, pen.pick(top - 8, w.y + pen.huge), str(ended), [words], key="applied")
    if not pen.narrow:
        yield pen.text("terms", left, top - 10, f"{done} of {SUM} products added", "note")
        yield pen.text("equals", left - 20, top + tall / 2, "=", "value", anchor="middle", middle=True)
    row = Box(left, top, SUM * wide, tall)
    yield pen.strokes("sum-cells", _grid(row, 1, SUM), "grid")
    yield pen.rect("sum", row._replace(width=done * wide), "data soft", round=0)
    for at, term in enumerate(row.columns(SUM)[:done]):
        yield pen.text(f"term-{at}", term.x + wide / 2, top + tall / 2, "x·w", "value", anchor="middle", middle=True)
    for group in range(ended):
        start, end = left + group * sharing * wide + 3, left + (group + 1) * sharing * wide - 3
        yield from bracket(pen, f"scale-{group}", start, end, row.bottom + 3, "×" if sharing == 1 else "× its scale",
                           depth=5, role="hot")  # fmt: skip


def _group(scale: str, x: Box, cell: float) -> Box:
    """The numbers of X that share a scale; of blocks, that where the sum begins."""
    if scale == "tensor":
        return x
    if scale == "channel":
        return Box(x.x + cell, x.y, cell, x.height)
    return Box(x.x, x.y + ROW * cell, x.width if scale == "token" else GROUP * cell, cell)
