"""The third line: the value, its neighbours, and which numbers round to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loom.draw import Box, Mark

from .lines import zoom
from .model import VALUE, Spelled, State
from .stage import Stage
from .words import digits, number, picked

REACH = 0.36  # of the line's width: how far the farther neighbour stands from the middle


@dataclass(frozen=True)
class Around:
    """The line around a value: how many units a difference of 1 takes."""

    middle: float
    value: float
    scale: float
    end: float  # how far the line goes to either side

    def at(self, value: float) -> float:
        """The place of a value; held at the line's ends."""
        return self.middle + max(-self.end, min(self.end, (value - self.value) * self.scale))


def around(at: Stage, one: Spelled) -> Around:
    """The scale at which the farther neighbour has its place."""
    below, above = one.neighbours
    gap = max(one.value - below if below is not None else 0, above - one.value if above is not None else 0)
    return Around(at.pen.width / 2, one.value, REACH * at.pen.width / gap, at.pen.width / 2)


def draw_nearby(at: Stage, state: State) -> Iterator[Mark]:
    """An axis, the value on it, the stretch that rounds to it, and a number that was to be written."""
    one, pen, y = state.spelled, at.pen, at.line
    shown = state.step == VALUE
    yield pen.line("axis", 0, y, pen.width, y, "axis")
    if shown and not one.finite:
        words = (
            "NaN: not a number, so it has no place here" if one.kind == "nan" else "∞: past every number of the line"
        )
        yield pen.text("no-place", pen.width / 2, y - 10, words, "note", anchor="middle")
    elif shown:
        yield from _magnified(at, one)


def _magnified(at: Stage, one: Spelled) -> Iterator[Mark]:
    pen, y, view, most = at.pen, at.line, around(at, one), digits(one.fmt.name)
    below, above = one.neighbours
    row = pen.size + 6
    sides = [side for side in (below, above) if side is not None]
    yield zoom(at, "zoom2", _on_bar(at, one, below, above), at.bar.bottom, _ends(view, below, above), y - 7)
    yield _basin(at, view, below, above)
    marks = [*sides, one.value]
    yield pen.strokes("ticks", [[(view.at(value), y - 7), (view.at(value), y + 7)] for value in marks], "axis")
    yield pen.circle("value", view.middle, y, 5, "hot")
    here = number(one.value, most)
    for key, value in (("below", below), ("above", above)):
        if value is not None:
            words, x = number(value, most), view.at(value)
            close = abs(x - view.middle) < (pen.room(words) + pen.room(here, strong=True)) / 2 + 6
            yield pen.text(key, x, y + 10 + pen.size + close * row, words, "value", anchor="middle")
            yield pen.text(f"{key}-gap", (view.at(value) + view.middle) / 2, y + 10 + pen.size + (1 + close) * row,
                           f"{number(abs(value - one.value), 3)} apart", "note", anchor="middle")  # fmt: skip
        else:
            x = view.middle + REACH * pen.width * (-1 if key == "below" else 1)
            yield pen.text(key, x, y + 10 + pen.size, last_words(one), "note", anchor="middle")
    yield pen.text("here", view.middle, y + 10 + pen.size, here, "hot strong", anchor="middle")
    if one.picked and one.number != one.value:
        yield from _wanted(at, one, view)


def last_words(one: Spelled) -> str:
    """What comes after the largest value."""
    if one.fmt.infinite:
        return "then ∞" if not one.negative else "then −∞"
    return "then NaN" if one.fmt.nan else "the last value"


def _ends(view: Around, below: float | None, above: float | None) -> tuple[float, float]:
    reach = 2 * view.end * REACH
    left = view.middle - reach if below is None else view.at(below)
    return left, view.middle + reach if above is None else view.at(above)


def _on_bar(at: Stage, one: Spelled, below: float | None, above: float | None) -> tuple[float, float]:
    """Where the neighbours stand on the line above, held within it."""
    low = 0.0 if not one.fields[1] else 2.0**one.power
    width = 2.0**one.power
    reach = [one.value - one.spacing if below is None else below, one.value + one.spacing if above is None else above]
    shares = [min(1.0, max(0.0, ((-value if one.negative else value) - low) / width)) for value in reach]
    return at.at(shares[0]), at.at(shares[1])


def _basin(at: Stage, view: Around, below: float | None, above: float | None) -> Mark:
    """The numbers that round to the value: half a gap to either side, past the last value too."""
    y, value = at.line, view.value
    gaps = [abs(side - value) for side in (below, above) if side is not None]
    left = value - (gaps[-1] if below is None else gaps[0]) / 2
    right = value + (gaps[0] if above is None else gaps[-1]) / 2
    box = Box(view.at(left), y - 4, view.at(right) - view.at(left), 8)
    return at.pen.rect("basin", box, "hot soft", round=4)


def _wanted(at: Stage, one: Spelled, view: Around) -> Iterator[Mark]:
    """The number picked, if it is not the value itself; an arrow where it lies far off."""
    pen, y = at.pen, at.line
    x, top = view.at(one.number), y - 18
    far = abs(one.number - one.value) * view.scale > view.end
    if far:
        yield pen.strokes("wanted", [[(x - 10, y - 6), (x, y), (x - 10, y + 6)]], "kept")
    else:
        yield pen.strokes("wanted", [[(x, top), (x, y + 12)]], "kept")
    words = picked(one)
    half = pen.room(words, strong=True) / 2
    x = min(max(x, half), pen.width - half)
    yield pen.text("wanted-name", x, top - 5, words + (" →" if far else ""), "kept strong",
                   anchor="end" if far else "middle")  # fmt: skip
