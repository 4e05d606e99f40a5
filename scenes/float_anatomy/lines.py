"""Three lines that zoom in: all powers of two, one of them in the steps of the mantissa, the value's neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.draw import Box, Mark
from loom.scene import Moment

from .halving import halved, is_open
from .model import CODES, Spelled
from .reading import read_so_far
from .stage import DEEPEST, Stage
from .words import digits, ends, number, picked

REACH = 0.36  # of the line's width: how far the farther neighbour stands from the middle


def draw_ruler(at: Stage, moment: Moment) -> Iterator[Mark]:
    """A place for every value of the exponent field; those that are left are filled, at last the field's own."""
    if not is_open(moment):
        yield from _found(at, moment.result)
        return
    seen = halved(moment)
    left = at.between(seen.first / at.places, (seen.first + seen.many) / at.places, at.ruler)
    yield at.pen.rect("slot", left, "series-2 soft", round=0)
    yield from at.ruler_marks


@lru_cache(maxsize=2)  # the steps of a code share it, at either width
def _found(at: Stage, one: Spelled) -> tuple[Mark, ...]:
    """The ruler with the field's own value filled, and the knob."""
    slot = _slot(at, one)
    if slot.width < 3:
        slot = Box(slot.x - 1, slot.y, 3, slot.height)
    told = "" if one.reserved else f"exponent {one.fields[1]}: from {' to '.join(ends(one))}"
    marks = (at.pen.rect("slot", slot, "series-2", round=0, read=told), *at.ruler_marks)
    if one.fmt.bits not in CODES:
        return marks
    return (*marks, at.pen.knob("code", *at.rail[one.code], CODES[one.fmt.bits], at.rail, label="code"))


def _slot(at: Stage, one: Spelled) -> Box:
    field = one.fields[1]
    return at.between(field / at.places, (field + 1) / at.places, at.ruler)


def draw_bar(at: Stage, moment: Moment) -> Iterator[Mark]:
    """From one power of two to the next: each bit of the mantissa adds half of what the bit before it adds."""
    if is_open(moment):
        return
    one, pen, box = moment.result, at.pen, at.bar
    middle = box.y + box.height / 2
    slot = _slot(at, one)
    yield _zoom(at, "zoom", (slot.x, slot.right), slot.bottom, (box.x, box.right), box.y)
    if one.reserved:
        words = "kept for ∞ (mantissa 0) and NaN"
        yield pen.outlines("bar", [box], "axis thin")
        yield pen.text("kept", box.x + box.width / 2, middle, words, "note", anchor="middle", middle=True)
        return
    if moment.since("mantissa"):
        yield from _parts(at, moment)
    yield at.bar_ticks
    left, right = ends(one)[:: -1 if at.mirrored else 1]
    yield pen.text("low", box.x - 6, middle, left, "label", anchor="end", middle=True)
    yield pen.text("high", box.right + 6, middle, right, "label", middle=True)


def _zoom(at: Stage, key: str, above: Sequence[float], top: float, below: Sequence[float], foot: float) -> Mark:
    """Two lines from the ends of a stretch to those of its enlargement."""
    pairs = zip(above, below, strict=True)
    return at.pen.strokes(key, [[(x, top + 2), (end, foot - 2)] for x, end in pairs], "ghost")


def _parts(at: Stage, moment: Moment) -> Iterator[Mark]:
    """What each bit that is 1 adds, end to end; bits too small to be seen are one part."""
    one, pen, box, done = moment.result, at.pen, at.bar, 0.0
    told, bound = (sum_ % 1 for sum_ in read_so_far(moment))
    role = "dropped soft" if one.kind == "nan" else "series-1 soft"
    labels = []
    for key, size in _pieces(one):
        if done > bound:
            break
        part = at.between(done, done + min(size, bound - done), box)  # of no length until its turn comes
        done += size
        yield pen.rect(key, Box(part.x + 0.5, part.y, max(0.0, part.width - 1), part.height), role, round=0)
        words = f"1/{round(1 / size)}"
        if key != "rest" and done <= told and pen.text_width(words) + 6 <= part.width:
            middle, foot = part.x + part.width / 2, box.y + 1.05 * pen.size
            labels.append(pen.text(f"half{key[4:]}", middle, foot, words, "value", anchor="middle"))
    yield from labels


def _pieces(one: Spelled) -> Iterator[tuple[str, float]]:
    """What each one of the mantissa adds, with its key; those too small to be seen are one."""
    bits, field = one.fmt.mantissa_bits, one.fields[2]
    for depth in range(1, min(bits, DEEPEST) + 1):
        if field >> bits - depth & 1:
            yield f"part{depth}", 2.0**-depth
    if rest := field % 2 ** max(0, bits - DEEPEST):
        yield "rest", rest / 2**bits


