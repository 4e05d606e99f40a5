"""How a kernel's time goes: what its tensor cores do in a stretch of it, and which copies they wait for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from loom.draw import Box, Mark, Pen, number, wrap

from .machine import PAIRED, STAGED
from .model import PEAK, RUNGS, STAGES, share

SPAN = 24.0  # the stretch that is drawn; 1 is how long the listed peak takes for a step: one tile of A and one of B
LINE = 3.0  # the width of a line; lanes are piled up of them
PRODUCTS = 4  # lines of the lane of products


class Turns(NamedTuple):
    """A step of a kernel takes `period`, its copy `copy` of the unit above; copies may start a period apart."""

    period: float
    copy: float
    starts: tuple[float, ...]  # of the first copy of each stage


def turns(rung: int) -> Turns:
    """A step takes as long as the published speed says. Without stages, it is a copy and then a product; with them,
    copies take as long as on the rung before, and the next ones start meanwhile."""
    period = PEAK / RUNGS[rung - 1].speed
    if rung < STAGED:
        return Turns(period, period - 1, (0.0,) * STAGES)
    return Turns(period, turns(PAIRED).copy, tuple(stage * period for stage in range(STAGES)))


def draw_turns(pen: Pen, rungs: Sequence[int], told: int, covered: float) -> Iterator[Mark]:
    """The rung before and this one, in the same time. Shares are told up to the rung `told`; `covered` is to come."""
    left, right = pen.pick((0.0, pen.width), (196.0, pen.width - 76))
    pitch, tops = LINE, pen.pick((60.0, 111.0), (250.0, 296.0))
    lanes = [Box(left, top, right - left, (STAGES + PRODUCTS) * pitch + 3) for top in tops]
    for rung, lane in zip(rungs, lanes[: len(rungs)], strict=True):
        yield from _lanes(pen, rung, lane, pitch)
    if pen.narrow:
        yield from _key(pen, rungs[-1], lanes[-1].bottom + 22)
    else:
        yield pen.text("turns-same", left, tops[0] - 9, "in the same time", "note")
    if covered >= 0:
        tall = lanes[len(rungs) - 1].bottom - tops[0]
        cover = Box(right - covered * (right - left), tops[0], covered * (right - left), tall)
        yield pen.rect(f"turns-cover-{rungs[-1]}", cover, "cell steady", round=0)
    for rung, lane in zip(rungs, lanes[: len(rungs)], strict=True):  # on a phone a name stands on the cover
        yield from _names(pen, rung, lane, rung <= told)


def _key(pen: Pen, rung: int, y: float) -> Iterator[Mark]:
    """What the two lanes are, on a phone, where they have no names beside them."""
    x, side = 0.0, 8.0
    for name, role in (("copies" if rung > 1 else "loads", "memory soft"), ("products", "work")):
        yield pen.rect(f"turns-key-{role[:4]}", Box(x, y - side, side, side), role, round=0)
        yield pen.text(f"turns-{name}", x + side + 4, y, name, "note")
        x += side + 4 + pen.text_width(name) + 10


def _names(pen: Pen, rung: int, lane: Box, told: bool) -> Iterator[Mark]:
    """The rung, its lanes, and the share of the peak that it comes to."""
    one, of = RUNGS[rung - 1], float(share(RUNGS[rung - 1].speed, PEAK))
    busy = f"{number(of, 1 if of < 1 else 2)}%"
    middle = lane.y + lane.height / 2
    if pen.narrow:
        yield pen.text(f"turns-{rung}-name", 0, lane.y - 5, one.name, "label")
        if told:
            yield pen.text(f"turns-{rung}-share", pen.width, lane.y - 5, f"{busy} of the peak", "work strong",
                           anchor="end")  # fmt: skip
        return
    lines = wrap(one.name, pen.size, 124)
    for row, words in enumerate(lines):
        y = middle + 17 * (row - (len(lines) - 1) / 2)
        yield pen.text(f"turns-{rung}-name" + (f"-{row}" if row else ""), 0, y, words, middle=True)
    places = (("copies" if rung > 1 else "loads", lane.y + 7), ("products", lane.bottom - 6))
    for name, y in places:
        yield pen.text(f"turns-{rung}-{name}", lane.x - 6, y, name, "note", anchor="end", middle=True)
    if told:
        yield pen.text(f"turns-{rung}-share", pen.width, middle - 2, busy, "work strong", anchor="end", size=pen.large)
        yield pen.text(f"turns-{rung}-of", pen.width, lane.bottom, "of the peak", "note", anchor="end")


def _lanes(pen: Pen, rung: int, lane: Box, pitch: float) -> Iterator[Mark]:
    """Both lanes as dashed lines: a dash for a copy into each stage, and one for each product."""
    one, unit = turns(rung), lane.width / SPAN
    again = one.period * (STAGES if rung >= STAGED else 1)
    copies = [(lane.y + (at + 0.5) * pitch, start) for at, start in enumerate(one.starts)]
    foot, first = lane.y + STAGES * pitch + 3, one.copy % one.period
    products = [(foot + (at + 0.5) * pitch, first) for at in range(PRODUCTS)]
    told = f"{RUNGS[rung - 1].name}: {number(SPAN / one.period, 2)} products, where the peak would do {SPAN:.0f}"
    for name, role, rows, length, every in (
        ("copied", "memory soft", copies, one.copy, again), ("multiplied", "work", products, 1.0, one.period)
    ):  # fmt: skip
        lines = [[(lane.x + a * unit, y), (lane.x + b * unit, y)] for y, start in rows
                 for a, b in dashes(start, length, every)]  # fmt: skip
        mark = pen.strokes(f"turns-{rung}-{name}", lines, f"{role} thick", read=told if role == "work" else "")
        dash = f"{length * unit:.2f} {(every - length) * unit:.2f}"
        yield mark._replace(shape={**mark.shape, "stroke-dasharray": dash})


def dashes(start: float, length: float, every: float) -> Iterator[tuple[float, float]]:
    """Lines from 0 to `SPAN` whose dashes are at `start` and again and again, also of one that has begun before 0."""
    before = start - every + length
    if before > 0:
        yield 0.0, before
    if start < SPAN:
        yield start, SPAN
