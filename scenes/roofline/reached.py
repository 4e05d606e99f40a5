"""What real kernels reached: rings beside the roof, with their names."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Plot
from loom.scene import Moment

from .._gpus.rates import GPUS, TERA
from .._silicon.drawing import Dot, rings
from .measured import dots
from .model import Chosen
from .names import Bounds, Place, beside, taken
from .stage import Stage, X, Y

LEAD, EACH = 0.25, 0.55  # that the first ring stands on the roof, and from one to the next [s]
ORDER = ("8,192²", "4,097²", "1 GiB", "1 MiB", "14 MiB")


def told(chosen: Chosen) -> list[int]:
    """The rings in the order in which the sentence tells of them."""
    seen = dots(chosen.name, chosen.precision)
    return sorted(range(len(seen)), key=lambda at: ORDER.index(seen[at].name))


def coming(moment: Moment) -> tuple[float, ...]:
    """Ring after ring leaves the roof for what was reached, and says its name where it has come."""
    count = len(told(moment.result))
    return (0.0, *(LEAD + EACH * at for at in range(count + 1)))


def draw_measured(stage: Stage, chosen: Chosen, clear_of: list[Bounds], beat: int) -> Iterator[Mark]:
    """What real kernels reached on this GPU: under the roof, on it, and, out of L2, above it.

    Each stands on the roof for a beat, as it would if nothing else were in its way, and sets out with the next.
    """
    seen, order = dots(chosen.name, chosen.precision), told(chosen)
    whole = [*rings(stage, Plot(stage, stage.plot, X, Y), "measured", seen, stage.pick(2, 3))]
    clear_of += taken((mark for mark in whole if mark.tag == "circle"), ())
    shown = {f"measured-{at}": beat - turn for turn, at in enumerate(order)}
    roofs = {f"measured-{at}": chosen.at(dot.x).attainable for at, dot in enumerate(seen)}
    for mark in whole:
        since = shown.get(mark.key, beat - len(seen) - 1)  # the spread comes last
        if since == 0 and mark.key in roofs:
            there = {**mark.shape, "cy": stage.y(roofs[mark.key])}
            yield mark._replace(shape=there, role="axis modelled", read="")  # nothing has been measured yet
        elif since >= 0:
            yield mark
    for at, dot in enumerate(seen):
        mark = stage.text(f"measured-{at}-name", 0, 0, dot.name, "note measured")
        for named in beside(mark, ring_places(stage, chosen.name, dot), clear_of):
            if shown[f"measured-{at}"] > 1:
                yield named
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
