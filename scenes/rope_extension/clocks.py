"""All pairs as clocks: how far round each has been in training, and the angles that a longer text adds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, significant
from loom.scene import Moment

from .._rope.dial import SLOW, Point, degrees, on_dial
from .._rope.rotation import PAIRS, TRAINED, TURN
from .rotary import Rotary

ACROSS = 16  # clocks in a row
CORNERS = 24  # of a whole ring
GROWTHS = 4  # in so many the arcs of all clocks grow; the one beside them goes on more evenly


def draw_clocks(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The wall: a ring that is whole has been all the way round."""
    model, phase = moment.result, moment.phase
    pitch = box.width / ACROSS
    radius, centres = 0.42 * pitch, [centre(box, pair) for pair in range(PAIRS)]
    read = 0.0 if phase == "near" else moment.past("waves")
    turned = [min(TURN, read * TRAINED * theta) for theta in model.theta.tolist()]
    for pair, place in enumerate(centres):
        whole = turned[pair] == TURN
        yield pen.circle(f"clock-{pair}", *place, radius, "work outline" if whole else "cell", read=told(model, pair))
    for pair, (place, angle) in enumerate(zip(centres, turned, strict=True)):
        if 0 < angle < TURN:
            yield arc(pen, f"seen-{pair}", place, 0, angle, radius, "work")
    if phase == "near":
        angles = (model.theta * (moment.beat + 1 == moment.beats)).tolist()
        hands = [[at, on_dial(at, angle, radius)] for at, angle in zip(centres, angles, strict=True)]
        yield pen.strokes("hands", hands, "hot thin")
    elif moment.since("beyond"):
        for pair, (place, (start, end)) in enumerate(zip(centres, new_angles(moment), strict=True)):
            if end > start:
                yield arc(pen, f"new-{pair}", place, start, end, radius, "dropped thick answer")
    pair, reach = 0 if phase == "near" else SLOW, 0.5 * pitch
    if phase != "extended":
        x, y = centres[pair]
        yield pen.rect("closer", Box(x - reach, y - reach, 2 * reach, 2 * reach), "data outline")


def centre(box: Box, pair: int) -> Point:
    """Where a clock stands: the fastest at the top left, row by row."""
    across, down = box.width / ACROSS, box.height * ACROSS / PAIRS
    return box.x + (pair % ACROSS + 0.5) * across, box.y + (pair // ACROSS + 0.5) * down


def new_angles(moment: Moment) -> list[tuple[float, float]]:
    """For each pair from where to where it turns through angles that no text in training had [rad]."""
    model, grown = moment.result, round(moment.past("beyond") * GROWTHS) / GROWTHS
    theta = model.new_theta if moment.phase == "extended" and moment.progress == 1 else model.theta
    spans = []
    for seen, angle, never in zip(model.theta.tolist(), theta.tolist(), model.never.tolist(), strict=True):
        start = min(TURN, TRAINED * seen)
        end = min(TURN, model.target * angle)
        spans.append((start, start + grown * (end - start) if never and end - start > 1e-9 else start))
    return spans


def arc(pen: Pen, key: str, middle: Point, start: float, end: float, radius: float, role: str) -> Mark:
    """A piece of a ring that leads on to the top: only how much of it shows changes, so that it grows smoothly."""
    drawn = round(min((end - start) / (TURN - start), 1), 3)
    return pen.path(key, _to_the_top(middle, start, radius), role, drawn=drawn)


@lru_cache(1 << 10)  # many states turn through the same angle
def _to_the_top(middle: Point, start: float, radius: float) -> tuple[Point, ...]:
    rest = TURN - start
    count = math.ceil(CORNERS * rest / TURN)
    return tuple([on_dial(middle, start + rest * step / count, radius) for step in range(count + 1)])


@lru_cache(PAIRS)  # of one model
def told(model: Rotary, pair: int) -> str:
    """What a clock says of its pair."""
    wave = float(model.waves[pair])
    tokens = significant(round(wave, 1 if wave < 100 else 0), 1)
    return f"pair {pair}: seen up to {degrees(model.seen(pair))}, λ is {tokens} tokens"
