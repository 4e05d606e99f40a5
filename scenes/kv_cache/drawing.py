"""The picture: the product and its size, a GPU's memory for each way to share heads, and the length to take hold of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from loom.draw import Axis, Box, Mark, Pen, count, paragraph
from loom.scene import Moment

from .._serving.shapes import Shape, held
from .model import Cache, Case, kv_heads
from .narration import LEAST, SMALL, amount, gpus, numbers, so_far

LENGTHS = tuple(round(LEAST * 2 ** (step / 3)) for step in range(31))  # three to an octave, up to 2^20 tokens
KEPT, WINDOWED = "memory", "series-2"  # layers that keep every token, layers with a window
TICKS = {1024: "1K", 8192: "8K", 65536: "64K", 131072: "128K", 1048576: "1M"}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    head, layers, bars, axis = pen.pick(
        (Box(0, 0, 328, 76), Box(0, 0, 0, 0), Box(0, 104, 328, 152), Box(16, 290, 296, 0)),
        (Box(0, 0, 250, 150), Box(0, 194, 250, 70), Box(300, 28, 540, 172), Box(400, 246, 420, 0)),
    )
    yield from draw_product(pen, head, moment)
    if not pen.narrow:
        yield from draw_layers(pen, layers, moment.result.cache.shape, so_far(moment))
    yield from draw_bars(pen, bars, moment)
    yield from draw_length(pen, axis, moment)


def draw_product(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The size so far, large, and the factors that it is made of."""
    case: Case = moment.result
    cache, shape, tokens = case.cache, case.cache.shape, so_far(moment)
    size = cache.layer_token if moment.phase == "layer" else cache.total(tokens)
    yield pen.text("answer", box.x, box.y + pen.huge, amount(size), "value strong answer", size=pen.huge)
    what = {"layer": "a token in one layer", "token": "a token in all layers"}.get(moment.phase, "one conversation")
    x, y = pen.pick((box.x + 138, box.y + 14), (box.x, box.y + pen.huge + 24))
    words = f"{what} of {shape.name}, with {cache.scheme}"
    yield from paragraph(pen, "answer-words", x, y, words, pen.pick(186, box.width), "label")
    long = f"× {count(tokens, 'token')}"
    if 0 < shape.window < tokens:
        long += f", or {shape.window:,} in {shape.windowed} layers"
    lines = [numbers(cache), f"× {shape.layers} layers", long]
    shown = {"layer": 1, "token": 2, "length": 3}[moment.phase]
    places = pen.pick(((0, 52), (178, 52), (0, 69)), ((0, 110), (0, 130), (0, 150)))
    for row, (line, (x, y)) in enumerate(zip(lines[:shown], places, strict=False)):
        yield pen.text(f"factor-{row}", box.x + x, box.y + y, line, "hot strong" if row == shown - 1 else "label")


@cache
def draw_layers(pen: Pen, box: Box, shape: Shape, tokens: int) -> tuple[Mark, ...]:
    """A column for each layer, as tall as the tokens that it holds."""
    pitch, marks, at = box.width / shape.layers, [], 0
    words = f"{shape.layers} layers, each holds all" if not shape.windowed else f"{shape.layers} layers"
    if shape.windowed:
        words += f", {shape.windowed} hold the last {shape.window:,}"
    marks.append(pen.text("layers-title", box.x, box.y - 8, words, "note"))
    for number, (kind, group) in enumerate(groupby(shape.kinds)):
        layers = len(list(group))
        tall = max(box.height * float(held(tokens, shape.window if kind == "w" else 0)) / tokens, 2.0)
        if tokens == 1:
            tall = 4.0
        place = Box(box.x + at * pitch, box.bottom - tall, layers * pitch - 1, tall)
        name, role = ("windowed", WINDOWED) if kind == "w" else ("layers", KEPT)
        marks.append(pen.rect(f"{name}-{number}", place, role, round=0))
        at += layers
    cuts = [
        [(box.x + at * pitch - 0.5, box.y), (box.x + at * pitch - 0.5, box.bottom)] for at in range(1, shape.layers)
    ]
    marks.append(pen.strokes("layers-cuts", cuts, "grid"))
    return tuple(marks)


