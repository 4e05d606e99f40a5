"""One step of the ring in time: keys and values on their way, and the slowest GPU's arithmetic, from one start."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, quantity

from .chart import bars_box
from .cost import Case

LEAD, RUNS = 0.25, 1.9  # that the picture before the start stands, and that the longer of both takes [s]
BRIEF = 1 / 50  # of the longer: a shorter one has no beat of its own


def stops(case: Case) -> list[float]:
    """From 0 on, when each of the two is over [s]."""
    short, long = sorted((case.step_transfer, case.step_work))
    return [0.0, *([short] if BRIEF < short / long < 1 - BRIEF else []), long]


def racing(case: Case) -> list[float]:
    """When both set out for each stop, and when the longer is over."""
    found = stops(case)
    return [0.0, *(LEAD + RUNS * stop / found[-1] for stop in found)]


def draw_race(pen: Pen, case: Case, beat: int) -> Iterator[Mark]:
    """Both as far as they have come; a time is told when it is over, and what the arithmetic waits for is hatched."""
    found = stops(case)
    to, come = found[min(beat, len(found) - 1)], found[max(beat - 1, 0)]
    box, names, after = bars_box(pen)
    unit = (box.width - names - after) / found[-1]
    yield pen.text("race-title", box.x + names, box.y - 9, "one step of the ring", "note")
    parts = (("transfer", "memory", case.step_transfer), ("arithmetic", "work", case.step_work))
    rows = box.rows(3, 5)[:2]
    for (name, role, lasts), row in zip(parts, rows, strict=True):
        middle, bar = row.y + row.height / 2, row.inset(0, 2, 0, 2)._replace(x=row.x + names)
        yield pen.text(f"race-{name}-name", row.x, middle, name, "label", middle=True)
        yield pen.rect(f"race-{name}", bar._replace(width=min(to, lasts) * unit), f"{role} steady", round=0)
        if come >= lasts:
            x, told = bar.x + lasts * unit + 6, quantity(lasts, "s")
            if name == "arithmetic" and lasts < case.step_transfer:  # behind its waiting
                x, told = bar.x + case.step_transfer * unit + 6, pen.pick(told, f"{told}, then waits")
            yield pen.text(f"race-{name}-time", x, middle, told, "value strong", middle=True)
    if case.step_work < case.step_transfer and come == found[-1]:
        row, start = rows[1].inset(0, 2, 0, 2), box.x + names + case.step_work * unit
        waits = Box(start, row.y, (case.step_transfer - case.step_work) * unit, row.height)
        yield pen.hatches("race-waits", [waits], "dropped thin", pen.pick(5, 7))
