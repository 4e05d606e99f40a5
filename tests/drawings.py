"""Small drawings that have each piece once at least, and where they are kept: `python -m tests.drawings` writes them.

What has changed in them is to be looked at before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from loom.draw import (
    Axis,
    Box,
    Entry,
    Mark,
    Pen,
    Plot,
    Polar,
    arrow,
    bounding_box,
    colorbar,
    contours,
    equal_aspect,
    field,
    first_clear,
    formula,
    legend,
    maths,
    quiver,
    shade_role,
)
from loom.draw.extent import bounds
from loom.draw.svg import svg
from tests.drawings_of_marks import DRAWINGS as MARKS

FOLDER = Path(__file__).parent / "drawings"
PEN = Pen(328)
X, Y = Axis("x", "m", (-2, 2)), Axis("y", "m", (-1, 1))
HEIGHT = Axis("height", "m", (0, 1))
PLOT = Plot(PEN, Box(44, 30, 270, 135), X, Y)
TIMES = np.linspace(0, 8, 33)


def hill(plot: Plot, columns: int, rows: int) -> np.ndarray:
    """A hill with a lower one beside it."""
    x, y = np.meshgrid(plot.x.samples(columns), plot.y.samples(rows))
    return np.exp(-3 * ((x + 0.7) ** 2 + y**2)) + 0.6 * np.exp(-4 * ((x - 0.9) ** 2 + (y - 0.3) ** 2))


def smooth_field() -> Iterator[Mark]:
    """A field with its lines of equal height, and the scale."""
    values = hill(PLOT, 60, 30)
    yield from PLOT.axes()  # first: its grid lies under the field
    yield from field(PLOT, "hill", values, HEIGHT, levels=10)
    yield from contours(PLOT, "line", values, [0.2, 0.5, 0.8], labels=True)
    yield from colorbar(PEN, "scale", Box(44, 240, 160, 10), HEIGHT, levels=10)


def field_of_cells() -> Iterator[Mark]:
    """A matrix with a hole, each number in its own box, in all sixteen shades."""
    values = hill(PLOT, 16, 8)
    values[5:7, 6:9] = np.nan
    yield from field(PLOT, "cells", values, HEIGHT, levels=16, cells=True)
    yield from colorbar(PEN, "scale", Box(44, 210, 160, 10), HEIGHT, levels=16)
    yield PEN.circle("dot", 250, 215, 5, shade_role(12))


def both_ways() -> Iterator[Mark]:
    """Waves above and below a middle, with signs where they are strong, and a table of as many small cells."""
    away = Axis("away", "cm", (-1, 1), diverging=True)
    x, y = np.meshgrid(X.samples(60), Y.samples(30))
    yield from PLOT.axes()
    yield from field(PLOT, "waves", np.cos(5 * np.hypot(x + 1, y)) * np.exp(-np.hypot(x + 1, y) / 3), away, levels=10)
    yield from colorbar(PEN, "scale", Box(44, 240, 160, 10), away, levels=10)
    table = Plot(PEN, Box(44, 290, 120, 120), X, Y)
    numbers = np.random.default_rng(3).uniform(-1, 1, (6, 6))
    yield from field(table, "table", numbers, away, levels=16, cells=True)


def areas() -> Iterator[Mark]:
    """A band round a curve that leaves the plot: both end at its frame."""
    axis = Axis("swing", "m", (-0.6, 1), clip=True)
    plot = Plot(PEN, Box(44, 30, 270, 120), Axis("time", "s", (0, 8)), axis)
    middle = np.exp(-TIMES / 4) * np.cos(2 * TIMES)
    yield from plot.axes(x_grid=True)
    yield plot.area("band", TIMES, middle + 0.3, middle - 0.3, "series-1 soft")
    yield plot.area("under", TIMES[:12], np.exp(-TIMES[:12]) - 0.5, role="hot soft")
    yield plot.curve("curve", TIMES, middle, "series-1")
    yield plot.stairs("stairs", TIMES[::4], 2 * middle[::4], "ghost")


def scatter() -> Iterator[Mark]:
    """Many dots as one mark, error bars, and a legend of every kind of swatch."""
    plot = Plot(PEN, Box(44, 50, 270, 120), Axis("dose", "mg", (0, 10)), Axis("answer", span=(0, 8)))
    draws = np.random.default_rng(1)
    xs = draws.uniform(0, 10, 200)
    at = np.arange(1, 10, 2)
    yield from plot.axes()
    yield plot.scatter("cloud", xs, 1 + xs / 2 + draws.uniform(-1, 1, 200), "quiet", side=2)
    yield plot.error_bars("bars", at, 0.4 + at / 2, 1.6 + at / 2)
    yield from plot.point("one", 5, 3.5)
    entries = [Entry("a mean", "hot", "dot"), Entry("its spread", "axis"), Entry("what was seen", "quiet", "box")]
    yield from legend(PEN, "key", Box(44, 6, 270, 40), entries)


def arrows() -> Iterator[Mark]:
    """A whirl, in a box where a circle is round."""
    axes = Axis("x", "m", (-1, 1)), Axis("y", "m", (-1, 1))
    plot = Plot(PEN, equal_aspect(Box(44, 30, 270, 150), *axes), *axes)
    x, y = (side.ravel() for side in np.meshgrid(np.linspace(-0.9, 0.9, 7), np.linspace(-0.9, 0.9, 7)))
    yield from plot.axes()
    yield quiver(plot, "whirl", x, y, -y, x, maximum=1.3, reach=24)
    yield arrow(PEN, "wind", (20, 200), (60, 200), "hot")


def log_axes() -> Iterator[Mark]:
    """A resonance on two logarithmic axes, cut where it leaves them."""
    frequency = Axis("frequency", "Hz", (0.1, 10), log=True, decades=True)
    gain = Axis("gain", span=(0.05, 5), log=True, decades=True, clip=True)
    plot = Plot(PEN, Box(44, 30, 270, 120), frequency, gain)
    ratio = np.array(plot.x.samples(81))
    yield from plot.axes(x_ticks=6, y_ticks=6, x_grid=True)
    yield plot.curve("gain", ratio, 1 / np.hypot(1 - ratio**2, ratio / 10))


def polar() -> Iterator[Mark]:
    """Where an antenna of two rods sends to."""
    polar = Polar(PEN, (164, 120), 80, Axis("gain", span=(0, 1)))
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    gains = np.abs(np.cos(np.pi / 2 * np.cos(angles)))
    yield from polar.axes()
    yield polar.area("lobe", angles, gains)
    yield polar.curve("rim", angles, gains, close=True)
    yield PEN.circle("best", *polar.at(np.pi / 2, 1), 4, "hot")


def words() -> Iterator[Mark]:
    """Texts that are turned, that have a plate as large as they are, and a rim of paper; and what they may say."""
    label = PEN.text("label", 164, 60, maths(r"\omega_0^2 = 4\pi^2 \times 10^{-3} s^{-2}"), anchor="middle")
    yield PEN.rect("plate", bounding_box([label], 6), "cell")
    yield label
    yield PEN.rect("ground", Box(40, 90, 200, 30), shade_role(13), round=0)
    yield PEN.text("rim", 50, 110, "readable anywhere", "label halo")
    yield PEN.text("up", 20, 120, "amplitude", "note", anchor="middle", middle=True, rotate=-90)
    dot = PEN.circle("dot", 300, 20, 5)
    yield dot
    yield first_clear([PEN.text("dot-name", 300, y, "peak", anchor="middle") for y in (24, 40)], [dot])
    yield PEN.text("slant", 250, 90, "thirty degrees", "note", rotate=30)


def formulas() -> Iterator[Mark]:
    """Letters raised and lowered, both at once, in a fraction on one line, on a plate, turned and strong."""
    yield from formula(PEN, "decay", 8, 30, r"N(t) = N_0 e^{-t/\tau}", size=PEN.large)
    yield from formula(PEN, "both", 180, 30, "x_i^2 + y_{max}")
    yield from formula(
        PEN, "bell", 8, 70, r"\frac{1}{\sqrt{2\pi}\sigma} e^{-\frac{(x - \mu)^2}{2\sigma^2}}", size=PEN.large
    )
    label = [*formula(PEN, "plated", 240, 70, "T_i^n", anchor="middle", middle=True)]
    yield PEN.rect("plate", bounding_box(label, 5), "cell")
    yield from label
    yield from formula(PEN, "up", 310, 100, "v_x - u_{in}", "note", rotate=-90)
    yield from formula(PEN, "end", 200, 110, "e^{kt}", "hot strong", anchor="end", read="e to the k t")


DRAWINGS: dict[str, Callable[[], Iterator[Mark]]] = {
    one.__name__: one
    for one in (smooth_field, field_of_cells, both_ways, areas, scatter, arrows, log_axes, polar, words, formulas,
                *MARKS)
}  # fmt: skip


def drawn(name: str) -> str:
    """A drawing as it is kept: an element on each line, then what is said and what can be done with which of them."""
    drawing = [*DRAWINGS[name]()]
    picture = str(
        svg(
            drawing,
            PEN.width,
            round(max(bounds(mark)[3] for mark in drawing) + 6),
            label=DRAWINGS[name].__doc__ or name,
        )
    )
    return re.sub(r"(?<=>)(?=<)", "\n", picture) + "\n" + "".join(f"<!-- {one} -->\n" for one in _answers(drawing))


def _answers(drawing: list[Mark]) -> Iterator[str]:
    for mark in drawing:
        hand = mark.handle.spelled if mark.handle else " ".join(f"{name}={to}" for name, to in (mark.set or {}).items())
        if said := ", ".join(filter(None, [hand, mark.label, mark.read])):
            yield f"{mark.key}: {said}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in DRAWINGS:
        (FOLDER / f"{name}.svg").write_text(drawn(name), encoding="utf-8")
