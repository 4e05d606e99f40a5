"""What real kernels reached: rings beside the roof, with their names."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Plot

from .._gpus.rates import GPUS, TERA
from .._silicon.drawing import Dot, rings
from .measured import dots
from .model import Chosen
from .names import Bounds, Place, beside, taken
from .stage import Stage, X, Y


def draw_measured(stage: Stage, chosen: Chosen, clear_of: list[Bounds]) -> Iterator[Mark]:
    """What real kernels reached on this GPU: under the roof, on it, and, out of L2, above it."""
    seen = dots(chosen.name, chosen.precision)
    marks = [*rings(stage, Plot(stage, stage.plot, X, Y), "measured", seen, stage.pick(2, 3))]
    yield from marks
    clear_of += taken((mark for mark in marks if mark.tag == "circle"), ())
    for at, dot in enumerate(seen):
        mark = stage.text(f"measured-{at}-name", 0, 0, dot.name, "note measured")
        yield from beside(mark, ring_places(stage, chosen.name, dot), clear_of)
    if seen:
        base = stage.plot.bottom + 9 + 2 * stage.size
        yield stage.text("measured-words", 0, base, f"○ measured on an {chosen.name}", "note measured")


def ring_places(stage: Stage, gpu: str, dot: Dot) -> Iterator[Place]:
    """Where a ring's name may stand: away from the slope, and left of the other GPUs' ceilings if there is room."""
    x, y, above = stage.x(dot.x), stage.y(dot.y * TERA), dot.y * TERA > dot.x * GPUS[gpu].bandwidth
    product = x > stage.plot.x + stage.plot.width / 2
    side, anchor = (-6, "end") if above or product else (6, "start")
    yield x + side, y + (-4 if above else 14), anchor
    middle = y + 0.35 * stage.size
    yield from ((x + 5, middle, ""), (x - 5, middle, "end"), (x - 6, y - 0.7 * stage.size, ""))
