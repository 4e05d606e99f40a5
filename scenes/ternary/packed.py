"""The last step: five digits become a byte, and what each way of packing takes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, bracket, headline
from loom.scene import Moment

from .case import WEIGHT_BITS
from .model import BITS
from .narration import bits
from .pace import BYTE, DIGITS, EACH, SIZE, SUM, there
from .packing import FIVE, PLACES
from .panels import Stage

BYTE_BITS = 8


def draw_bytes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Five digits times what their places are worth make a number, and the number a byte."""
    pen, side, down = stage.pen, stage.pen.pick(15, 20), stage.walk.y + stage.pen.size * 0.5
    top, reach = down + 2 * pen.size + pen.pick(14, 28), stage.pitch * 0.38
    for column, x in enumerate(stage.xs if there(moment, DIGITS) else ()):
        yield pen.text(f"p{column}", x, down, f"×{PLACES[column % FIVE]}", "note", anchor="middle")
    for group, number in enumerate(moment.result.numbers):
        columns = slice(group * FIVE, (group + 1) * FIVE)
        first, last = stage.xs[columns][0] - reach, stage.xs[columns][-1] + reach
        if not there(moment, SUM + EACH * group):
            break
        worth = moment.result.digits[columns] * PLACES
        yield from bracket(pen, f"s{group}", first, last, down + 7, f"{' + '.join(map(str, worth))} = {number}")
        yield from _byte(
            stage, group, number, Box((first + last) / 2, top, side, side), there(moment, BYTE + EACH * group)
        )


def _byte(stage: Stage, group: int, number: int, middle: Box, written: bool) -> Iterator[Mark]:
    """A number as eight bits; before they are written all lie on each other, in the middle."""
    pen, side = stage.pen, middle.height
    start = middle._replace(x=middle.x - (BYTE_BITS if written else 1) * side / 2)
    places = start.hstack(*[side] * BYTE_BITS) if written else [start] * BYTE_BITS
    yield pen.outlines(f"k{group}", places, "work thin")
    for place, box in enumerate(places if written else ()):
        yield pen.text(f"i{group}{place}", box.x + side / 2, box.y + side / 2, f"{number:08b}"[place], "value",
                       anchor="middle", middle=True)  # fmt: skip
    if written and not pen.narrow:
        y = middle.bottom + pen.size + 4
        yield pen.text(f"y{group}", middle.x, y, "one byte", "note", anchor="middle")


def draw_sizes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Bits of a weight: before, in two bits, five to a byte, and the least that three values need."""
    pen, box, case = stage.pen, stage.panel, moment.result.case
    kinds = (
        ("before: BF16", WEIGHT_BITS, "data"),
        ("two bits each (TQ2_0)", case.two_bit, "data"),
        ("five in a byte (TQ1_0)", case.packed, "work"),
        ("the least for three values: log₂ 3", BITS, "ghost"),
    )
    top, each, tall = pen.pick((34, 22, 5), (52, 62, 24))
    for at, (name, size, role) in reversed([*enumerate(kinds)]):
        come, y = there(moment, SIZE + at), box.y + top + at * each + pen.size
        if not at or there(moment, SIZE + at + 1):
            words, tone = f"{bits(size)}  {name}", "work strong" if role == "work" else "label"
            yield pen.text(f"z{at}-name", box.x, y, words, tone)
        place = Box(box.x, y + 5, box.width * size / WEIGHT_BITS, tall)
        if not come and role == "ghost":  # no way of packing
            continue
        if not come:  # still as long as before, and under the bar of that
            place = Box(box.x, box.y + top + pen.size + 5, box.width, tall)
        yield pen.rect(f"z{at}", place, role, round=0, read=f"{name.replace(': ', ', ')}: {bits(size)} bits a weight")
    if there(moment, SIZE + 3):  # five in a byte have come
        words = f"bits a weight, not {WEIGHT_BITS}, scale counted"
        yield from headline(pen, box.x, box.y + pen.pick(27, 28), bits(case.packed), [words], "work", key="bits")
