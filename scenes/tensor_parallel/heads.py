"""Attention over several GPUs: whole heads for each, and one sum behind them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, memoized

from .grid import OWN
from .model import Split


class Heads:
    """Where heads stand: a column for each KV head, and below it the query heads that read it."""

    def __init__(self, pen: Pen, shape_heads: int, kv_heads: int) -> None:
        self.group, self.left = shape_heads // kv_heads, pen.pick(0, 512)
        field = pen.pick(Box(52, 76, 276, 150), Box(576, 48, 262, 164))
        keys, queries, total = field.vstack(pen.pick(14, 18), pen.pick(88, 96), pen.pick(14, 18), gap=pen.pick(4, 6))
        self.keys, self.queries = (band.columns(kv_heads, pen.pick(4, 8)) for band in (keys, queries))
        self.sum = total._replace(y=total.y + pen.pick(12, 14))


def owners(head: int, kv_heads: int, gpus: int) -> range:
    """The GPUs that hold a KV head: one of them, or several with a share of its query heads each."""
    first = head * gpus // kv_heads
    return range(first, first + max(1, gpus // kv_heads))


@memoized
def draw_heads(pen: Pen, one: Split) -> Iterator[Mark]:
    """Every head in the colour of its GPU; from all columns a line into the sum."""
    kv_heads = one.shape.kv_heads
    places = Heads(pen, one.shape.heads, kv_heads)
    yield from draw_names(pen, places, one)
    cuts = []
    for head, (key, queries) in enumerate(zip(places.keys, places.queries, strict=True)):
        holders = owners(head, kv_heads, one.gpus)
        told = f"KV head {head + 1}, and {count(places.group, 'query head')} that read it"
        for half, (gpu, part, some) in enumerate(zip(holders, key.columns(len(holders), 2), queries.rows(len(holders)),
                                                     strict=True)):  # fmt: skip
            yield pen.rect(f"kv-{head}-{half}", part, OWN[gpu % len(OWN)], round=0, read=told)
            yield pen.rect(f"queries-{head}-{half}", some, f"{OWN[gpu % len(OWN)]} soft", round=0, read=told)
        cuts += [[(row.x, row.y), (row.right, row.y)] for row in queries.rows(places.group)[1:]]
    yield pen.strokes("head-cuts", cuts, "grid")
    if one.gpus > 1:
        middles = [box.x + box.width / 2 for box in places.queries]
        foot = places.queries[0].bottom
        yield pen.strokes("head-lines", [[(x, foot), (x, places.sum.y)] for x in middles], "axis")
        yield pen.rect("head-sum", places.sum, "dropped", round=0, read="a sum over all GPUs")


def draw_names(pen: Pen, places: Heads, one: Split) -> Iterator[Mark]:
    """What the rows are, and which GPU has which columns."""
    rows = [("K, V", places.keys[0]), ("queries", places.queries[0])]
    if one.gpus > 1:
        rows.append(("sum", places.sum))
    for words, box in rows:
        yield pen.text(f"heads-{words}", places.left, box.y + box.height / 2, words, "label", middle=True)
    # Where several GPUs share a column, a name has two columns to itself: it would not fit above one.
    each = max(1, len(places.keys) // one.gpus) if one.gpus <= len(places.keys) else 2
    yield pen.text("heads-title", places.left, places.keys[0].y - pen.pick(24, 30), "attention, cut by heads", "note")
    yield pen.text("heads-gpu", places.left, places.keys[0].y - 6, "GPU", "note")
    for first in range(0, len(places.keys), each):
        last = first + each - 1
        ends = owners(first, len(places.keys), one.gpus)[0] + 1, owners(last, len(places.keys), one.gpus)[-1] + 1
        middle = (places.keys[first].x + places.keys[last].right) / 2
        words = f"{ends[0]}–{ends[1]}" if ends[0] < ends[1] else f"{ends[0]}"
        yield pen.text(f"heads-gpu-{first}", middle, places.keys[0].y - 6, words, "note", anchor="middle")
