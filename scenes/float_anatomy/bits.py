"""The bits as a row of small squares, each of them a switch, and the sum that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, power, superscript
from loom.scene import Moment

from .halving import is_open
from .model import CODES, Spelled
from .reading import Worth, being_read, read_so_far, worth
from .stage import FIELDS, Stage
from .words import digits, equals, number


def draw_bits(at: Stage, moment: Moment) -> Iterator[Mark]:
    """The row of bits, and a bar under those that are being read."""
    yield from _squares(at, moment.result)
    yield from _fields(at, moment.result, worth(moment))
    if found := being_read(moment):
        field, first, last = found
        squares = at.bits.fields[field]
        left, end = squares[first].x, squares[last].right
        yield at.pen.rect("reading", Box(left, at.bits.side + 2, end - left, 4), "hot", round=2)


@lru_cache(maxsize=2)  # the steps of a code share its bits, at either width
def _squares(at: Stage, one: Spelled) -> tuple[Mark, ...]:
    """Squares, filled where a bit is 1."""
    return tuple((_switches if one.fmt.bits in CODES else _runs)(at, one))


@lru_cache(maxsize=4)
def _fields(at: Stage, one: Spelled, told: Worth) -> tuple[Mark, ...]:
    """Each field's outline in its colour and its name, which stands where it will with all that it is worth."""
    pen, row, free, marks = at.pen, at.bits, 0.0, []
    for outline, squares, value, so_far in zip(at.outlines, row.fields, one.fields, told, strict=True):
        marks.append(outline)
        name = outline.key
        half = pen.text_width(name if name == "sign" else f"{name} {value:,}") / 2
        middle = max((squares[0].x + squares[-1].right) / 2, free + half)
        words = name if so_far is None else f"{name} {so_far:,}"
        marks.append(pen.text(f"{name}-name", middle, row.side + 4 + pen.size, words, "note", anchor="middle"))
        free = middle + half + 6
    if one.fmt.bits in CODES:
        end = row.fields[-1][-1].right
        place = pen.pick((0.0, row.side + 2.8 * pen.size), (end + 24, row.side / 2 + 1))
        marks.append(pen.text("press", *place, "press a bit to flip it, or drag the dot", "note hint", middle=True))
    return tuple(marks)


def _switches(at: Stage, one: Spelled) -> Iterator[Mark]:
    """One square for each bit of a small format; pressing it flips the bit."""
    pen, row, top = at.pen, at.bits, one.fmt.bits - 1
    squares = [(box, role) for (_, role), boxes in zip(FIELDS, row.fields, strict=True) for box in boxes]
    ones = [one.code >> top - bit & 1 for bit in range(top + 1)]
    for bit, ((box, role), set_) in enumerate(zip(squares, ones, strict=True)):
        flipped = {CODES[one.fmt.bits]: one.code ^ 1 << top - bit}
        yield pen.rect(f"b{bit}", box, f"{role} soft" if set_ else "cell", round=0, set=flipped,
                       label=f"Flip bit {top - bit} to {1 - set_}")  # fmt: skip
    for bit, ((box, _), set_) in enumerate(zip(squares, ones, strict=True)):
        yield pen.text(f"d{bit}", box.x + box.width / 2, row.side / 2, str(set_), "value strong" if set_ else "note",
                       anchor="middle", middle=True, size=row.size)  # fmt: skip


def _runs(at: Stage, one: Spelled) -> Iterator[Mark]:
    """The bits of a wide format: runs of ones are filled, and digits are set in pairs."""
    pen, row, bits = at.pen, at.bits, f"{one.code:0{one.fmt.bits}b}"
    runs: list[Mark] = []
    pairs: list[Mark] = []
    start = 0
    for (_, role), squares in zip(FIELDS, row.fields, strict=True):
        field, first = bits[start : start + len(squares)], 0
        for run in field.replace("01", "0 1").replace("10", "1 0").split():
            if run[0] == "1":
                left, last = squares[first], squares[first + len(run) - 1]
                box = Box(left.x, left.y, last.right - left.x, row.side)
                runs.append(pen.rect(f"run{len(runs)}", box, f"{role} soft", round=0))
            first += len(run)
        for first in range(0, len(field), 2):  # in pairs, so that a fallback font cannot push them out of their squares
            pair = field[first : first + 2]
            middle = squares[first].x + len(pair) * squares[first].width / 2
            pairs.append(pen.text(f"d{start + first}", middle, row.side / 2, row.between.join(pair), "value",
                                  anchor="middle", middle=True, size=row.size))  # fmt: skip
        start += len(field)
    yield from runs
    yield from pairs


def draw_formula(at: Stage, moment: Moment) -> Iterator[Mark]:
    """What is known of the number by now."""
    one, pen, (_, y), size = moment.result, at.pen, at.formula, at.pen.large
    words, value = spelled_out(moment)
    yield pen.text("sum", 0, y, words, "label strong", size=size)
    if not one.reserved:
        yield from _underlined(at, words, y + 5)
    if value:
        x = pen.text_width(words, size=size, strong=True) + pen.text_width("\u00a0", size=pen.huge)
        huge = pen.huge if x + pen.text_width(value, size=pen.huge, strong=True) <= pen.width else size
        yield pen.text("is", x, y, value, "value strong answer", size=huge)


def _underlined(at: Stage, words: str, y: float) -> Iterator[Mark]:
    """Each factor stands on a line in the colour of its field."""
    pen, x = at.pen, 0.0
    blank = pen.text_width(" ", size=pen.large, strong=True)
    for word, role in zip(words.split(" "), ("series-5", "series-2", "", "series-1"), strict=False):
        end = x + pen.text_width(word, size=pen.large, strong=True)
        if role:
            yield pen.line(f"under-{role[-1]}", x, y, end, y, role)
        x = end + blank


def spelled_out(moment: Moment) -> tuple[str, str]:
    """The sum as far as it is read, and what it comes to."""
    one: Spelled = moment.result
    sign, most = "−" if one.negative else "+", digits(one.fmt.name)
    if is_open(moment):
        return sign, ""
    if one.reserved:
        value = "NaN" if one.kind == "nan" else "−∞" if one.negative else "+\u00a0∞"
        return "exponent all ones:", value if moment.since("mantissa") else "no number of its own"
    if moment.phase == "exponent":
        hidden = 1 if one.fields[1] else 0
        return f"{sign} 2{superscript(max(one.fields[1], 1))}{superscript(-one.fmt.bias)} × {hidden}.mantissa", ""
    product = f"{sign} {power(2, one.power)} × {number(read_so_far(moment)[0], most + 1)}"
    if moment.phase == "mantissa":
        return product, ""
    if one.kind == "nan":
        return f"{product}, kept for", "NaN"
    return product, f"{equals(one.value, most)} {number(one.value, most)}"
