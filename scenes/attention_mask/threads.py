"""The threads of a stack: from each token above a layer down to what it reads, and the longest way through all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Mark, tidy
from loom.scene import Moment

from .masks import Flags
from .model import LAYERS, TOKENS, path_of
from .pace import asked, in_sight, layers_of, reading
from .stage import Stage

FANS = "kept thin soft"


@cache
def links(stage: Stage, layer: int) -> list[list[str]]:
    """As written in a path: the thread from each token above a layer down to each one below it."""
    top, foot = (tidy(round(y, 1)) for y in (stage.strip(layer).bottom, stage.strip(layer - 1).y))
    xs = [tidy(round(stage.centre(token), 1)) for token in range(TOKENS)]
    return [[f"M{reader} {top}L{key} {foot}" for key in xs] for reader in xs]


def fan(stage: Stage, layer: int, reader: int, keys: Flags, role: str) -> Mark:
    """From one token above a layer down to every key that it reads, and to its own state."""
    thread, read = links(stage, layer)[reader], keys | (np.arange(TOKENS) == reader)
    return Mark(f"threads-{layer}-{reader}", "path", role, {"d": "".join(thread[key] for key in np.flatnonzero(read))})


def draw_threads(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The threads of everything in sight; those of the other tokens too, while all of them ask.

    Under top-k only the threads of those that hand word on: all of them would be a thicket.
    """
    look, layers, path = moment.result, layers_of(moment), way(moment)
    masks, rows = look.stack.masks, look.cones[layers]
    for layer in range(1, layers + 1):
        readers = np.arange(TOKENS) == path[layer][1] if look.stack.pattern == "top-k" else rows[layer]
        fans = readers.copy()
        if layer == 1:
            fans[list(asked(moment)) if moment.phase == "map" else []] = True
            fans[look.row] = False
            yield from own_threads(stage, moment) if readers[look.row] else ()
        for reader in np.flatnonzero(fans).tolist():
            yield fan(stage, layer, reader, masks[layer - 1][reader], FANS if readers[reader] else "axis thin soft")


def own_threads(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Those of the token that asks through the first layer, one by one: it is watched as it reads."""
    for key in np.flatnonzero(in_sight(moment)).tolist():
        yield Mark(f"threads-to-{key}", "path", FANS, {"d": links(stage, 1)[moment.result.row][key]})


def way(moment: Moment) -> list[tuple[int, int]]:
    """The longest way down, as (level, token) from the input up; above the layers so far it stays at its end."""
    look, layers = moment.result, layers_of(moment)
    path = path_of(look, layers)
    if layers == 1:  # not all may have been read
        path = [int(np.argmax(in_sight(moment))) if reading(moment) else look.row, look.row]
    first = 0 if reading(moment) else 1
    return [(min(max(level, first), layers), path[min(level, layers)]) for level in range(LAYERS + 1)]
