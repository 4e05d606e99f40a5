"""Pairs as dials: an arrow for the key, one for the query, and what their product makes of the angle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

from loom.draw import Box, Mark, Pen, fixed, significant

from .._rope.dial import SLOW, Point, on_dial
from .._rope.rotation import PAIRS, TURN
from .model import THETA, WAVES, Pose
from .story import Turning, turned

SHOWN = (0, 16, 32, SLOW)
FEW = (0, 32, SLOW)  # on a phone, so that they are large enough to be read
SMALL = 0.42  # letters at two tips closer than this are pushed apart [rad]


def draw_dials(pen: Pen, box: Box, here: Pose, turns: Mapping[int, Turning], still: bool) -> Iterator[Mark]:
    """The shown pairs from fast to slow."""
    radius = pen.pick(38.0, 65.0)
    for column, (pair, turn) in zip(box.columns(len(turns)), turns.items(), strict=True):
        centre = column.x + column.width / 2, box.y + pen.pick(86, 122)
        yield from face(pen, pair, centre, radius, box.y)
        yield from _arrows(pen, pair, centre, radius, here, turn, still)
        if turn.query or not turn.key:  # numbers that race by could not be read
            yield from _words(pen, pair, (centre[0], centre[1] + radius + pen.pick(27, 30)), here)


@cache
def face(pen: Pen, pair: int, centre: Point, radius: float, top: float) -> tuple[Mark, ...]:
    """What stays: the dial, its name, and how many tokens make a turn."""
    each, wave = float(THETA[pair]), significant(float(WAVES[pair]), 3)
    turns = f"pair {pair} turns {turned(each)} a token, once in {wave} tokens, and is one of {PAIRS}"
    turn = f"a turn: {wave} tokens"
    return (
        pen.text(f"name-{pair}", centre[0], top + pen.size, f"pair {pair}", "label strong", anchor="middle"),
        pen.text(f"turn-{pair}", centre[0], top + 2.2 * pen.size, turn, "note", anchor="middle"),
        pen.circle(f"dial-{pair}", *centre, radius, "cell", read=turns),
    )


def _arrows(
    pen: Pen, pair: int, centre: Point, radius: float, here: Pose, turn: Turning, still: bool
) -> Iterator[Mark]:
    """Both arrows; one that goes round too fast to be seen is the disc that it sweeps over."""
    theta, name, reach = float(THETA[pair]), f"dial-{pair}", radius - pen.pick(3, 4)
    key, query = here.key * theta % TURN, here.query * theta % TURN
    foot = on_dial(centre, key, reach * math.cos(query - key))  # the shadow of the query on the key: their product
    tips = [on_dial(centre, angle, reach) for angle in (key, query)]
    steady = "" if still else " steady"
    if turn.blur:
        yield pen.circle(f"{name}-blur", *centre, reach, "hot soft")
    if turn.query:
        yield pen.line(f"{name}-drop{turn.mark}", *tips[1], *foot, f"axis thin dashed{steady}")
    if turn.key:
        yield pen.line(f"{name}-key{turn.mark}", *centre, *tips[0], f"data{steady}")
    if turn.query:
        yield pen.line(f"{name}-shadow{turn.mark}", *centre, *foot, f"work thick{steady}")
        yield pen.line(f"{name}-query{turn.mark}", *centre, *tips[1], f"hot{steady}")
        yield pen.circle(f"{name}-query-tip{turn.mark}", *tips[1], pen.pick(3.5, 5), f"hot{steady}")
    yield from _letters(pen, pair, centre, (key, query), radius, turn)


def _letters(pen: Pen, pair: int, centre: Point, angles: Point, radius: float, turn: Turning) -> Iterator[Mark]:
    """Beside the tips, where they can be seen."""
    shown = (turn.key, turn.query)
    places = _apart(*angles) if all(shown) else angles
    for what, angle, role, seen in zip("kq", places, ("label", "hot strong"), shown, strict=True):
        x, y = on_dial(centre, angle, radius + pen.pick(8, 9))
        if seen:
            yield pen.text(f"dial-{pair}-{what}-letter{turn.mark}", x, y - 1, what, role, anchor="middle", middle=True)


def _apart(key: float, query: float) -> tuple[float, float]:
    """The angles at which the letters of both tips stand: apart."""
    gap = (query - key + math.pi) % TURN - math.pi
    push = max(0.0, SMALL - abs(gap)) / 2 * (1 if gap >= 0 else -1)
    return key - push, query + push


def _words(pen: Pen, pair: int, place: Point, here: Pose) -> Iterator[Mark]:
    """Under a dial: the angle between its arrows, and its cosine, which is what the pair adds to the product."""
    (x, y), angle = place, here.distance * float(THETA[pair])
    words = f"cos {fixed(math.cos(angle))}"
    if pen.narrow:
        yield pen.text(f"angle-{pair}", x, y, turned(angle), "note", anchor="middle")
        yield pen.text(f"cosine-{pair}", x, y + 1.25 * pen.size, words, "work strong", anchor="middle")
    else:
        yield pen.text(f"angle-{pair}", x - 2, y, turned(angle), "note", anchor="end")
        yield pen.text(f"cosine-{pair}", x + 6, y, words, "work strong")
