"""The layer's time: its parts in a row for each placement of the experts, the chosen one's as they go on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from loom.draw import Box, Mark, Pen

from .loads import LIMITS, SKEWS
from .model import Case
from .narration import lasting
from .placing import PLACED

PARTS = {"out": ("dispatch", "memory"), "work": ("equal work", "work"), "wait": ("waiting", "dropped"),
         "back": ("combine", "memory")}  # fmt: skip
WORST = max(SKEWS)


@cache
def longest() -> float:
    """The layer's time at the largest skew, for one scale: dragging lets the waiting grow, and no other part [s]."""
    return max(Case(WORST, limit, name).time for limit in LIMITS for name in PLACED)


def draw_time(pen: Pen, case: Case, shown: int) -> Iterator[Mark]:
    """A row of time for each placement; of the chosen one as many parts as have begun, with their names over it."""
    tall, y = pen.pick(24, 20), pen.pick(162.0, 228.0)
    names, after = pen.text_width([*PLACED.values()], strong=True) + 10, pen.text_width("88.8 ms", strong=True) + 8
    told = pen.pick(0, pen.text_width(at_worst(longest())) + 8)
    unit, last = (pen.width - names - max(after, told)) / longest(), iter(())
    for name, words in PLACED.items():
        one, chosen = Case(case.popularity, case.limit, name), name == case.placement
        y += pen.pick(36, 24) if chosen else pen.pick(10, 5)
        row = Box(names, y, one.time * unit, tall)
        y += tall
        role, middle = "label strong" if chosen else "label", row.y + tall / 2
        yield pen.text(f"choice-{name}-name", 0, middle, words, role, middle=True)
        yield pen.rect(f"choice-{name}", row, "cell", round=0, set={"placement": name},
                       label=f"Place experts {words}: {lasting(one.time)}")  # fmt: skip
        if chosen:
            last = draw_parts(pen, one, row, shown)
        else:
            yield from draw_parts(pen, one, row, 0)
        if not chosen or shown > len(PARTS):
            role = "value strong" if chosen else "value"
            yield pen.text(f"choice-{name}-time", row.right + 6, middle, lasting(one.time), role, middle=True)
        yield from draw_worst(pen, one, row, names + unit * Case(WORST, case.limit, name).time, after)
    yield from last  # in one painting order, whichever is chosen


def draw_parts(pen: Pen, one: Case, row: Box, shown: int) -> Iterator[Mark]:
    """The parts one after another; how long one was is told as the next begins. Pale where nothing is `shown`."""
    lengths, at = one.parts, [0.0, *accumulate(one.parts)]
    names, unit = [], row.width / one.time
    for turn, ((key, (name, role)), long) in enumerate(zip(PARTS.items(), lengths, strict=True)):
        wide = long * unit * (turn < shown or not shown)
        bar = Box(row.x + at[turn] * unit, row.y, wide, row.height)
        chosen = f"part-{key}" if shown else f"part-{key}-{one.placement}"
        yield pen.rect(chosen, bar, f"{role} steady" if shown else f"{role} soft", round=0)
        names.append((key, bar.x, name, role, lasting(long) if turn < shown - 1 else ""))
    if shown:
        yield from draw_names(pen, names, row.y - 6)


def draw_names(pen: Pen, names: list[tuple[str, float, str, str, str]], y: float) -> Iterator[Mark]:
    """Each part's name and time over its begin, or right of the one before."""
    free = 0.0
    for key, x, name, role, time in names:
        left = max(x, free)
        wide = pen.text_width(f"{name} ", strong=True)
        yield pen.text(f"part-{key}-name", left, y - pen.pick(14, 0), name, f"{role} strong")
        if time:
            yield pen.text(f"part-{key}-time", left + pen.pick(0, wide + 2), y, time, "value")
        room = pen.text_width("888 ms") + pen.pick(0, wide + 2)
        free = left + max(room, wide) + pen.pick(4, 14)


def draw_worst(pen: Pen, one: Case, row: Box, worst: float, after: float) -> Iterator[Mark]:
    """How far the row goes where experts are as unequally popular as they can be here."""
    start, middle = row.right + after + 4, row.y + row.height / 2
    if worst - start > 10:
        time = Case(WORST, one.limit, one.placement).time
        yield pen.strokes(f"worst-{one.placement}", [[(start, middle), (worst, middle)],
                          [(worst, row.y + 4), (worst, row.bottom - 4)]], "axis thin",
                          read=f"{PLACED[one.placement]}: {at_worst(time)}")  # fmt: skip
        words = pen.pick(f"skew {WORST}", at_worst(time))
        yield pen.text(f"worst-{one.placement}-words", worst + 6, middle, words, "note", middle=True)


def at_worst(time: float) -> str:
    """A time as it is told at the end of a row."""
    return f"{lasting(time)} at skew {WORST}"
