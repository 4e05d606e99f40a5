"""The picture: the product and its size, a GPU's memory for each way to share heads, and the length to take hold of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loom.draw import Box, Mark, Pen, count, memoized
from loom.scene import Moment

from .layers import KEPT, STATE, WINDOWED, draw_full, draw_layers
from .length import draw_length
from .model import Cache, kv_heads
from .narration import MANY, SHOWN, SMALL, amount, bits, gpus, layers_so_far, so_far, weights
from .one_token import draw_token, token_in
from .product import draw_product


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, cache = Pen(width), moment.result.cache
    head, layers, bars, axis = pen.pick(
        (Box(0, 0, 328, 76), Box(0, 94, 328, 40), Box(0, 162, 328, 122), Box(16, 317, 296, 0)),
        (Box(0, 0, 250, 150), Box(0, 194, 250, 100), Box(300, 28, 540, 200), Box(400, 276, 420, 0)),
    )
    if not moment.since("length"):  # there is no axis yet
        bars = bars._replace(height=pen.pick(172, 266))
    tokens, phase, seen = so_far(moment), moment.phase, layers_so_far(moment)
    yield from draw_product(pen, head, cache, tokens, phase if phase in ("layer", "token") else "", seen)
    limit = cache.fits(SMALL)
    longest = limit or MANY if moment.since("length") else 1
    grows = phase == "length" and moment.progress < 1
    yield from draw_layers(pen, layers, cache.shape, cache.layer_token, tokens, longest, seen, grows)
    if moment.since("length"):
        yield from draw_full(pen, layers, limit)
    if not moment.since("length"):  # a token is as large in a conversation of any length
        yield from draw_one_token(pen, bars, cache, phase, moment.progress == 1 or phase == "token", seen)
        return
    yield from draw_bars(pen, bars, moment)
    yield from draw_length(pen, axis, moment)


class Row(NamedTuple):
    """One GPU that holds the cache in one way."""

    name: str
    kind: str  # what the name means, and whether the model ships so
    parts: tuple[float, ...]  # layers that keep every token, with a window, with a state [B]
    full: float  # if no window dropped a token [B]
    own: bool  # as the model ships

    @property
    def total(self) -> int:
        return round(sum(self.parts))


def rows(pen: Pen, moment: Moment) -> list[Row]:
    """Ways to share heads as the conversation grows, or in the last chapter to store numbers."""
    case, tokens = moment.result, so_far(moment)
    cache: Cache = case.cache
    if moment.phase != "format":
        return [Row(rival.scheme, kept_heads(pen, rival, cache), (*map(float, rival.parts(tokens)), rival.states),
                    rival.full(tokens), rival.scheme == cache.scheme) for rival in cache.rivals]  # fmt: skip
    found = []
    for form in SHOWN:
        kept = cache.stored(tokens, form if moment.progress == 1 else "BF16")  # all begin as wide as the model ships
        factor = (kept - cache.states) / (cache.total(tokens) - cache.states)
        parts = (*(factor * float(part) for part in cache.parts(tokens)), cache.states)
        full = factor * cache.full(tokens)
        found.append(Row(form, f"{bits(cache, form)} bits", parts, full, form == "BF16"))
    return found


def kept_heads(pen: Pen, rival: Cache, cache: Cache) -> str:
    heads = kv_heads(rival.shape, rival.scheme)
    words = count(heads, "KV head") if heads else "entries" if rival.scheme == "CSA" else "one latent"
    if rival.scheme != cache.scheme:
        return words
    return pen.pick(f"{words}, as shipped", "as shipped")


@memoized
def draw_one_token(pen: Pen, box: Box, cache: Cache, phase: str, merged: bool, seen: int) -> Iterator[Mark]:
    """What one token leaves for each way, in one layer or in those that are seen."""
    places = box.rows(4, gap=pen.pick(4, 8))
    tracks = [row_box(pen, row) for row in places]
    title = "one token in all layers, if heads were shared like this"
    if phase == "layer":
        title = f"{cache.shape.heads} query heads, and the keys and values that they read"
    yield from draw_title(pen, box, tracks[0], title)
    for place, rival in zip(places, cache.rivals, strict=True):
        yield from draw_names(pen, place, rival.scheme, kept_heads(pen, rival, cache))
    part = token_in(cache, seen) / cache.token if phase == "token" else 1.0
    yield from draw_token(pen, places, tracks, cache, phase, merged, part)


def draw_title(pen: Pen, box: Box, track: Box, words: str) -> Iterator[Mark]:
    yield pen.text("bars-title", track.x, box.y - pen.pick(8, 10), words, "note")


def draw_bars(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The memory of a GPU for each way, and how much of it the cache takes."""
    places = box.rows(4, gap=pen.pick(4, 8))
    tracks = tuple(row_box(pen, row) for row in places)
    what = "numbers were stored" if moment.phase == "format" else "heads were shared"
    yield from draw_title(pen, box, tracks[0], f"the {SMALL // 10**9} GB of one GPU, if {what} like this")
    for place, track, row in zip(places, tracks, rows(pen, moment), strict=True):
        yield from draw_names(pen, place, row.name, row.kind)
        yield from draw_row(pen, place, track, row, moment.progress == 1, moment.phase == "length")
    if size := weights(moment.result.cache):
        yield from draw_weights(pen, tracks, size)


