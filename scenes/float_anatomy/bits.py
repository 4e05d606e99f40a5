"""The bits as a row of small squares, each of them a switch, and the sum that they stand for."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .model import BITS, CODES, EVERYWHERE, EXPONENT, MANTISSA, State
from .stage import FIELDS, Stage, lengths
from .words import digits, equals, number, picked, power, raised


def draw_bits(at: Stage, state: State) -> Iterator[Mark]:
    """Squares, filled where a bit is 1; each field has its colour, its outline and its name."""
    one = state.spelled
    yield from (_switches if one.fmt.bits in CODES else _runs)(at, state)
    row, sizes = at.bits(one.fmt.bits), lengths(one)
    start, free = 0, 0.0
    for (name, role), length, value in zip(FIELDS, sizes, one.fields, strict=True):
        left = row.left(start, sizes)
        right = left + length * row.pitch
        box = [(left, 1.0), (right, 1.0), (right, row.side + 1), (left, row.side + 1), (left, 1.0)]
        cuts = [left + cut * row.pitch for cut in range(1, length)]
        yield at.pen.strokes(name, [box, *([(x, 1.0), (x, row.side + 1)] for x in cuts)], role)
        words = name if name == "sign" else f"{name} {value:,}"
        half = at.pen.room(words) / 2
        middle = max((left + right) / 2, free + half)
        yield at.pen.text(f"{name}-name", middle, row.side + 4 + at.pen.size, words, "note", anchor="middle")
        start, free = start + length, middle + half + 6
    if one.fmt.bits in CODES and not at.pen.narrow:
        end = row.left(one.fmt.bits - 1, sizes) + row.pitch
        yield at.pen.text("press", end + 24, row.side / 2 + 1, "press a bit to flip it", "note", middle=True)


def _switches(at: Stage, state: State) -> Iterator[Mark]:
    """One square for each bit of a small format; pressing it flips the bit."""
    one, pen = state.spelled, at.pen
    count, sizes = one.fmt.bits, lengths(one)
    row = at.bits(count)
    roles = [role for (_, role), length in zip(FIELDS, sizes, strict=True) for _ in range(length)]
    boxes = [Box(row.left(bit, sizes), 1, row.pitch, row.side) for bit in range(count)]
    ones = [one.code >> count - 1 - bit & 1 for bit in range(count)]
    for bit, (box, role, set_) in enumerate(zip(boxes, roles, ones, strict=True)):
        flipped = {CODES[count]: one.code ^ 1 << count - 1 - bit}
        yield pen.rect(f"b{bit}", box, f"{role} soft" if set_ else "cell", round=0, set=flipped,
                       label=f"Flip bit {count - 1 - bit} to {1 - set_}")  # fmt: skip
    for bit, (box, set_) in enumerate(zip(boxes, ones, strict=True)):
        yield pen.text(f"d{bit}", box.x + box.width / 2, row.side / 2, str(set_), "value strong" if set_ else "note",
                       anchor="middle", middle=True, size=row.size)  # fmt: skip


def _runs(at: Stage, state: State) -> Iterator[Mark]:
    """The bits of a wide format: runs of ones are filled, and digits are set in pairs."""
    one, pen = state.spelled, at.pen
    sizes, row, bits = lengths(one), at.bits(one.fmt.bits), f"{one.code:0{one.fmt.bits}b}"
    pairs = []
    start = count = 0
    for (_, role), length in zip(FIELDS, sizes, strict=True):
        field, at_bit = bits[start : start + length], start
        for run in field.replace("01", "0 1").replace("10", "1 0").split():
            if run[0] == "1":
                box = Box(row.left(at_bit, sizes), 1, len(run) * row.pitch, row.side)
                yield pen.rect(f"run{count}", box, f"{role} soft", round=0)
                count += 1
            at_bit += len(run)
        for first in range(0, length, 2):  # in pairs, so that a fallback font cannot push them out of their squares
            pair = field[first : first + 2]
            middle = row.left(start + first, sizes) + len(pair) * row.pitch / 2
            pairs.append(pen.text(f"d{start + first}", middle, row.side / 2, row.between.join(pair), "value",
                                  anchor="middle", middle=True, size=row.size))  # fmt: skip
        start += length
    yield from pairs


def draw_formula(at: Stage, state: State) -> Iterator[Mark]:
    """What is known of the number by now."""
    pen, y, size = at.pen, at.formula, at.pen.large
    if state.step == EVERYWHERE:
        yield pen.text("sum", 0, y - 8, f"{picked(state.spelled)} in every format", "label strong", size=size)
        return
    words, value = spelled_out(state)
    yield pen.text("sum", 0, y, words, "label strong" if state.step > BITS else "label", size=size)
    if state.step > BITS and not state.spelled.reserved:
        yield from _underlined(at, words)
    if value:
        x = pen.room(words, size=size, strong=True) + pen.room("\u00a0", size=size)
        yield pen.text("is", x, y, value, "hot strong", size=size)


def _underlined(at: Stage, words: str) -> Iterator[Mark]:
    """Each factor stands on a line in the colour of its field."""
    pen, y, x = at.pen, at.formula + 5, 0.0
    blank = pen.room(" ", size=pen.large, strong=True)
    sign, power_of_two, times, fraction, *_ = words.split(" ")
    factors = {sign: "series-5", power_of_two: "series-2", times: "", fraction: "series-1"}
    for word, role in factors.items():
        end = x + pen.room(word, size=pen.large, strong=True)
        if role:
            yield pen.line(f"under-{role[-1]}", x, y, end, y, role)
        x = end + blank


def spelled_out(state: State) -> tuple[str, str]:
    """The sum as far as it is read, and what it comes to."""
    one, step = state.spelled, state.step
    sign, most = "−" if one.negative else "+", digits(one.fmt.name)
    hidden = 1 if one.fields[1] else 0
    if step == BITS:
        return f"± 2 to the power (exponent − {one.fmt.bias}) × 1.mantissa", ""
    if one.reserved:
        value = number(one.value) if one.kind == "nan" else f"{sign}∞".replace("+", "+\u00a0")
        return "exponent all ones:", value if step > EXPONENT else "no number of its own"
    field = max(one.fields[1], 1)
    if step == EXPONENT:
        return f"{sign} 2{raised(field)}{raised(-one.fmt.bias)} × {hidden}.mantissa", ""
    power_of_two = f"{sign} 2{raised(one.power)} × {number(one.significand, most + 1)}"
    if step == MANTISSA:
        return power_of_two, ""
    if one.kind == "nan":
        return f"{power_of_two}, kept for", "NaN"
    return power_of_two, f"{equals(one.value, most)} {number(one.value, most)}"


def ends(power_of_two: int, subnormal: bool, negative: bool) -> tuple[str, str]:
    """The powers of two that a number lies between, the one nearer to zero first."""
    sign = "−" if negative else ""
    outer = f"{sign}{power(power_of_two if subnormal else power_of_two + 1)}"
    return ("0" if subnormal else f"{sign}{power(power_of_two)}"), outer
