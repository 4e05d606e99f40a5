"""The crew of a row: warps as lines of 32 threads, in the colour of what they do now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Mark, count

from .model import WARP
from .stage import Row
from .workers import GROUP, Worker, workers

ROLES = {"copy": "memory", "multiply": "work", "write": "series-1"}  # as the lanes that they work on
THREAD = 3.0  # from thread to thread, where there is room to tell them apart
LONG = WARP * THREAD - 1  # a warp's line there
PILE = 24.0  # a warp's line on a phone
ORDER = 15.0  # the height of a line in which one thread gives orders: its word needs it
REACH = 4.0  # such a thread is taller than others by as much, up and down, or it could not be seen

Places = list[tuple[float, float]]  # where each warp's line begins


def draw_crew(row: Row, time: int) -> Iterator[Mark]:
    """Every worker, pale while it waits."""
    crew = workers(row.run)
    if not row.pen.narrow:
        many = sum(worker.warps for worker in crew if not worker.alone)
        words = f"{len(orders)} + {many} warps" if (orders := [one for one in crew if one.alone]) else f"{many} warps"
        yield row.pen.text(f"{row.name}-warps", row.after_name, row.heading[1], words, "note")
    for worker, places in zip(crew, (_across if row.pen.narrow else _down)(row, crew), strict=True):
        doing = worker.doing(time)
        yield _waiting(row, worker, places)
        if doing in ROLES:
            yield _acting(row, worker, places, doing)
        if not row.pen.narrow:
            middle = (places[0][1] + places[-1][1]) / 2
            role = "label strong" if doing in ROLES else "note"
            yield row.pen.text(f"{row.name}-{worker.name}-{doing}s", LONG + 8, middle, doing, role, middle=True)


def _waiting(row: Row, worker: Worker, places: Places) -> Mark:
    """Its warps, whatever they do."""
    pen = row.pen
    told = f"{row.name}: {count(worker.threads, 'thread')} of {count(worker.warps, 'warp')} {worker.duty}"
    lines = [[(x, y), (x + pen.pick(PILE, LONG), y)] for x, y in places]
    mark = pen.strokes(f"{row.name}-{worker.name}", lines, "axis thick", read=told)
    return _cut(row, mark, opacity=0.4)


def _acting(row: Row, worker: Worker, places: Places, doing: str) -> Mark:
    """Those of its threads that act, in the colour of what they do."""
    key, role = f"{row.name}-{worker.name}-{doing}", f"{ROLES[doing]} thick"
    if worker.alone:
        ((x, y),) = places
        return row.pen.strokes(key, [[(x + 1.5, y - REACH), (x + 1.5, y + REACH)]], role)
    return _cut(row, row.pen.strokes(key, [[(x, y), (x + row.pen.pick(PILE, LONG), y)] for x, y in places], role))


def _cut(row: Row, mark: Mark, **more: float) -> Mark:
    """Lines cut into threads, where there is room to tell them apart."""
    dashes = {} if row.pen.narrow else {"stroke-dasharray": f"{THREAD - 1:g} 1"}
    return mark._replace(shape={**mark.shape, **dashes, **more})


def _down(row: Row, crew: Sequence[Worker]) -> Iterator[Places]:
    """Below the name, warp by warp."""
    y, foot = row.crew
    alone, warps = sum(worker.alone for worker in crew), sum(worker.warps for worker in crew if not worker.alone)
    gap = 5.0  # between warpgroups
    pitch = (foot - y - ORDER * alone - gap * (warps // GROUP - 1)) / warps
    for worker in crew:
        if worker.alone:
            yield [(0, y + ORDER / 2)]
            y += ORDER
        else:
            yield [(0, y + (at + 0.5) * pitch + gap * (at // GROUP)) for at in range(worker.warps)]
            y += worker.warps * pitch + gap


def _across(row: Row, crew: Sequence[Worker]) -> Iterator[Places]:
    """On a phone, behind the name: the warps of a group in a pile."""
    (x, y), pitch = row.heading, 3.9
    x += row.after_name
    for worker in crew:
        yield [(x + at // GROUP * (PILE + 3), y - 12.5 + pitch * (at % GROUP)) for at in range(worker.warps)]
        x += -(-worker.warps // GROUP) * (PILE + 3) + 4
