"""Where two tokens stand on a strip of positions, and four pairs as dials: an arrow for the key, one for the query."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache

from loom.draw import Box, Mark, Pen, fixed

from .model import TRAINED, TURN
from .narration import tokens, turned
from .story import State

SHOWN = (0, 16, 32, 48)
SMALL = 0.42  # letters at two tips closer than this are pushed apart [rad]
TALL = 8  # the strip
Point = tuple[float, float]


def draw_strip(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """Positions from 0 to the trained length, or to the target; what was never trained on is hatched."""
    last = state.rotary.target if state.aims else TRAINED
    scale = box.width / last
    bar = Box(box.x, box.y + pen.size + 10, box.width, TALL)
    middle, low, high = bar.y + TALL / 2, bar.bottom + pen.size + 7, bar.y - 7
    yield from _strip(pen, bar, last)
    x, words = bar.x + state.key * scale, f"key at {state.key:,}"
    start = max(box.x, x - 4)
    yield pen.line("key-pin", x, middle, x, bar.bottom + 5, "data")
    yield pen.rect("key-mark", Box(x - 4, middle - 4, 8, 8), "data", round=1)
    yield pen.text("key-label", start, low, words, "label")
    yield pen.text("strip-end", box.right, low, f"{'target' if state.aims else 'trained length'} {last:,}", "note",
                   anchor="end")  # fmt: skip
    if state.aims:
        after = max(start + pen.room(words) + 14, bar.x + TRAINED * scale)
        yield pen.text("strip-edge", after, low, f"trained {TRAINED:,}", "note")
    x = bar.x + state.query * scale
    right = x < bar.x + bar.width / 2
    yield pen.line("query-pin", x, bar.y - 5, x, middle, "hot")
    yield pen.circle("query-mark", x, middle, 4.5, "hot")
    place = max(bar.x, x - 4) if right else min(bar.right, x + 4)
    words = f"query at {state.query:,}"
    yield pen.text("query-label", place, high, words, "hot strong", anchor="start" if right else "end")
    yield pen.text("distance", bar.right, high, f"distance {state.distance:,}", "label", anchor="end")


@cache  # there are but as many as target lengths
def _strip(pen: Pen, bar: Box, last: int) -> tuple[Mark, ...]:
    edge = TRAINED * bar.width / last
    return (
        pen.rect("strip-new", bar, "pad", round=1),
        pen.hatch("strip-hatch", bar.inset(left=edge)),
        pen.rect("strip-trained", Box(bar.x, bar.y, edge, TALL), round=1),
    )


def draw_dials(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The shown pairs from fast to slow."""
    for column, pair in zip(box.columns(len(SHOWN)), SHOWN, strict=True):
        if pen.narrow:
            centre = column.x + column.width / 2, box.y + 2 * pen.size + 50
            words = (centre[0], box.y + pen.size, centre[1] + 26 + 2.25 * pen.size)
        else:
            centre = column.x + 58, box.y + box.height / 2
            words = (centre[0] + 62, centre[1] - 25, centre[1] + 20)
        yield from _dial(pen, pair, centre, pen.pick(26.0, 40.0), state)
        yield from _words(pen, pair, words, state)


def _at(centre: Point, angle: float, radius: float) -> Point:
    """A place on a dial: angles run clockwise from the top, as on a clock."""
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


@lru_cache(maxsize=256)  # most are the same for all methods and factors of a base
def _arc(pen: Pen, key: str, centre: Point, start: float, end: float, radius: float, role: str) -> Mark:
    """An arc, always of as many points for a radius, so that it can grow."""
    parts = 36 if radius > 25 else 20
    points = [_at(centre, start + (end - start) * step / parts, radius) for step in range(parts + 1)]
    return pen.path(key, points, role)


def _dial(pen: Pen, pair: int, centre: Point, radius: float, state: State) -> Iterator[Mark]:
    theta, name = float(state.theta[pair]), f"dial-{pair}"
    key, query, apart = (times * theta % TURN for times in (state.key, state.query, state.distance))
    yield pen.circle(name, *centre, radius, "cell")
    if state.on_waves:
        seen, reached = state.seen(pair), state.reached(pair) if state.aims else 0.0
        yield _arc(pen, f"{name}-seen", centre, 0, seen, radius, "kept thick")
        if reached > seen * (1 + 1e-9):
            yield _arc(pen, f"{name}-unseen", centre, seen, reached, radius + 1, "dropped thick dashed")
    yield _arc(pen, f"{name}-apart", centre, key, key + apart, radius * 0.42, "axis")
    yield from _arrows(pen, name, centre, radius, key, query)
    if state.extended and state.rotary.method != "none":
        was = _at(centre, state.query * float(state.rotary.theta[pair]), radius - 1)
        yield pen.line(f"{name}-was", *centre, *was, "ghost")


def _arrows(pen: Pen, name: str, centre: Point, radius: float, key: float, query: float) -> Iterator[Mark]:
    tips = [_at(centre, angle, radius - 5) for angle in (key, query)]
    (x, y), tip = tips
    yield pen.line(f"{name}-key", *centre, x, y, "data")
    yield pen.rect(f"{name}-key-tip", Box(x - 3.5, y - 3.5, 7, 7), "data", round=1)
    yield pen.line(f"{name}-query", *centre, *tip, "hot")
    yield pen.circle(f"{name}-query-tip", *tip, 4, "hot")
    gap = (query - key + math.pi) % TURN - math.pi
    push = max(0.0, SMALL - abs(gap)) / 2 * (1 if gap >= 0 else -1)
    for what, angle, role in (("k", key - push, "label"), ("q", query + push, "hot")):
        x, y = _at(centre, angle, radius + 10)
        yield pen.text(f"{name}-{what}-letter", x, y - 1, what, role, anchor="middle", middle=True)


def _words(pen: Pen, pair: int, place: tuple[float, float, float], state: State) -> Iterator[Mark]:
    """Over (or beside) the dial its name and wavelength, then what the two arrows say."""
    x, top, low = place
    anchor, line = pen.pick("middle", "start"), pen.size * 1.25
    angle = state.distance * float(state.theta[pair])
    if not state.on_waves:
        words, role = f"cos {fixed(math.cos(angle))}", "note"
    else:
        words, role = ("seen", "kept") if angle % TURN <= state.seen(pair) else ("never seen", "dropped strong")
    yield pen.text(f"dial-{pair}-name", x, top, f"pair {pair}", "label strong", anchor=anchor)
    yield pen.text(f"dial-{pair}-wave", x, top + line, f"λ {tokens(float(state.waves[pair]))}", "note", anchor=anchor)
    yield pen.text(f"dial-{pair}-angle", x, low, turned(angle), "value", anchor=anchor)
    yield pen.text(f"dial-{pair}-verdict", x, low + line, words, role, anchor=anchor)
