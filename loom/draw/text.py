"""How wide a text is, and where labels go so that they do not collide. Widths are those of the shipped sans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from loom.draw.metrics import ADVANCE, ADVANCE_BOLD

BETWEEN = re.compile(r"[^\S\u00a0\u202f]+")  # spaces at which a line may break
UNKNOWN = 600  # per mille of an em, for characters that a fallback font will draw


@lru_cache(1 << 14)  # drawings measure the same texts at every step
def text_width(text: str, size: float, strong: bool = False) -> float:
    """The advance width of `text` at `size`, in the same unit as `size`."""
    table = ADVANCE_BOLD if strong else ADVANCE
    return sum([table.get(character, UNKNOWN) for character in text]) * size / 1000


def wrap(text: str, size: float, room: float) -> list[str]:
    """`text` in lines no wider than `room`; a word that is wider stands alone. A number stays with its unit."""
    lines: list[str] = []
    for word in filter(None, BETWEEN.split(text)):
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def dodge(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near `wanted`, at least `gap` apart and within `low` to `high`, in the same order.

    Neighbours that come too close are pushed apart around their common middle, so that
    a crowded group stays centred on the things it names.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    groups: list[list[float]] = []  # [first place, number of members, sum of (wanted - offset in group)]
    for index in order:
        groups.append([wanted[index], 1, wanted[index]])
        while len(groups) > 1 and groups[-2][0] + groups[-2][1] * gap > groups[-1][0]:
            _, count, total = groups.pop()
            before = groups[-1]
            before[2] += total - count * before[1] * gap
            before[1] += count
            before[0] = before[2] / before[1]
    places = [group[0] + gap * step for group in groups for step in range(int(group[1]))]
    for index, place in enumerate(places):  # from the left edge, then back from the right one
        places[index] = max(place, low + index * gap)
    for back in range(len(places)):
        at = len(places) - 1 - back
        places[at] = min(places[at], high - back * gap)
    result = [0.0] * len(wanted)
    for place, index in zip(places, order, strict=True):
        result[index] = place
    return result
