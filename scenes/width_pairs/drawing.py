"""The picture: a race of all pairs of widths, and how many times as fast each is, over the batch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, headline, memoized, quantity, significant
from loom.scene import Moment

from .limits import KINDS, columns, limits
from .model import PAIRS, Case
from .narration import lost, seconds, times
from .plot import axes, cover, curves, dot, measured
from .stage import NARROW, WIDE, Stage
from .story import View, longest, view


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    now = view(moment)
    yield from axes(stage)
    if moment.phase == "speed":
        yield from curves(stage, moment.result)
        yield from measured(stage, moment.result)
        yield from cover(stage, now)
    if moment.phase != "speed" or not now.rests:
        yield from limits(stage, now, named=moment.phase != "speed")
    if moment.phase == "speed" or (moment.phase == "products" and now.rests):
        yield from dot(stage, now)
    else:
        yield from columns(stage, now)
    yield from _times(stage, now)
    yield from _race(stage, now)
    yield from _answer(stage, now, moment.phase)


def _times(stage: Stage, now: View) -> Iterator[Mark]:
    """For each pair the time to move the bytes and the time to multiply, as shares of the time that W16A16 takes.

    The longer of the two counts, and is dark; it leads to that time. Each row is a button.
    """
    box, bar, unit = stage.rows, stage.bar, stage.unit(now.bound)
    yield from _heads(stage, now.told)
    for one, told, row in zip(now.bound.rivals, now.told.rivals, stage.bands, strict=True):
        name, middle = one.pair.name, row.y + row.height / 2
        *words, error = _words(stage, row, one, one.pair == now.bound.pair)
        yield from words
        ended = [kind for kind in KINDS if _landed(one, kind, now)]
        for kind, most, top in (("move", now.moved, middle - bar.height - 1), ("multiply", now.multiplied, middle + 1)):
            attribute, role = KINDS[kind]
            time = getattr(one, attribute)
            length = max(unit * min(time, most), 0.5)
            soft = " soft" if len(ended) == 2 and time < one.time else ""
            yield stage.rect(f"{kind}-{name}", Box(bar.x + box.x, top, length, bar.height), f"{role}{soft} steady",
                             round=0)  # fmt: skip
        longer_came = one.memory_bound or now.racing == "move"
        if len(ended) == 2 or (ended and longer_came):
            end, said = (max(getattr(case, KINDS[kind][0]) for kind in ended) for case in (one, told))
            x = box.x + bar.x + unit * end + 6
            yield stage.text(f"time-{name}", x, middle, seconds(said), "value steady", middle=True)
        if now.multiplied == math.inf:
            yield error


@cache
def _words(stage: Stage, row: Box, one: Case, chosen: bool) -> tuple[Mark, Mark, Mark]:
    """What a row is called and what it says where it is pressed, and then what rounding costs."""
    name, middle = one.pair.name, row.y + row.height / 2
    words = f"{name}: move {seconds(one.memory_time)}, multiply {seconds(one.arithmetic_time)}"
    return (
        stage.rect(f"row-{name}", row.inset(top=1, bottom=1), "cell soft", round=0, set={"pair": name},
                   label=f"show {name}", read=words),
        stage.text(f"name-{name}", row.x + 4, middle, name, "work strong" if chosen else "label", middle=True),
        stage.text(f"error-{name}", row.right - 3, middle, lost(one.error), "dropped", anchor="end", middle=True),
    )  # fmt: skip


def _landed(one: Case, kind: str, now: View) -> bool:
    """Whether one of the two bars of a pair has come to its end; those for moving do in the first chapter."""
    if kind == "move":
        return now.racing != "move" or one.memory_time <= now.landed
    return now.racing != "move" and one.arithmetic_time <= now.landed


def _race(stage: Stage, now: View) -> Iterator[Mark]:
    """The playhead of the race, and then the chosen bar, laid along the first until that is covered."""
    x, unit, bar, case = stage.rows.x + stage.bar.x, stage.unit(now.bound), stage.bar, now.bound
    until = now.moved if now.racing == "move" else now.multiplied
    if until < math.inf:
        yield stage.line("now", x + unit * until, stage.rows.y, x + unit * until, stage.rows.bottom, "hot steady")
    if now.laid < 0:
        return
    own = stage.bands[0 if now.laid else list(PAIRS).index(case.pair.name)]  # it begins where it is
    top, long = own.y + own.height / 2 - bar.height - 2, unit * case.time
    for place in range(max(now.laid, 1)):
        box = Box(x + place * long, top, min(long, unit * longest(case) - place * long), 2 * bar.height + 4)
        name = "last" if place >= now.laid - 1 else f"{place}"
        yield stage.rect(f"laid-{name}", box, "hot outline steady", round=0)


@memoized
def _heads(stage: Stage, case: Case) -> Iterator[Mark]:
    """What the bars are, and for which batch."""
    box, x = stage.rows, stage.rows.x + stage.bar.x
    yield stage.text("move-head", x, box.y - 6, "move", "memory")
    yield stage.text("multiply-head", x + stage.text_width("move") + 10, box.y - 6, "multiply", "work")
    yield stage.text("error-head", box.right, box.y - 6, "error", "note", anchor="end")
    batch = f"batch {significant(case.batch)}"
    yield stage.text("batch-head", box.right - stage.text_width("error") - 10, box.y - 6, batch, "note", anchor="end")


def _answer(stage: Stage, now: View, phase: str) -> Iterator[Mark]:
    """How long each of the two takes, and at last what comes of it, for every batch that the dot passes."""
    case, (x, y) = now.told, stage.answer
    limit = "memory" if case.memory_bound else "arithmetic"
    lines, widest = ("as fast as W16A16,", f"batch {significant(case.batch)}: {limit} limits"), ["3.8×"]
    if phase == "speed" or now.laid > 1 or (phase == "products" and now.rests):
        amount = times(case.speedup if now.rests or phase == "speed" else now.laid - 1)
    elif _landed(case, "multiply", now):
        amount, lines, widest = seconds(case.arithmetic_time), ("to multiply,", f"in {case.computes_in}"), []
    elif _landed(case, "move", now):
        amount, lines, widest = seconds(case.memory_time), ("to move", quantity(case.bytes, "B")), []
    else:
        return
    yield from headline(stage, x, y, amount, lines, widest=widest)
