"""32 weights from near, and the levels that they are rounded to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Mark, dodge, memoized, number, significant
from loom.scene import Moment

from .case import OWN, SHOWN, Sub
from .narration import formula_in_counts, step_words
from .pace import LAID, UNKNOWN, levels_of
from .stage import Stage

GROUP = 4  # weights that are rounded in one beat


def draw_near(stage: Stage, moment: Moment) -> Iterator[Mark]:
    if moment.phase != "split" and levels_of(moment) > UNKNOWN:
        yield from _levels(stage, moment.phase, moment.since("coded"), levels_of(moment))
    yield from _weights(stage, done_of(moment))
    yield from _heads(stage, moment)
    if moment.since("coded"):
        yield from _codes(stage, done_of(moment))


def done_of(moment: Moment) -> int:
    """How many of the 32 have their code."""
    return round(moment.past("coded") * SHOWN)


def stride(stage: Stage, sub: Sub) -> int:
    """Every how many levels one is drawn: lines closer than this are a grey area."""
    least, every = stage.pick(4.0, 5.0), 1
    level, zero = stage.levels((sub.kept[0], 0))
    while abs(level - zero) * every < least and every < 64:
        every *= 2
    return every


@memoized
def _levels(stage: Stage, phase: str, coded: bool, laid: int) -> Iterator[Mark]:
    """The levels of each sub-block; before they are laid all are one line, where the lowest will be or on 0."""
    ideal = phase == "ideal"
    for side, (sub, (left, right)) in enumerate(zip(stage.case.shown, stage.halves, strict=True)):
        values = sub.levels(ideal)
        if laid < LAID:
            values = [-sub.ideal[1]] * len(values)
        heights = stage.levels(values)
        lines = [[(left, y), (right, y)] for y in heights[:: stride(stage, sub)]]
        yield stage.strokes(f"level{side}", lines, "axis thin soft")
        if phase == "rounded":
            was = stage.levels(sub.levels(True)[at] for at in (0, -1))
            yield stage.strokes(f"old{side}", [[(left, y), (right, y)] for y in was], "ghost")
        x, anchor = (left - 5, "end") if side == 0 else (right + 5, "start")
        if laid == LAID:
            yield from _ends(stage, coded, side, x, anchor, (values[0], values[-1]), (heights[0], heights[-1]))


def _ends(stage: Stage, coded: bool, side: int, x: float, anchor: str, values: tuple[float, float],
          heights: tuple[float, float]) -> Iterator[Mark]:  # fmt: skip
    """What the lowest and the highest level stand for, or their codes."""
    near, kind = stage.near, stage.case.kind
    places = dodge(heights, 1.1 * stage.size, near.y - 0.5 * stage.size, near.bottom + 0.5 * stage.size)
    codes = kind.lowest + kind.zero, kind.highest + kind.zero
    for key, y, code, value in zip(("low", "top"), places, codes, values, strict=True):
        words = significant(code) if coded else number(round(value, stage.pick(1, 2)))
        yield stage.text(f"{key}{side}", x, y, words, "note", anchor=anchor, middle=True)


@memoized
def _weights(stage: Stage, done: int) -> Iterator[Mark]:
    """Lines from 0; once there are codes, to the level, with a tick where the weight was."""
    case, near, (zero,) = stage.case, stage.near, stage.levels([0])
    yield stage.line("zero", near.x, zero, near.right, zero, "axis")
    for at in range(0, SHOWN, GROUP):
        yield _lines(stage, at, at < done)
    (end,) = stage.levels([float((case.decoded if done > OWN else case.numbers)[case.near][OWN])])
    yield stage.circle("own", stage.columns[OWN], end, stage.pick(3.5, 4.5), "data outline")
    for at in range(0, done, GROUP):
        yield _ticks(stage, at)


@lru_cache(maxsize=32)  # a group changes in one beat, and is the same in all others
def _lines(stage: Stage, first: int, rounded: bool) -> Mark:
    group, case = slice(first, first + GROUP), stage.case
    zero, *ends = stage.levels([0, *(case.decoded if rounded else case.numbers)[case.near][group].tolist()])
    lines = [[(x, zero), (x, y)] for x, y in zip(stage.columns[group], ends, strict=True)]
    return stage.strokes(f"near{first}", lines, f"{'work' if rounded else 'data'} thick")


@lru_cache(maxsize=32)
def _ticks(stage: Stage, first: int) -> Mark:
    group, reach = slice(first, first + GROUP), stage.pick(3, 5)
    was = stage.levels(stage.case.numbers[stage.case.near][group].tolist())
    ticks = [[(x - reach, y), (x + reach, y)] for x, y in zip(stage.columns[group], was, strict=True)]
    return stage.strokes(f"was{first}", ticks, "data thin")


def _heads(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Over the 32 weights: which they are, then the scale and minimum of their levels."""
    case, near = stage.case, stage.near
    y = near.y - stage.pick(4, 8)  # on a phone the knob hangs over it
    if levels_of(moment) < LAID or moment.phase == "split":
        words = f"weights {case.start} to {case.start + SHOWN - 1}; in the ring weight {case.own}"
        yield stage.text("head0", near.x, y, words, "note")
        return
    rounded = moment.past("rounded") == 1
    for side, (sub, (left, _)) in enumerate(zip(case.shown, stage.halves, strict=True)):
        words = step_words(sub, rounded)
        if stage.narrow and len(case.shown) > 1:
            words = formula_in_counts(sub) if rounded else f"{number(sub.ideal[0])} apart"
        yield stage.text(f"head{side}", left, y, words, "label strong")


def _codes(stage: Stage, done: int) -> Iterator[Mark]:
    """The codes of the weights that have theirs."""
    name, found = _all_codes(stage)
    yield name
    yield from (mark for at, mark in found if at < done)


@lru_cache(maxsize=2)  # all beats of a case, at either width
def _all_codes(stage: Stage) -> tuple[Mark, list[tuple[int, Mark]]]:
    """Under each weight its code, on a phone in two lines if they would touch; or that of one weight alone."""
    words = [significant(code) for code in stage.case.codes[stage.case.near]]
    rows = 2 if stage.narrow and stage.text_width(words, strong=True) + 2 > stage.pitch else 1
    fits = stage.text_width(words) + 2 <= rows * stage.pitch
    top, line = stage.near.bottom + stage.size + 6, stage.size
    name = stage.text("q-name", stage.all.x - 5, top + (rows - 1) * line / 2, "code", "label", anchor="end")
    found = []
    for at, (x, word) in enumerate(zip(stage.columns, words, strict=True)):
        if fits or at == OWN:
            role = "work strong" if at == OWN else "value"
            found.append((at, stage.text(f"q{at}", x, top + at % rows * line, word, role, anchor="middle")))
    return name, found
