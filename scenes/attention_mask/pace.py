"""What has happened at a beat of a mask's story: keys read, rows that have asked, layers passed, tokens written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loom.scene import Moment, evenly

from .masks import Flags
from .model import LAYERS, TOKENS, Look

MOST_TURNS = 8  # of the token that asks: with more keys it reads several in a turn
SCAN = 1.0  # how long the indexer takes to look at the past [s]
LEAD = 0.25  # how long the picture before anything sets out stands [s]
PAIR = 2  # rows of the map that a beat fills, and tokens that a beat writes


def order(look: Look) -> list[int]:
    """The tokens that one layer brings in sight, the newest first."""
    return np.flatnonzero(look.cones[1][0]).tolist()[::-1]


def at_a_time(look: Look) -> int:
    """How many keys a turn reads."""
    return -(-len(order(look)) // MOST_TURNS)


def scans(look: Look) -> bool:
    """Whether an indexer looks at all of the past before any key is read; for the first token there is none."""
    return look.stack.pattern == "top-k" and look.query > 1


def rule_beats(moment: Moment) -> tuple[float, ...]:
    """Nothing read yet; then the indexer looks, if there is one; then turn after turn; then what global layers read."""
    look: Look = moment.result
    turns = -(-len(order(look)) // at_a_time(look)) + (look.stack.pattern == "interleaved")
    start = LEAD + SCAN * scans(look)
    return (0.0, *([LEAD] if scans(look) else []), *(round(start + 0.3 * turn, 2) for turn in range(turns)))


def map_beats(_: Moment) -> tuple[float, ...]:
    """A pair of rows after the other; then the words that stand on what is not read."""
    return evenly(TOKENS // PAIR, 3.2, lead=LEAD, landed=True)


def reach_beats(_: Moment) -> tuple[float, ...]:
    return evenly(LAYERS - 1, 2.7, lead=LEAD)  # a layer a beat


def cache_beats(moment: Moment) -> tuple[float, ...]:
    """Without a mask the layers run one after the other; else the text grows, and all of them with it."""
    return evenly(LAYERS if moment.result.stack.pattern == "full" else TOKENS // PAIR, 3.2, lead=LEAD)


def in_sight(moment: Moment) -> Flags:
    """The tokens that the first layer has brought in sight of the one that asks, shape (n,)."""
    look: Look = moment.result
    seen = np.zeros(look.stack.n, dtype=bool)
    turns = max(moment.beat - scans(look), 0)
    seen[order(look)[: turns * at_a_time(look) if moment.phase == "rule" else None]] = True
    return seen


def reading(moment: Moment) -> bool:
    """Whether the token that asks has read anything yet."""
    return moment.phase != "rule" or bool(in_sight(moment).any())


def scanned(moment: Moment) -> bool:
    """Whether what lies behind the keys is there: what the indexer scores, or what global layers read."""
    if moment.phase != "rule":
        return True
    return moment.beat > 0 if scans(moment.result) else ended(moment)


def asked(moment: Moment) -> Sequence[int]:
    """The rows of the map that are filled in, but for what the token that asks has not read yet."""
    row = moment.result.row
    if moment.phase == "rule":
        return [row]
    return sorted({row, *range(min(PAIR * moment.beat, TOKENS))}) if moment.phase == "map" else range(TOKENS)


def turn(moment: Moment) -> int | None:
    """The row that the turn to ask moves on to until the next beat; none when the last has asked."""
    return None if moment.phase != "map" or ended(moment) else min(PAIR * moment.beat, TOKENS - 1)


def ended(moment: Moment) -> bool:
    """Whether it is the last picture of its step."""
    return moment.beat == moment.beats - 1


def whole(moment: Moment) -> bool:
    """Whether the map is there as a whole."""
    return moment.phase in ("reach", "cache") or (moment.phase == "map" and ended(moment))


def scores(moment: Moment) -> float:
    """What the rows that have asked compute, on average over the layers."""
    return float(moment.result.stack.masks[:, list(asked(moment))].sum() / LAYERS)


def layers_of(moment: Moment) -> int:
    """Through how many layers the token looks at a moment: one at first, and one more in each beat."""
    return {"reach": moment.beat + 1, "cache": LAYERS}.get(moment.phase, 1)


def written(moment: Moment) -> Flags:
    """The tokens that the caches of a layer have come to, shape (L, n)."""
    stack = moment.result.stack
    if stack.pattern == "full":
        return np.repeat(np.arange(LAYERS)[:, None] < moment.beat, stack.n, axis=1)
    return np.repeat(np.arange(stack.n)[None] < PAIR * moment.beat, LAYERS, axis=0)


def held(moment: Moment) -> Flags:
    """Whose keys and values the layers hold once these tokens are written, shape (L, n)."""
    stack, there = moment.result.stack, written(moment)
    if stack.pattern in ("full", "top-k"):
        return stack.held & there
    return stack.masks[:, max(PAIR * moment.beat - 1, 0)] & there


def every_score(look: Look) -> list[float]:
    """What `scores` comes to, beat by beat, while the rows ask."""
    each = look.stack.masks.sum(axis=(0, 2)) / LAYERS
    return [float(each[sorted({look.row, *range(rows)})].sum()) for rows in range(0, TOKENS + 1, PAIR)]