@memoized
def draw_weights(pen: Pen, tracks: tuple[Box, ...], size: int) -> Iterator[Mark]:
    """How far the model's own weights would reach: a line through all GPUs, so that caches are measured by it."""
    x = tracks[0].x + size / SMALL * tracks[0].width
    aside, anchor = (4, "start") if size < SMALL / 2 else (-4, "end")
    read = f"the weights of the model take {amount(size)}"
    over = pen.pick(0, 2)  # not through names, which on a phone stand close over the tracks
    ends = [(track.y - over, track.bottom + (12 if track is tracks[-1] else 2)) for track in tracks]
    yield pen.strokes("weights", [[(x, top), (x, bottom)] for top, bottom in ends], "axis dashed", read=read)
    yield pen.text(
        "weights-words", x + aside, tracks[-1].bottom + 12, f"weights: {amount(size)}", "note", anchor=anchor
    )


@memoized
def draw_names(pen: Pen, place: Box, name: str, kind: str) -> Iterator[Mark]:
    y = place.y + pen.pick(12, 17)
    yield pen.text(f"{name}-name", place.x, y, name, "label strong")
    yield pen.text(f"{name}-heads", place.x + pen.pick(44, 0), y + pen.pick(0, 18), kind, "note")


def row_box(pen: Pen, row: Box) -> Box:
    """Where a way's GPU stands in its row: under its name on a phone, else beside it."""
    return (
        Box(row.x, row.y + 17, row.width, row.height - 17) if pen.narrow else Box(row.x + 100, row.y, 340, row.height)
    )


def draw_row(pen: Pen, place: Box, track: Box, row: Row, told: bool, growing: bool) -> Iterator[Mark]:
    """One GPU: layers that keep every token first, then others; what windows spare is an outline."""
    name, start, unit, total = row.name, track.x, track.width / SMALL, row.total
    guess = "" if row.own else " answer"  # what the model leaves as it ships is there to reason from
    yield pen.rect(f"{name}-gpu", track, "cell")
    if row.full > total:
        yield pen.rect(f"{name}-full", track._replace(width=min(row.full * unit, track.width)), "ghost")
    for key, part, role in zip(("kept", "windowed", "state"), row.parts, (KEPT, WINDOWED, STATE), strict=True):
        wide = min(part * unit, track.right - start)
        if part:
            manner, read = "" if row.own else " soft", f"{name}: {amount(total)}" if told else ""
            manner += " steady" if growing and not told else ""
            bar = Box(start, track.y, max(wide, 1.0), track.height)
            yield pen.rect(f"{name}-{key}", bar, f"{role}{manner}{guess}", round=1, read=read)
            start = bar.right
    if not told and not growing and not row.own:
        return
    if total > SMALL:
        edge = Box(track.right - 6, track.y, 6, track.height)
        yield pen.rect(f"{name}-over", edge, f"dropped{guess}", round=0)
    y, number = place.y + pen.pick(12, 17), gpus(total)
    role = "dropped strong" if total > SMALL else "value strong" if row.own else "value"
    if pen.narrow:
        yield pen.text(f"{name}-size", place.right, y, number, f"{role}{guess}", anchor="end")
        return
    yield pen.text(f"{name}-size", track.right + 8, y, number.split(" = ")[0], f"{role}{guess}")
    under = number.split(" = ")[1] if " = " in number else ""
    yield pen.text(f"{name}-gpus", track.right + 8, y + 18, under, f"dropped{guess}")
