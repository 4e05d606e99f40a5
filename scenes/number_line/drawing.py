"""The picture: a map on which a window is dragged, the numbers in it, and the gaps between them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, count, memoized, power
from loom.scene import Moment

from .curves import ROLES, draw_curves
from .model import Array, Format
from .narration import seen
from .stage import HIGH, LOW, Octave, Stage, stage
from .words import number


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    """All marks of one beat."""
    bent = 1.0 if moment.phase == "relative" else 0.0
    pair, shown = seen(moment), 1 + moment.since("second")
    at = stage(pair, width, bent)
    rests = not bent or moment.progress == 1  # while the ruler bends, nothing stands on it that was not there before
    yield from _map(at, pair is moment.result)
    for index in range(2):
        yield from _ground(at, index)
        if index < shown:
            yield from _lane(at, index, rests)
    before = {words for _, words in stage(pair, width).ticks}
    foot = at.strips[-1].bottom + at.pen.size + 5
    for x, words in at.ticks if rests else [one for one in at.ticks if one[1] in before]:
        yield at.pen.text(f"x-{words}", x, foot, words, f"note{pace(at)}", anchor="middle")
    yield from draw_curves(at, moment)


def pace(at: Stage) -> str:
    """The ruler bends evenly; to another window all goes at once, and then stands."""
    return " steady" if at.bent else ""


@memoized
def _map(at: Stage, held: bool) -> Iterator[Mark]:
    """How far either format reaches, in powers of two, and the window; its end is taken hold of where it stays."""
    pen, box, window = at.pen, at.map, at.pair.window
    start, end = box.x + at.bent * (at.on_map(at.low) - box.x), at.on_map(window)
    yield pen.rect("window", Box(start, box.y, end - start, box.height), f"cell{pace(at)}", round=0)
    for key, role, fmt, share in zip("ab", ROLES, at.pair.both, (0.1, 0.7), strict=True):
        left, right = at.on_map(fmt.smallest), at.on_map(fmt.largest)
        bar = Box(left, box.y + share * box.height, right - left, 0.2 * box.height)
        words = f"{fmt.name} reaches from {number(fmt.smallest)} to {number(fmt.largest)}"
        yield pen.rect(f"{key}-reach", bar, role, round=2, read=words)
        yield pen.text(f"{key}-map", 0, bar.y + bar.height / 2, fmt.name, "note", middle=True)
    for step in range(LOW, HIGH + 1, pen.pick(8, 4)):
        words = number(2.0**step) if -8 < step < 12 else power(2, step)
        yield pen.text(f"m{step}", at.on_map(2.0**step), box.y - 6, words, "note", anchor="middle")
    if not pen.narrow:
        yield pen.text("drag", box.right + 20, box.y + box.height / 2, "drag the dot to zoom", "note hint", middle=True)
        foot, ends = at.strips[0].y - 22, ((start, box.x), (end, box.right))
        yield pen.strokes("zoom", [[(above, box.bottom), (below, foot)] for above, below in ends], "ghost")
    if held:
        yield pen.knob("end", end, box.y + box.height / 2, "window", at.rail)
    else:
        yield pen.circle("zooms", end, box.y + box.height / 2, 6, "hot")


@memoized
def _ground(at: Stage, index: int) -> Iterator[Mark]:
    """What is there before a format's numbers are: its name, and the line on which they stand."""
    pen, key, strip = at.pen, "ab"[index], at.strips[index]
    name, y = at.pair.both[index].name, strip.y + strip.height / 2
    yield pen.text(f"{key}-name", 0, pen.pick(strip.y - 22, y), name, "label strong", middle=not pen.narrow)
    yield pen.line(f"{key}-axis", strip.x, strip.bottom, strip.right, strip.bottom, "axis")