def draw_bars(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The memory of a GPU for each scheme, and how much of it the cache takes."""
    case, tokens = moment.result, so_far(moment)
    tracks = [row_box(pen, row) for row in box.rows(4, gap=pen.pick(4, 8))]
    title = f"the {SMALL // 10**9} GB of one GPU, if heads were shared like this"
    yield pen.text("bars-title", tracks[0].x, box.y - pen.pick(8, 10), title, "note")
    for row, track, rival in zip(box.rows(4, gap=pen.pick(4, 8)), tracks, case.rivals, strict=True):
        yield from draw_scheme(pen, row, track, rival, case.cache, tokens)


def row_box(pen: Pen, row: Box) -> Box:
    """Where a scheme's GPU stands in its row: under its name on a phone, else beside it."""
    return (
        Box(row.x, row.y + 17, row.width, row.height - 17) if pen.narrow else Box(row.x + 100, row.y, 340, row.height)
    )


def draw_scheme(pen: Pen, row: Box, track: Box, rival: Cache, shipped: Cache, tokens: int) -> Iterator[Mark]:
    """One scheme: layers that keep every token first, then those with a window; what windows spare is an outline."""
    name, own, start = rival.scheme, rival.scheme == shipped.scheme, track.x
    unit, total, full = track.width / SMALL, rival.total(tokens), rival.full(tokens)
    yield pen.rect(f"{name}-gpu", track, "cell")
    if full > total:
        yield pen.rect(f"{name}-full", track._replace(width=min(full * unit, track.width)), "ghost")
    for key, part, role in zip(("kept", "windowed"), map(int, rival.parts(tokens)), (KEPT, WINDOWED), strict=True):
        wide = min(part * unit, track.right - start)
        if part:
            manner, read = "" if own else " soft", f"{name}: {amount(total)}"
            place = Box(start, track.y, max(wide, 1.0), track.height)
            yield pen.rect(f"{name}-{key}", place, f"{role}{manner} answer", round=1, read=read)
            start = place.right
    if total > SMALL:
        edge = Box(track.right - 6, track.y, 6, track.height)
        yield pen.rect(f"{name}-over", edge, "dropped answer", round=0)
    heads = kv_heads(rival.shape, name)
    kept = count(heads, "KV head") if heads else "one latent"
    y = row.y + pen.pick(12, 17)
    yield pen.text(f"{name}-name", row.x, y, name, "label strong")
    number = gpus(total) if tokens > 1 else ""
    role = "dropped strong" if total > SMALL else "value strong" if own else "value"
    if pen.narrow:
        yield pen.text(f"{name}-heads", row.x + 38, y, f"{kept}{', as shipped' if own else ''}", "note")
        yield pen.text(f"{name}-size", row.right, y, number, f"{role} answer", anchor="end")
        return
    yield pen.text(f"{name}-heads", row.x, y + 18, "as shipped" if own else kept, "note")
    yield pen.text(f"{name}-size", track.right + 8, y, number.split(" = ")[0], f"{role} answer")
    under = number.split(" = ")[1] if " = " in number else ""
    yield pen.text(f"{name}-gpus", track.right + 8, y + 18, under, "dropped")


def draw_length(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The context length on a log scale, with a knob."""
    case: Case = moment.result
    axis = Axis("tokens", span=(LENGTHS[0], LENGTHS[-1]), log=True)

    def at(tokens: float) -> tuple[float, float]:
        return box.x + axis.share(tokens) * box.width, box.y

    yield pen.line("length", box.x, box.y, box.right, box.y, "axis")
    for tick, words in TICKS.items():
        if pen.narrow and tick == 65536:
            continue
        x, y = at(tick)
        yield pen.line(f"length-{tick}", x, y, x, y + 4, "axis")
        yield pen.text(f"length-{tick}-words", x, y + pen.size + 12, words, "note", anchor="middle")
    yield pen.text(
        "length-title", box.x - pen.pick(16, 0), box.y - 15, f"{case.tokens:,} tokens of context", "hot strong"
    )
    tokens = so_far(moment)
    if moment.phase == "length" and tokens != case.tokens:
        yield pen.circle("growing", *at(tokens), 5, "hot")
    else:
        yield pen.knob("tokens", *at(case.tokens), "tokens", [at(length) for length in LENGTHS])
