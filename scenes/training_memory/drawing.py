"""The picture: what one GPU holds, a bar for each stage of ZeRO, and how it falls with the number of ranks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, bounding_box, headline, memoized
from loom.scene import Moment

from .chart import draw_chart
from .model import CAPACITIES, STAGES
from .stage import GAP, NARROW, TOP, WIDE, Stage
from .story import NAMES, PARTS, SIZE, among, shown, size, spared_of, stacks, verdict

ROLES = dict(zip(PARTS, ("series-1", "series-6", "series-2", "series-4"), strict=True))
THIN = 0.8  # units: thinner parts of a bar that is not chosen can't be seen
INSIDE, BOTH = 1.4, 2.4  # lines of text: a ghost so tall has room for the number over the bar, and for its own


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    found, here = stacks(moment), shown(moment)
    yield from draw_answer(stage, sum(found[here]), f"{among(moment.result)}, {NAMES[here]}")
    yield from draw_parts(stage, found[here])
    for zero, parts in found.items():
        yield from draw_bar(stage, zero, parts, zero == here)
        if zero == here:
            yield from draw_spared(stage, zero, sum(parts), spared_of(moment))
    numbers = [mark for zero, parts in found.items()
               for mark in draw_numbers(stage, zero, sum(parts), zero == here, spared_of(moment))]  # fmt: skip
    cut = [stage.column(zero) for zero, parts in found.items() if sum(parts) > TOP]
    yield from draw_lines(stage, (*(bounding_box([mark], 3) for mark in numbers), *cut))
    yield from draw_ground(stage, here)
    yield from numbers
    yield from draw_chart(stage, moment)


def draw_answer(stage: Stage, total: float, told: str) -> Iterator[Mark]:
    """What the chosen stage leaves on each GPU, and which GPU holds it."""
    role = "work" if total <= SIZE else "dropped"
    lines = (told, verdict(total))
    yield from headline(stage, 0, stage.huge, size(total), lines, role, widest=["8.88\u00a0MB"], rest="note")


def draw_parts(stage: Stage, parts: tuple[float, ...]) -> Iterator[Mark]:
    """What the number is made of: a swatch, a name and bytes for each part, in the order of the bars."""
    side = 0.75 * stage.size
    for name, part, (x, y) in zip(PARTS, parts, stage.parts, strict=True):
        if part:
            yield stage.rect(f"key-{name}", Box(x, y - side, side, side), ROLES[name], round=1)
            yield stage.text(f"part-{name}", x + side + 6, y, name, "label")
            after, anchor = stage.size_at or side + 14 + stage.text_width(name), "end" if stage.size_at else "start"
            yield stage.text(f"part-{name}-size", x + after, y, size(part), "value", anchor=anchor)


def draw_bar(stage: Stage, zero: int, parts: tuple[float, ...], chosen: bool) -> Iterator[Mark]:
    """One stage's parts, stacked. A bar that is cut has them in their shares: cut off, it would be all weights."""
    x, total, low = stage.columns[zero], sum(parts), stage.bars.bottom
    unit = (low - stage.height(total)) / total
    for name, part in zip(PARTS, parts, strict=True):
        low -= unit * part
        if part and (chosen or unit * part >= THIN):
            box = Box(x - stage.wide / 2, low, stage.wide, unit * part)
            role = ROLES[name] if chosen else f"{ROLES[name]} soft"
            yield stage.rect(f"{name}-{zero}", box, role, round=0, read=f"{name}: {size(part)}")
    if total > TOP:
        yield draw_cut(stage, zero)


def draw_cut(stage: Stage, zero: int) -> Mark:
    """A gap of paper across a bar that goes on: above it on another scale."""
    left = stage.columns[zero] - stage.wide / 2
    return stage.rect(f"cut-{zero}", Box(left - 4, stage.cut - GAP, stage.wide + 8, GAP), "pad", round=0)


def draw_spared(stage: Stage, zero: int, total: float, spared: float) -> Iterator[Mark]:
    """Over the bar, as a ghost, the activations that need not be kept, and how much it was with them."""
    x, low, high = stage.columns[zero], stage.height(total), stage.height(total + spared)
    if low - high < 1:
        return
    box = Box(x - stage.wide / 2, high, stage.wide, low - high)
    yield stage.outlines(f"spared-{zero}", [box], "ghost", read=f"activations computed again: {size(spared)}")
    if total <= TOP < total + spared:
        yield draw_cut(stage, zero)


def draw_numbers(stage: Stage, zero: int, total: float, chosen: bool, spared: float) -> Iterator[Mark]:
    """How tall a bar is, right over it, and the chosen one's ghost."""
    x, before = stage.columns[zero], total + (spared if chosen else 0.0)
    room = stage.height(total) - stage.height(before)
    y, role = stage.above(total if room > INSIDE * stage.size else before), "value strong" if chosen else "value"
    yield stage.text(f"total-{zero}", x, y, size(total), role, anchor="middle")
    if room > BOTH * stage.size:
        yield stage.text(f"before-{zero}", x, stage.above(before), size(before), "note", anchor="middle")


@memoized
def draw_lines(stage: Stage, numbers: tuple[Box, ...]) -> Iterator[Mark]:
    """What GPUs hold: lines that open for each number that they meet, since above them it would seem larger, and for
    each bar that is cut, since its parts are not to their scale."""
    box = stage.bars
    for name, capacity in CAPACITIES.items():
        y, first = stage.height(capacity), capacity == SIZE
        met = [one for one in numbers if one.y < y < one.bottom]
        ends = [box.x]
        for x in stage.columns:  # as many pieces in every picture, so that they can move
            wide = [one for one in met if one.x < x < one.right]
            ends += [min(one.x for one in wide), max(one.right for one in wide)] if wide else [x, x]
        pieces = zip(ends[::2], [*ends[1::2], box.right], strict=True)
        yield stage.strokes(f"line-{name}", ([(left, y), (right, y)] for left, right in pieces),
                            "axis" if first else "axis dashed", read=f"{name}: {size(capacity)}")  # fmt: skip
        words = size(capacity) if stage.narrow else f"{size(capacity)}, {name}"
        role = "label strong" if first else "note"
        yield stage.text(f"line-{name}-size", box.right + 6, y, words, role, middle=True)


@cache
def draw_ground(stage: Stage, here: int) -> list[Mark]:
    """The ground, and the stages' names."""
    box = stage.bars
    marks = [stage.line("ground", box.x, box.bottom, box.right, box.bottom, "axis")]
    for zero in STAGES:
        role = "label strong" if zero == here else "label"
        marks.append(stage.text(f"name-{zero}", stage.columns[zero], box.bottom + stage.size + 5, NAMES[zero], role,
                                anchor="middle", set={"stage": zero}, label=f"Choose {NAMES[zero]}"))  # fmt: skip
    return marks
