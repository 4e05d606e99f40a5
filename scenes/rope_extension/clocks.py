"""All pairs as clocks: how far round each has been in training, and the angles that a longer text adds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, memoized, significant
from loom.scene import Moment

from .._rope.dial import SLOW, Point, degrees, on_dial
from .._rope.rotation import PAIRS, TRAINED, TURN, frequencies

ACROSS = 16  # clocks in a row
CORNERS = 24  # of a whole ring
GROWTHS = 4  # in so many the arcs of all clocks grow; the one beside them goes on more evenly


def draw_clocks(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The wall: a ring that is whole has been all the way round."""
    model, phase = moment.result, moment.phase
    yield from draw_seen(pen, box, model.base, moment.past("waves"))
    if moment.since("beyond"):
        yield from draw_new(pen, box, new_angles(moment))
    if moment.since("near"):  # over what was seen, which is still so
        angles, radius = one_token_on(moment), radius_in(box)
        hands = [[at, on_dial(at, angle, radius)] for at, angle in zip(centres(box), angles, strict=True)]
        yield pen.strokes("hands", hands, "hot thin")
    if phase != "extended":
        x, y = centres(box)[0 if phase == "near" else SLOW]
        reach = 0.5 * box.width / ACROSS
        yield pen.rect("closer", Box(x - reach, y - reach, 2 * reach, 2 * reach), "data outline")


@memoized
def draw_seen(pen: Pen, box: Box, base: int, read: float) -> Iterator[Mark]:
    """The clocks, and how far round each has been when a share of the trained length is read."""
    radius, thetas = radius_in(box), frequencies(base).tolist()
    for pair, (place, theta) in enumerate(zip(centres(box), thetas, strict=True)):
        yield pen.circle(f"clock-{pair}", *place, radius, "cell", read=told(pair, theta))
    for pair, (place, theta) in enumerate(zip(centres(box), thetas, strict=True)):
        angle = min(TURN, read * TRAINED * theta)
        if angle:
            yield arc(pen, f"seen-{pair}", place, 0, angle, radius, "work answer")


@memoized
def draw_new(pen: Pen, box: Box, spans: tuple[tuple[float, float], ...]) -> Iterator[Mark]:
    """The angles that no text in training had."""
    for pair, (place, (start, end)) in enumerate(zip(centres(box), spans, strict=True)):
        if end > start:
            yield arc(pen, f"new-{pair}", place, start, end, radius_in(box), "dropped thick answer")


def one_token_on(moment: Moment) -> list[float]:
    """How far one token turns each pair: as it was trained, and then as a method leaves it [rad]."""
    model, last = moment.result, moment.progress == 1
    theta = model.new_theta if moment.phase == "extended" and last else model.theta
    angles: list[float] = (theta * (last or moment.phase == "extended")).tolist()
    return angles


def radius_in(box: Box) -> float:
    """Of each clock."""
    return 0.42 * (box.width / ACROSS)


@lru_cache(2)  # at either width
def centres(box: Box) -> list[Point]:
    """Where the clocks stand: the fastest at the top left, row by row."""
    across, down = box.width / ACROSS, box.height * ACROSS / PAIRS
    return [(box.x + (pair % ACROSS + 0.5) * across, box.y + (pair // ACROSS + 0.5) * down) for pair in range(PAIRS)]


def new_angles(moment: Moment) -> tuple[tuple[float, float], ...]:
    """For each pair from where to where it turns through angles that no text in training had [rad]."""
    model, grown = moment.result, round(moment.past("beyond") * GROWTHS) / GROWTHS
    theta = model.new_theta if moment.phase == "extended" and moment.progress == 1 else model.theta
    spans = []
    for seen, angle, never in zip(model.theta.tolist(), theta.tolist(), model.never.tolist(), strict=True):
        start = min(TURN, TRAINED * seen)
        end = min(TURN, model.target * angle)
        spans.append((start, start + grown * (end - start) if never and end - start > 1e-9 else start))
    return tuple(spans)


def arc(pen: Pen, key: str, middle: Point, start: float, end: float, radius: float, role: str) -> Mark:
    """A piece of a ring that leads on to the top: only how much of it shows changes, so that it grows smoothly."""
    drawn = round(min((end - start) / (TURN - start), 1), 3)
    return pen.path(key, _to_the_top(middle, start, radius), role, drawn=drawn)


@lru_cache(1 << 10)  # many states turn through the same angle
def _to_the_top(middle: Point, start: float, radius: float) -> tuple[Point, ...]:
    rest = TURN - start
    count = math.ceil(CORNERS * rest / TURN)
    return tuple([on_dial(middle, start + rest * step / count, radius) for step in range(count + 1)])


@lru_cache(PAIRS)  # of one base
def told(pair: int, theta: float) -> str:
    """What a clock says of its pair, which turns by `theta` per position [rad/token]."""
    wave = TURN / theta
    tokens = significant(round(wave, 1 if wave < 100 else 0), 1)
    return f"pair {pair}: seen up to {degrees(min(TURN, TRAINED * theta))}, λ is {tokens} tokens"
