"""The bits as a row of small squares, each of them a switch, and the sum that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, power, superscript
from loom.scene import Moment

from .model import CODES, Spelled
from .stage import FIELDS, Stage
from .words import digits, equals, number

START, ADDED = 0.25, 0.6  # [s] until the mantissa is read, and for each of its ones
MOST = 6  # ones that are added one by one


@lru_cache(maxsize=2)  # the steps of a code share its bits, at either width
def draw_bits(at: Stage, one: Spelled) -> tuple[Mark, ...]:
    """Squares, filled where a bit is 1; each field has its colour, its outline and its name."""
    return (*(_switches if one.fmt.bits in CODES else _runs)(at, one), *_fields(at, one))


def _fields(at: Stage, one: Spelled) -> Iterator[Mark]:
    pen, row, free = at.pen, at.bits, 0.0
    for outline, squares, value in zip(at.outlines, row.fields, one.fields, strict=True):
        yield outline
        name = outline.key
        words = name if name == "sign" else f"{name} {value:,}"
        half = pen.text_width(words) / 2
        middle = max((squares[0].x + squares[-1].right) / 2, free + half)
        yield pen.text(f"{name}-name", middle, row.side + 4 + pen.size, words, "note", anchor="middle")
        free = middle + half + 6
    if one.fmt.bits in CODES:
        end = row.fields[-1][-1].right
        place = pen.pick((0.0, row.side + 2.8 * pen.size), (end + 24, row.side / 2 + 1))
        yield pen.text("press", *place, "press a bit to flip it, or drag the dot", "note", middle=True)


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


def reading(moment: Moment) -> tuple[float, ...]:
    """When the first part of the mantissa sets out, when each of the next does, and when the last has landed."""
    parts = len(_sums(moment.result)) - 1
    return (0.0, *(START + ADDED * part for part in range(parts + 1))) if parts else (0.0,)


def read_so_far(moment: Moment) -> tuple[float, float]:
    """1.m with those ones of the mantissa that have been added, and with the one that is on its way."""
    one: Spelled = moment.result
    if moment.phase != "mantissa" or moment.progress == 1:
        return one.significand, one.significand
    sums = _sums(one)
    return sums[max(0, moment.beat - 1)], sums[moment.beat]


def _sums(one: Spelled) -> list[float]:
    """1.m with none, one, two … of the ones of the mantissa, and at last with all of them; 0.m of a subnormal."""
    if one.reserved:
        return [one.significand]
    bits, kept = one.fmt.mantissa_bits, [0.0]
    for bit in range(bits - 1, -1, -1):
        if one.fields[2] >> bit & 1:
            kept.append(kept[-1] + 2.0 ** (bit - bits))
    hidden = one.significand - kept[-1]
    return [hidden + added for added in (kept if len(kept) <= MOST else [*kept[:MOST], kept[-1]])]


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
