"""Where the factors come from: the heads of one layer, the layers of one model, and GPUs that hold it all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from loom.draw import Box, Mark, count

from .model import CAPACITIES, GB, LATENT, POSITION, Cache, Case, held, kv_heads
from .narration import share
from .shapes import Shape
from .stage import Stage

KEPT, WINDOWED = "kept", "series-2"  # layers that keep every token, layers with a window
ONE_TOKEN, LEAST = 4.0, 2.0  # heights: of a layer with one token, and of any
GAP_FROM = 4.0  # columns wider than this have a gap between them
GPU_NAMES = dict(zip(CAPACITIES, ("A100, H100", "H200"), strict=True))
GROUPS = (1, 8, 64)  # GPUs drawn as one box
LEAST_BOX = 4.0  # the width of a box of GPUs
SLIVER = 2.5  # the least that is seen of a cache beside the strong line of a box
FEW = 12  # boxes that are drawn with strong lines


@cache  # drawn once for all lengths, precisions and batches
def heads_panel(stage: Stage, shape: Shape, scheme: str) -> list[Mark]:
    return list(_heads(stage, shape, kv_heads(shape, scheme)))


@cache  # drawn once for all schemes, precisions and batches
def layers_panel(stage: Stage, shape: Shape, tokens: int, phase: str) -> list[Mark]:
    return list(_layers(stage, shape, tokens, phase == "length"))


def _heads(stage: Stage, shape: Shape, heads: int) -> Iterator[Mark]:
    """Query heads over the KV heads that they share; only the latter are kept."""
    panel, high, left = stage.panel, 20, stage.pick(52, 0)
    queries, keys, values = panel.inset(left).stack(high, high, high, gap=12)
    latent, position = keys.beside(*(keys.width * part / (LATENT + POSITION) for part in (LATENT, POSITION)))
    yield stage.text("panel-title", 0, stage.title, _sharing(shape.heads, heads), "label")
    yield _cells(stage, "queries", queries, shape.heads, "axis thin", 2)
    for key, box in zip(("keys", "values"), (keys, values) if heads else (latent, position), strict=True):
        yield stage.rect(f"{key}-fill", box, "kept soft", round=0)
        yield _cells(stage, f"{key}-cells", box, heads or 1, "kept thin")
    names = {"queries": "queries", "keys": "keys" if heads else "latent"} | ({"values": "values"} if heads else {})
    for (key, name), row in zip(names.items(), (queries, keys, values), strict=False):
        yield stage.text(f"{key}-name", 0, row.y + high / 2, name, "note", middle=True)
    if not heads:
        y = keys.bottom + stage.size + 4
        yield stage.text("latent-size", keys.x, y, f"{LATENT} for keys and values", "note")
        yield stage.text("position-size", keys.right, y, f"{POSITION} for the position", "note", anchor="end")
    if not stage.narrow:
        x, y = panel.right + 20, queries.y + high / 2
        yield stage.text("queries-fate", x, y, "used once, not kept", "note", middle=True)


def _cells(stage: Stage, key: str, box: Box, number: int, role: str, gap: float = 0) -> Mark:
    """So many outlined cells side by side, as one mark; without gaps where there is no room for them."""
    gap = gap if box.width / number > 6 else 0
    return stage.outlines(key, (each.inset(left=gap / 2, right=gap / 2) for each in box.columns(number)), role)


def _sharing(queries: int, heads: int) -> str:
    if not heads:
        return f"All {queries} heads read one latent"
    if heads == queries:
        return f"Each of {queries} query heads has a key and a value of its own"
    if heads == 1:
        return f"All {queries} query heads share one key and one value"
    return f"{queries} query heads, {queries // heads} to each of {heads} keys and {heads} values"


def _layers(stage: Stage, shape: Shape, tokens: int, whole: bool) -> Iterator[Mark]:
    """A column for each layer, as tall as the tokens that it holds; before the whole length, a thin line for one."""
    panel, window, at, cuts = stage.panel, shape.window, 0, []
    pitch, cut = panel.width / shape.layers, whole and 0 < window < tokens
    yield stage.text("panel-title", 0, stage.title, _holding(shape, tokens, whole), "label")
    if cut or not whole:
        yield stage.rect("layers-room", panel, "ghost", round=0)
    for number, (kind, group) in enumerate(groupby(shape.kinds)):
        layers, part = len(list(group)), float(held(tokens, window if kind == "w" else 0)) / tokens
        tall = max(panel.height * part, LEAST) if whole else ONE_TOKEN
        place = Box(panel.x + at * pitch, panel.bottom - tall, layers * pitch - (pitch > GAP_FROM), tall)
        yield stage.rect(f"layers-{number}", place, WINDOWED if kind == "w" else KEPT, round=0)
        xs = [panel.x + (at + inside) * pitch - 0.5 for inside in range(1, layers)]
        cuts += [[(x, panel.bottom - tall), (x, panel.bottom)] for x in xs]
        at += layers
    if pitch > GAP_FROM and cuts:
        yield stage.strokes("layers-cuts", cuts, "grid")
    if not stage.narrow:
        top = panel.y + 0.7 * stage.size
        yield stage.text("layers-most", panel.x - 8, top, f"{tokens:,} tokens", "note", anchor="end")
        if cut:
            y = min(panel.bottom - panel.height * window / tokens + 0.35 * stage.size, panel.bottom)
            y = max(y, top + 1.3 * stage.size)
            yield stage.text("layers-window", panel.x - 8, y, f"{window:,}", "note", anchor="end")


def _holding(shape: Shape, tokens: int, whole: bool) -> str:
    if not whole:
        return f"One token in each of {shape.layers} layers, with room for the next"
    if not 0 < shape.window < tokens:
        return f"{tokens:,} tokens in each of {shape.layers} layers"
    windows = f"{shape.windowed} layers hold {shape.window:,} tokens"
    return f"{windows}, {shape.kept} hold {tokens:,}" if shape.kept else f"{windows}, and drop the rest"


def draw_gpus(stage: Stage, case: Case) -> Iterator[Mark]:
    """GPUs as vessels of 80 and 141 GB, at the scale of the bars, and where one of each ends on the bars."""
    title = stage.pick(
        "GPUs of 80 GB (H100) and 141 GB (H200), to scale",
        "GPUs on the scale of the bars, with nothing but this cache in them: weights are not counted",
    )
    yield stage.text("panel-title", 0, stage.title, title, "label")
    unit, top, high = stage.panel.width / case.span, stage.pick(stage.size + 3, 0), stage.pick(14, 20)
    for row, capacity in zip(stage.panel.rows(2, gap=4), CAPACITIES, strict=True):
        box = Box(row.x, row.y + top, row.width, high)
        group = next((group for group in GROUPS if capacity * unit * group >= LEAST_BOX), GROUPS[-1])
        yield from _vessels(stage, case, box, capacity, unit, group)
        yield from _words(stage, box, capacity, _fate(case.cache, case.tokens, capacity, group))


def _vessels(stage: Stage, case: Case, box: Box, capacity: int, unit: float, group: int) -> Iterator[Mark]:
    """As many GPUs as the cache needs, `group` to a box, filled from the left."""
    key, start, each = f"gpu-{capacity // GB}", box.x, capacity * unit
    for kind, size, role in zip(("kept", "windowed"), case.cache.parts(case.tokens), (KEPT, WINDOWED), strict=True):
        if size:
            length = max(float(size) * unit, SLIVER)
            yield stage.rect(f"{key}-{kind}", Box(start, box.y, length, box.height), role, round=0)
            start += length
    number = case.cache.gpus(case.tokens, capacity)
    edges = [box.x + at * capacity * unit for at in (*range(0, number, group), number)]
    lines = [Box(box.x, box.y, edges[-1] - box.x, box.height).corners]
    lines += [[(x, box.y), (x, box.bottom)] for x in edges[1:-1]]
    yield stage.strokes(f"{key}-box", lines, "data" if len(edges) <= FEW else "data thin")
    if each > 2 * LEAST_BOX:
        ends = [[(box.x + each, bar.y - 2), (box.x + each, bar.bottom + 2)] for bar in stage.rows]
        yield stage.strokes(f"{key}-mark", ends, "axis dashed")


def _words(stage: Stage, box: Box, capacity: int, words: str) -> Iterator[Mark]:
    """Which GPU it is, and how full."""
    key, size, middle = f"gpu-{capacity // GB}", f"{capacity // GB} GB", box.y + box.height / 2
    if stage.narrow:
        yield stage.text(f"{key}-words", box.x, box.y - 5, f"{size}: {words}", "note")
        return
    yield stage.text(f"{key}-name", 0, middle, size, "label strong", middle=True)
    x = stage.room(size, strong=True) + 8
    yield stage.text(f"{key}-kind", x, middle, GPU_NAMES[capacity], "note", middle=True)
    yield stage.text(f"{key}-words", box.x, box.bottom + stage.size + 1, words, "note")


def _fate(cache: Cache, tokens: int, capacity: int, group: int) -> str:
    """How full, and when full."""
    total, limit, each = cache.total(tokens), cache.fits(capacity), "" if cache.batch == 1 else " each"
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
