"""Four pairs as dials: an arrow for the key, one for the query, and the angles that training has seen."""

from __future__ import annotations

import math
from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .model import TURN
from .story import State
from .words import decimals, tokens, turned

SHOWN = (0, 16, 32, 48)
SMALL = 0.42  # letters at two tips closer than this are pushed apart [rad]
Point = tuple[float, float]


def draw_dials(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The shown pairs from fast to slow."""
    for column, pair in zip(box.columns(len(SHOWN)), SHOWN, strict=True):
        if pen.narrow:
            radius, centre = 26.0, (column.x + column.width / 2, box.y + 2 * pen.size + 50)
            words = (centre[0], box.y + pen.size, centre[1] + 26 + 2.25 * pen.size)
        else:
            radius, centre = 40.0, (column.x + 58, box.y + box.height / 2)
            words = (centre[0] + 62, centre[1] - 25, centre[1] + 20)
        yield from _dial(pen, pair, centre, radius, state)
        yield from _words(pen, pair, words, state)


def _at(centre: Point, angle: float, radius: float) -> Point:
    """A place on a dial: angles run clockwise from the top, as on a clock."""
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


def _arc(centre: Point, start: float, end: float, radius: float) -> list[Point]:
    """Points along an arc, always as many for a radius, so that it can grow."""
    parts = 36 if radius > 25 else 20
    return [_at(centre, start + (end - start) * step / parts, radius) for step in range(parts + 1)]


def _dial(pen: Pen, pair: int, centre: Point, radius: float, state: State) -> Iterator[Mark]:
    theta = float(state.theta[pair])
    key, query = state.key * theta % TURN, state.query * theta % TURN
    name = f"dial-{pair}"
    yield pen.circle(name, *centre, radius, "cell")
    if state.on_waves:
        seen, reached = state.seen(pair), state.reached(pair) if state.aims else 0.0
        yield pen.path(f"{name}-seen", _arc(centre, 0, seen, radius), "kept thick")
        if reached > seen * (1 + 1e-9):
            yield pen.path(f"{name}-unseen", _arc(centre, seen, reached, radius + 1), "dropped thick dashed")
    yield pen.path(f"{name}-apart", _arc(centre, key, key + state.distance * theta % TURN, radius * 0.42), "axis")
    yield from _arrows(pen, name, centre, radius, key, query)
    if state.name == "extended" and state.rotary.method != "none":
        was = _at(centre, state.query * float(state.rotary.theta[pair]), radius - 1)
        yield pen.line(f"{name}-was", *centre, *was, "ghost")


def _arrows(pen: Pen, name: str, centre: Point, radius: float, key: float, query: float) -> Iterator[Mark]:
    for what, angle, role in (("key", key, "data"), ("query", query, "hot")):
        tip = _at(centre, angle, radius - 5)
        yield pen.line(f"{name}-{what}", *centre, *tip, role)
        if what == "key":
            yield pen.rect(f"{name}-{what}-tip", Box(tip[0] - 3.5, tip[1] - 3.5, 7, 7), role, round=1)
        else:
            yield pen.circle(f"{name}-{what}-tip", *tip, 4, role)
    gap = (query - key + math.pi) % TURN - math.pi
    push = max(0.0, SMALL - abs(gap)) / 2 * (1 if gap >= 0 else -1)
    for what, angle, role in (("k", key - push, "label"), ("q", query + push, "hot")):
        x, y = _at(centre, angle, radius + 10)
        yield pen.text(f"{name}-{what}-letter", x, y - 1, what, role, anchor="middle", middle=True)


def _words(pen: Pen, pair: int, place: tuple[float, float, float], state: State) -> Iterator[Mark]:
    """Over (or beside) the dial its name and wavelength, then what the two arrows say."""
    x, top, low = place
    anchor, line = "middle" if pen.narrow else "start", pen.size * 1.25
    rotary = state.rotary
    wave = (rotary.new_waves if state.name == "extended" else rotary.waves)[pair]
    yield pen.text(f"dial-{pair}-name", x, top, f"pair {pair}", "label strong", anchor=anchor)
    yield pen.text(f"dial-{pair}-wave", x, top + line, f"λ {tokens(wave)}", "note", anchor=anchor)
    angle = state.distance * float(state.theta[pair])
    yield pen.text(f"dial-{pair}-angle", x, low, turned(angle), "value", anchor=anchor)
    if not state.on_waves:
        words, role = f"cos {decimals(math.cos(angle), 2)}", "note"
    else:
        words, role = ("seen", "kept") if angle % TURN <= state.seen(pair) else ("never seen", "dropped strong")
    yield pen.text(f"dial-{pair}-verdict", x, low + line, words, role, anchor=anchor)
