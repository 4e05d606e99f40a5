"""What one token leaves for each way to share heads, each beside the others: before any GPU is filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .compressed import EVERY
from .model import Cache, Case
from .narration import amount


def token_size(cache: Cache, phase: str) -> float:
    """Bytes of one token in one layer, or in the phase "token" in all of them; an entry is shared by its tokens."""
    if phase == "token":
        return float(cache.token)
    return cache.layer_token / (EVERY["c"] if cache.scheme == "CSA" else 1)


def draw_token(pen: Pen, places: Sequence[Box], tracks: Sequence[Box], moment: Moment) -> Iterator[Mark]:
    """A bar for each way, the longest as long as there is room."""
    case: Case = moment.result
    sizes = [token_size(rival, moment.phase) for rival in case.rivals]
    for rival, size, place, track in zip(case.rivals, sizes, places, tracks, strict=True):
        own, name = rival.scheme == case.cache.scheme, rival.scheme
        bar = track._replace(width=max(track.width * size / max(sizes), 2.0))
        guess = "" if own else " answer"
        yield pen.rect(f"{name}-token", bar, f"memory{'' if own else ' soft'}{guess}", round=1,
                       read=f"{name}: {amount(round(size))}")  # fmt: skip
        x, y, anchor = pen.pick((place.right, place.y + 12, "end"), (track.right + 8, place.y + 17, "start"))
        role = f"value{' strong' if own else ''}{guess}"
        yield pen.text(f"{name}-token-size", x, y, amount(round(size)), role, anchor=anchor)
