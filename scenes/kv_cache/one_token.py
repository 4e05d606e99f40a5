"""What one token leaves for each way to share heads: threads of query heads lead to the keys and values they read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from loom.draw import Box, Mark, Pen, memoized

from .compressed import EVERY
from .model import Cache, kv_heads
from .narration import amount

FINE = 4.0  # units from head to head: threads that are closer are thin


def token_size(cache: Cache, phase: str) -> float:
    """Bytes of one token in one layer, or in the phase "token" in all of them; an entry is shared by its tokens."""
    if phase == "token":
        return float(cache.token)
    return cache.layer_token / (EVERY["c"] if cache.scheme == "CSA" else 1)


def token_in(cache: Cache, layers: int) -> int:
    """Bytes of one token in the first layers; of entries that tokens share, on average."""
    if cache.scheme == "CSA":
        entry = cache.shape.head_dim * cache.element
        chosen, read = (cache.shape.kinds[:layers].count(kind) for kind in "ch")
        return chosen * cache.layer_token // EVERY["c"] + read * entry // EVERY["h"]
    return cache.layer_token * (layers - cache.shape.kinds[:layers].count("s"))


def draw_token(
    pen: Pen, places: Sequence[Box], tracks: Sequence[Box], cache: Cache, phase: str, merged: bool, part: float
) -> Iterator[Mark]:
    """For each way what is kept, the longest as long as there is room: under its query heads, then side by side.

    One way is seen to come about: that of the model, in which each query head first has its own. All grow as layers
    add up, of which there is a `part`.
    """
    full, spread = [token_size(rival, phase) for rival in cache.rivals], phase == "layer"
    sizes = [part * size for size in full]
    for rival, size, place, track in zip(cache.rivals, sizes, places, tracks, strict=True):
        own, name = rival.scheme == cache.scheme, rival.scheme
        heads, keys = rival.shape.heads, max(kv_heads(rival.shape, name), 1)
        row = Kept(name, track, heads, keys, max(track.width * size / max(full), 2.0), own)
        if own and not merged:
            row = row._replace(keys=heads, wide=track.width)
        yield from draw_kept(pen, row, spread, f"{name}: {amount(round(size))}")
        x, y, anchor = pen.pick((place.right, place.y + 12, "end"), (track.right + 8, place.y + 17, "start"))
        if merged or not own:
            role = "value strong" if own else "value answer"
            yield pen.text(f"{name}-token-size", x, y, amount(round(size)), role, anchor=anchor)


class Kept(NamedTuple):
    """What one way keeps of a token in a layer."""

    name: str
    track: Box
    queries: int  # heads
    keys: int  # that they share
    wide: float  # all of them side by side
    own: bool  # as the model ships


@memoized
def draw_kept(pen: Pen, row: Kept, spread: bool, read: str) -> Iterator[Mark]:
    """A box for each key and its value; spread, each under the middle of its group, whose threads lead to it.

    Threads of a group go along one line: however many, they stay threads and do not run together into a patch.
    In the model's own way there is one for each query head, those that are shared on one another.
    """
    track, group = row.track, row.queries // row.keys
    pitch, each = track.width / row.queries, row.wide / row.keys
    top = round(track.bottom - 0.4 * track.height) if spread else track.y
    gap = min(1.0, each / 4)
    lefts = [round(track.x + ((key + 0.5) * group * pitch - each / 2 if spread else key * each), 1)
             for key in range(row.keys)]  # fmt: skip
    boxes = [Box(x, top, each - gap, track.bottom - top).corners[:4] for x in lefts]
    role = "memory solid" if row.own else "memory solid soft answer"
    yield pen.strokes(f"{row.name}-token", [box for box in boxes for _ in range(group if row.own else 1)], role,
                      read=read)  # fmt: skip
    if spread:
        ends = [round(x + (each - gap) / 2, 1) for x in lefts for _ in range(group)]
        starts = [round(track.x + (query + 0.5) * pitch - gap / 2, 1) for query in range(row.queries)]
        spine = round(track.y + 0.35 * track.height) + 0.5
        threads = [[(x, track.y), (x, spine), (end, spine), (end, top)] for x, end in zip(starts, ends, strict=True)]
        fine = " thin" if pitch < FINE else ""
        yield pen.strokes(f"{row.name}-threads", threads, f"axis{fine}" if row.own else f"axis soft{fine} answer")