@memoized
def _lane(at: Stage, index: int, rests: bool) -> Iterator[Mark]:
    """One format: a box for each power of two, a line for each number, and how many there are."""
    pen, key, role = at.pen, "ab"[index], ROLES[index]
    fmt, lane, strip = at.pair.both[index], at.lanes[index], at.strips[index]
    before = {octave.low for octave in stage(at.pair, pen.width).lanes[index].octaves}
    for octave in lane.octaves:
        if rests or octave.low in before:
            yield from _octave(at, key, fmt, octave, octave is lane.octaves[0], rests)
    if lane.block[1]:
        low, high = lane.block
        left, told = at.x(low), f"{fmt.name} from {number(low)}" if low else fmt.name
        block = Box(left, strip.y, at.x(high) - left, strip.height)
        told += f" up to {number(high)}: lines would touch here"
        yield pen.rect(f"{key}-block", block, f"{role} soft{pace(at)}", round=0, read=told)
    yield from _lines(at, index)
    only, small = at.pair.inside[index] == 1, at.bent == 1 and fmt.largest < at.low
    if only or small:
        middle = strip.x + strip.width / 2, strip.y + strip.height / 2
        words, way = ("no number but 0", "note answer") if only else (f"no number from {number(at.low)} up", "note")
        yield pen.text(f"{key}-none", *middle, words, way, anchor="middle", middle=True)
    yield from _counted(at, index)


def _lines(at: Stage, index: int) -> Iterator[Mark]:
    """A line for each number. Those of a box are one mark that moves with it, always of as many: beyond the window's
    end they have no height."""
    key, fmt, lane = "ab"[index], at.pair.both[index], at.lanes[index]
    rest, every = lane.lines, fmt.from_zero
    for octave in stage(at.pair, at.pen.width).lanes[index].octaves:
        low, top = octave.low, 2 * octave.low or octave.high
        values = every[(every >= low) & (every < top)]
        if np.isin(values[values < at.pair.window], lane.lines).all():
            yield _strokes(at, index, f"{key}-{low:g}-lines", values)
            rest = rest[(rest < low) | (rest >= top)]
    yield _strokes(at, index, key, rest)
    yield _strokes(at, index, f"{key}-more", lane.more)


def _strokes(at: Stage, index: int, key: str, numbers: Array) -> Mark:
    """Lines; 0, and what lies before the bent ruler, shrinks to nothing."""
    strip, lines = at.strips[index], []
    for value in numbers.tolist():
        gone = at.bent * strip.height if value < at.low else 0.0
        top = strip.bottom if value >= at.pair.window else strip.y + gone
        lines.append([(at.x(value), top), (at.x(value), strip.bottom)])
    return at.pen.strokes(key, lines, f"{ROLES[index]} thin{pace(at)}")


def _octave(at: Stage, key: str, fmt: Format, octave: Octave, first: bool, rests: bool) -> Iterator[Mark]:
    """A power of two, and how many numbers it holds."""
    pen, box = at.pen, octave.place
    gap, many = number(float(fmt.gap(octave.low))), count(octave.count, "number")
    name = f"{key}-{octave.low:g}"
    yield pen.rect(
        name,
        box,
        f"cell{pace(at)}",
        round=0,
        read=f"{fmt.name} from {number(octave.low)} to {number(octave.high)}: {many}, {gap} apart",
    )
    role = "note" if rests else f"note{pace(at)}"  # it goes with its box
    for words in (many, f"{octave.count:,}"):
        if (first or words != many) and pen.text_width(words) + 6 <= box.width:
            yield pen.text(f"{name}-many", box.x + box.width / 2, box.y - 5, words, role, anchor="middle")
            return


def _counted(at: Stage, index: int) -> Iterator[Mark]:
    """How many of a format's numbers are in the window."""
    pen, key, strip, fmt = at.pen, "ab"[index], at.strips[index], at.pair.both[index]
    inside, size = f"{at.pair.inside[index]:,}", (pen.huge, pen.large)[index]
    whole = f"of {len(fmt.from_zero):,}"
    below = f"{'lies' if at.pair.inside[index] == 1 else 'lie'} below {number(at.pair.window)}"
    if pen.narrow:
        y, rest = strip.y - 22, f"{whole} {below}"
        x = strip.right - pen.text_width(rest) - 6
        yield pen.text(f"{key}-inside", x, y, inside, "value strong answer", anchor="end", size=size)
        yield pen.text(f"{key}-rest", strip.right, y, rest, "note answer", anchor="end")
        return
    x, y = strip.right + 20, strip.y + strip.height / 2
    yield pen.text(f"{key}-inside", x, y, inside, "value strong answer", size=size)
    yield pen.text(f"{key}-whole", x + pen.text_width(inside, size=size, strong=True) + 6, y, whole, "note answer")
    yield pen.text(f"{key}-rest", x, y + 1.4 * pen.size, below, "note answer")
