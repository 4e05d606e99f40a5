"""The product with the weights as they are: a product after the other, and how many multiplications that takes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, count, fixed, headline, wrap
from loom.scene import Moment

from .case import ACTIVATIONS, COLUMNS, DENSE, ROWS
from .pace import AT_ONCE, averaged, barred, multiplied
from .panels import Stage


def draw_dense(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The picked row's product as a sum of products, as far as they are made."""
    pen, box, pick, done = stage.pen, stage.panel, moment.result, barred(moment)
    top = pen.pick(box.y + stage.title, stage.lines[0])
    yield pen.text("ledger", box.x, top, f"row {pick.row} times x", "label strong")
    terms = [f"{w:+.2f}·{x}".replace("-", "−") for w, x in zip(pick.weights, ACTIVATIONS, strict=True)]
    rows, before = wrap(" ".join(terms).removeprefix("+"), pen.size, box.width), 0
    for at, row in enumerate(rows):
        words = row.split()[: max(done - before, 0)]
        before += len(row.split())
        if words:
            yield pen.text(f"l{at}", box.x, top + stage.line * (at + 1.1), " ".join(words), "value")
    if done == COLUMNS:
        words_of_sum = f"= {fixed(pick.exact, 0)}"
        yield pen.text(f"l{len(rows)}", box.x, top + stage.line * (len(rows) + 1.1), words_of_sum, "value strong")


def draw_turn(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A frame around the weight and the activation that are multiplied next, then around the rows that are left."""
    others = [at for at in range(ROWS) if at != moment.result.row - 1]
    if moment.beat < COLUMNS:
        (upper, lower), wide = stage.lines, 0.94 * stage.pitch
        top = upper - stage.pen.size
        box = Box(stage.xs[moment.beat] - wide / 2, top, wide, lower + 0.35 * stage.pen.size - top)
    elif moment.progress < 1:
        box = stage.bands[others[moment.beat - COLUMNS]]
    else:
        return
    yield stage.pen.rect("turn", box, "hot outline", round=2)


def draw_averaged(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A frame around the rows whose magnitudes go into the mean next."""
    done = averaged(moment)
    if done < ROWS:
        first, last = stage.bands[done], stage.bands[done + AT_ONCE - 1]
        yield stage.pen.rect("averaged", first._replace(height=last.bottom - first.y), "hot outline", round=2)


def draw_multiplications(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many multiplications are made, and as many additions, of those of all rows."""
    pen, box, done = stage.pen, stage.panel, multiplied(moment)
    y = pen.pick(box.bottom - 4, 28.0)
    words = f"multiplication{'' if done == 1 else 's'}{f', for all {ROWS} rows' if done == DENSE else ' so far'}"
    yield from headline(pen, box.x, y, str(done), [words], "value", widest=[str(DENSE)])
    if pen.narrow:
        return
    for at, (key, name) in enumerate((("x", ""), ("p", count(done, "addition")))):
        row = Box(box.x, 38 + 62 * at, max(box.width * done / DENSE - 1, 0), 18)
        if name:
            yield pen.text(f"o{at}", box.x, row.y - 7, name, "label")
        yield pen.rect(f"o{key}", row, "data", round=0)
