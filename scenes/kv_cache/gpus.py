"""GPUs as vessels of 80 and 141 GB, at the scale of the bars, and the cache in them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, count

from .model import GB, Cache
from .moments import CAPACITIES, State
from .stage import Stage
from .words import share

NAMES = dict(zip(CAPACITIES, ("A100, H100", "H200"), strict=True))
GROUPS = (1, 8, 64)  # GPUs drawn as one box
LEAST = 4.0  # the width of a box
SLIVER = 2.5  # the least that is seen of a cache beside the strong line of a box
FEW = 12  # boxes that are drawn with strong lines


def span(state: State) -> int:
    """The bytes that fill the width: whole GPUs of either kind around the largest bar, and one at least."""
    largest = state.rivals()[0]
    return max(largest.gpus(state.tokens, capacity) * capacity for capacity in CAPACITIES)


def draw_gpus(stage: Stage, state: State) -> Iterator[Mark]:
    """Both kinds, and where one of each ends on the bars."""
    pen, panel = stage.pen, stage.panel
    title = "GPUs of 80 GB (H100) and 141 GB (H200), to scale"
    if not pen.narrow:
        title = "GPUs on the scale of the bars, with nothing but this cache in them: weights are not counted"
    yield pen.text("panel-title", 0, stage.title, title, "label")
    unit = panel.width / span(state)
    for row, capacity in zip(panel.rows(2, gap=4), CAPACITIES, strict=True):
        high = 14 if pen.narrow else 20
        box = Box(row.x, row.y + (pen.size + 3 if pen.narrow else 0), row.width, high)
        yield from _vessels(stage, state, box, capacity, unit)
        yield from _words(stage, state, box, capacity, group_of(capacity, unit))


def group_of(capacity: int, unit: float) -> int:
    """How many GPUs are one box, so that a box can be seen."""
    return next((group for group in GROUPS if capacity * unit * group >= LEAST), GROUPS[-1])


def _vessels(stage: Stage, state: State, box: Box, capacity: int, unit: float) -> Iterator[Mark]:
    """As many GPUs as the cache needs, filled from the left."""
    pen, cache, key, start = stage.pen, state.cache, f"gpu-{capacity // GB}", box.x
    for kind, size, role in zip(("kept", "windowed"), cache.parts(state.tokens), ("kept", "series-2"), strict=True):
        if size:
            length = max(float(size) * unit, SLIVER)
            yield pen.rect(f"{key}-{kind}", Box(start, box.y, length, box.height), role, round=0)
            start += length
    number, group = cache.gpus(state.tokens, capacity), group_of(capacity, unit)
    edges = [box.x + min(at * group, number) * capacity * unit for at in range(-(-number // group) + 1)]
    first, last, y, end = edges[0], edges[-1], box.y, box.bottom
    lines = [[(first, y), (last, y), (last, end), (first, end), (first, y)]]
    lines += [[(x, y), (x, end)] for x in edges[1:-1]]
    yield pen.strokes(f"{key}-box", lines, "data" if len(edges) <= FEW else "data thin")
    if capacity * unit > 2 * LEAST:
        x = box.x + capacity * unit
        ends = [[(x, bar.y - 2), (x, bar.bottom + 2)] for bar in stage.rows]
        yield pen.strokes(f"{key}-mark", ends, "axis dashed")


def _words(stage: Stage, state: State, box: Box, capacity: int, group: int) -> Iterator[Mark]:
    """Which GPU it is, and how full."""
    pen, key, size = stage.pen, f"gpu-{capacity // GB}", f"{capacity // GB} GB"
    words, middle = _fate(state.cache, state.tokens, capacity, group), box.y + box.height / 2
    if pen.narrow:
        yield pen.text(f"{key}-words", box.x, box.y - 5, f"{size}: {words}", "note")
        return
    yield pen.text(f"{key}-name", 0, middle, size, "label strong", middle=True)
    x = pen.room(size, strong=True) + 8
    yield pen.text(f"{key}-kind", x, middle, NAMES[capacity], "note", middle=True)
    yield pen.text(f"{key}-words", box.x, box.bottom + pen.size + 1, words, "note")


def _fate(cache: Cache, tokens: int, capacity: int, group: int) -> str:
    """How full, and when full."""
    total, limit = cache.total(tokens), cache.fits(capacity)
    each = "" if cache.batch == 1 else " each"
    if limit is None:
        most = cache.total(cache.shape.window)
        end = ", at any length" if total == most else f"; never more than {share(most, capacity)}"
        return f"{share(total, capacity)} full{end}"
    full = f"full at {limit:,} tokens{each}"
    if total <= capacity:
        return f"{share(total, capacity)} full; {full}"
    number = cache.gpus(tokens, capacity)
    boxes = f", {group} to a box" if min(number, group) > 1 else ""
    return f"{count(number, 'GPU')}{boxes}; one is {full}"
