"""A small site for the player's hand and clock: handles, read-outs, beats, and a prediction."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from loom.build.pipeline import build_site
from loom.model import Output
from loom.options import Options
from tests.sites import site

# A knob that runs across and one that runs down, bars that say their numbers, chapters with beats; one way of filling
# has a chapter that the other has not. Its rain takes so many bytes that each way has a data file of its own. At the
# size of 1 nothing is fine, so that a control comes and goes while the size is dragged.
RAMP = """
from functools import cache

import numpy as np

from loom.draw import Box, Pen
from loom.scene import Choice, Column, Phase, Range, Scene, Table, Toggle, Value, evenly

SIZES, GRAINS = tuple(range(11)), (1, 2, 4)
PHASES = (
    Phase("start", lambda at: f"It starts with {at.result[1]}."),
    Phase("fill", lambda at: f"It fills up to {at.result[1]}.", beats=lambda at: evenly(5, 1.0)),
    Phase("extra", lambda at: "It does more.", moments=lambda result: (0,) if result[0] == "more" else ()),
    Phase("end", lambda at: f"It ends with {at.result[1]}.", beats=lambda at: (0.0, 0.3)),
)


@cache
def rain(way, width):
    drops = np.random.default_rng(len(way)).random((4500, 2)) * (width, 6)
    return Pen(width).path("rain", drops.tolist(), "grid")


def draw(at, width):
    way, size, fine, grain = at.result
    pen = Pen(width)
    yield rain(way, width)
    rail = [(30 + value * (width - 60) / 10, 40) for value in SIZES]
    yield pen.line("rail", 30, 40, width - 30, 40, "axis")
    for bar in range(5):
        if bar < 5 * at.past("fill"):
            box = Box(30 + 50 * bar, 190 - 10 * size, 40, 10 * size + 2)
            yield pen.rect(f"bar-{bar}", box, "data", read=f"bar {bar}: {bar * size} units")
    if at.phase != "end":
        yield pen.path("shape", [(10, 210), (40 + 10 * at.past("fill"), 230)], "hot")
        yield pen.circle("going", 280, 220, 6, "kept", read="this one goes")
    else:
        yield pen.path("shape", [(10, 210), (40, 230), (60, 210)], "hot")
        yield pen.circle("coming", 300, 220, 6, "kept", read="this one comes")
    left = 200 + 10 * at.past("fill")
    yield pen.line("told", left, 246, left + 60, 240, "axis modelled")
    yield pen.circle("seen", 230, 243, 4, "data measured")
    yield pen.text("total", 30, 250, f"{10 * size} in all", "value answer", size=pen.huge)
    if fine:
        places = [(310, 100 + 40 * place) for place in range(3)]
        yield pen.knob("grain", *places[GRAINS.index(grain)], "grain", places, "Grain of the bars")
    yield pen.knob("knob", *rail[SIZES.index(size)], "size", rail)
    yield pen.text("asks", 30, 76, "drag the knob", "note hint")


SCENE = Scene(
    title="How far does it fill?", summary="Bars fill a ramp.", sources=("toy2020",), leaves_out="Everything.",
    params=(
        Choice("way", "Way", ("plain", "more")), Toggle("fine", "Fine", when={"size": (0, *SIZES[2:])}),
        Range("grain", "Grain", GRAINS, default=2, unit="g", when={"fine": (True,)}),
        Range("size", "Size", SIZES, default=4, unit="units"),
    ),
    sentence="Fill {size} in the way {way}, fine {fine}[ with a grain of {grain}].",
    solve=lambda way, fine, grain, size: (way, size, fine, grain),
    steps=PHASES, draw=draw, opening=1,
    table=lambda result: Table((Column("size", "size"),), [(result[1],)]),
    values=lambda result: {"total": Value(10 * result[1])},
)
"""

# One handle for two parameters.
GRID = """
from loom.draw import Box, Pen
from loom.scene import Column, Range, Scene, Table, Value

ROWS, COLUMNS = (1, 2, 3, 4), (2, 4, 6)


def draw(state, width):
    rows, columns = state
    pen = Pen(width)
    yield pen.rect("field", Box(20, 20, 40 * columns, 40 * rows), "cell")
    rail = [(20 + 40 * column, 20 + 40 * row) for row in ROWS for column in COLUMNS]
    yield pen.knob("corner", 20 + 40 * columns, 20 + 40 * rows, ("rows", "columns"), rail)


SCENE = Scene(
    title="How large is it?", summary="A field.", sources=("toy2020",), leaves_out="Everything.",
    params=(Range("rows", "Rows", ROWS, default=2, unit="rows"), Range("columns", "Columns", COLUMNS, default=4)),
    steps=lambda rows, columns: [(rows, columns)],
    draw=draw,
    say=lambda state: f"{state[0]} by {state[1]}.",
    table=lambda rows, columns: Table((Column("cells", "cells"),), [(rows * columns,)]),
    values=lambda rows, columns: {"cells": Value(rows * columns)},
)
"""

# A handle whose rail goes up and down on its way across, where the last two values have one place; and one whose only
# parameter goes through the rows of a grid.
WAVE = """
from loom.draw import Pen
from loom.scene import Column, Range, Scene, Table

TIMES, CELLS = tuple(range(14)), tuple(range(6))


def draw(state, width):
    (time, cell), pen = state, Pen(width)
    rail = [(60 + min(at, 12) * (width - 120) / 12, 40 + 50 * (min(at, 12) % 3)) for at in TIMES]
    yield pen.path("wave", rail, "axis")
    yield pen.knob("time", *rail[time], "time", rail)
    grid = [(60 + 50 * (at % 3), 200 + 50 * (at // 3)) for at in CELLS]
    yield pen.knob("cell", *grid[cell], "cell", grid)


SCENE = Scene(
    title="When is it high?", summary="A wave.", sources=("toy2020",), leaves_out="Everything.",
    params=(Range("time", "Time", TIMES), Range("cell", "Cell", CELLS)), steps=lambda time, cell: [(time, cell)],
    draw=draw, say=lambda state: f"It is {state[0]}.", values=lambda time, cell: {},
    table=lambda time, cell: Table((Column("time", "time"),), [(time,)]),
)
"""

HOME = """---
title: A page for the hand
---

## The ramp

In all it is {value}`ramp.total`.

:::{scene} ramp
:::

## The grid

:::{scene} grid
:::
"""

LATER = """---
title: Further on
---

## The ramp

:::{scene} ramp
:step: 2
:::
"""

WAVES = """---
title: Up and down
---

## The wave

:::{scene} wave
:::
"""

GUESS = """---
title: A guess
---

## The ramp

::::{predict}
How much is it in all?

- [ ] None.
- [x] Forty.

:::{scene} ramp
:::
::::
"""

REFERENCES = """
- {id: toy2020, title: Toys, authors: Ames, year: 2020, kind: paper, area: games, url: 'https://example.org/toys',
   takes: All of it.}
"""

FILES: Mapping[str, str] = {
    "home": HOME,
    "later": LATER,
    "waves": WAVES,
    "guess": GUESS,
    "references.yml": REFERENCES,
    "site.yml": "title: Tests\nhome: home\n",
    "scenes/ramp/scene.py": RAMP,
    "scenes/grid/scene.py": GRID,
    "scenes/wave/scene.py": WAVE,
}


def hand_site(root: Path) -> Output:
    """The site, built in an empty folder."""
    return build_site(Options(site(root, **FILES)))