@dataclass(frozen=True)
class Around:
    """The line around a value: how many units a difference of 1 takes."""

    middle: float  # also how far the line goes to either side
    value: float
    scale: float

    def at(self, value: float) -> float:
        """The place of a value; held at the line's ends."""
        return self.middle + max(-self.middle, min(self.middle, (value - self.value) * self.scale))


def widening(moment: Moment) -> tuple[float, ...]:
    """When the value goes to its own line, and when the stretch that rounds to it sets out from there."""
    return (0.0, 0.45) if moment.result.finite else (0.0,)


def draw_nearby(at: Stage, moment: Moment) -> Iterator[Mark]:
    """An axis, the value on it, the stretch that rounds to it, and a number that was to be written."""
    one, pen, y = moment.result, at.pen, at.pen.pick(276, 268)
    if moment.phase == "mantissa" and not one.reserved:  # it rides on the end of what has been added
        yield pen.circle("value", at.at(read_so_far(moment)[1] % 1), at.bar.bottom, 5, "hot")
    if moment.phase != "value":
        return
    yield pen.line("axis", 0, y, pen.width, y, "axis")
    if one.finite:
        yield from _magnified(at, one, y, moment.progress == 1)
        return
    nan = "NaN: not a number, so it has no place here"
    words = nan if one.kind == "nan" else "∞: past every number of the line"
    yield pen.text("no-place", pen.width / 2, y - 10, words, "note", anchor="middle")


def _magnified(at: Stage, one: Spelled, y: float, wide: bool) -> Iterator[Mark]:
    pen, most, sides = at.pen, digits(one.fmt.name), one.neighbours
    found = [side for side in sides if side is not None]
    gaps = [abs(side - one.value) for side in found]
    view = Around(pen.width / 2, one.value, REACH * pen.width / max(gaps))
    steps = (-gaps[0], gaps[-1])  # past the last value the line goes on as on its other side
    reach = [one.value + step for step in steps]
    yield _zoom(at, "zoom2", _on_bar(at, one, reach), at.bar.bottom, [view.at(value) for value in reach], y - 7)
    left, right = (view.at(one.value + wide * step / 2) for step in steps)  # what rounds to the value
    yield pen.rect(
        "basin", Box(left, y - 4, right - left, 8), "hot soft", round=4, read=f"rounds to {number(one.value, most)}"
    )
    yield pen.strokes("ticks", [[(view.at(value), y - 7), (view.at(value), y + 7)] for value in (*found, one.value)])
    yield pen.circle("value", view.middle, y, 5, "hot")
    row, first, here = pen.size + 6, y + 10 + pen.size, number(one.value, most)
    for key, value, x in zip(("below", "above"), sides, map(view.at, reach), strict=True):
        if value is None:
            yield pen.text(key, x, first, last_words(one), "note", anchor="middle")
            continue
        words = number(value, most)
        close = abs(x - view.middle) < (pen.text_width(words) + pen.text_width(here, strong=True)) / 2 + 6
        yield pen.text(key, x, first + close * row, words, "value", anchor="middle")
        yield pen.text(f"{key}-gap", (x + view.middle) / 2, first + (1 + close) * row,
                       f"{number(abs(value - one.value), 3)} apart", "note", anchor="middle")  # fmt: skip
    yield pen.text("here", view.middle, first, here, "hot strong", anchor="middle")
    if one.rounds:
        yield from _wanted(at, one, view, y)


def last_words(one: Spelled) -> str:
    """What comes after the largest value."""
    if one.fmt.infinite:
        return "then −∞" if one.negative else "then ∞"
    return "then NaN" if one.fmt.nan else "the last value"


def _on_bar(at: Stage, one: Spelled, reach: Sequence[float]) -> list[float]:
    """Where the neighbours stand on the line above, held within it."""
    width = 2.0**one.power
    low = width if one.fields[1] else 0.0
    return [at.at(min(1.0, max(0.0, ((-value if one.negative else value) - low) / width))) for value in reach]


def _wanted(at: Stage, one: Spelled, view: Around, y: float) -> Iterator[Mark]:
    """The number picked, if it is not the value itself; an arrow where it lies far off."""
    pen, x, words = at.pen, view.at(one.number), picked(one)
    far = abs(one.number - one.value) * view.scale > view.middle
    line = [(x - 10, y - 6), (x, y), (x - 10, y + 6)] if far else [(x, y - 18), (x, y + 12)]
    yield pen.strokes("wanted", [line], "kept")
    half = pen.text_width(words, strong=True) / 2
    x = min(max(x, half), pen.width - half)
    yield pen.text("wanted-name", x, y - 23, words + (" →" if far else ""), "kept strong halo",
                   anchor="end" if far else "middle")  # fmt: skip
