"""One pair as a dial: the angles that training has shown, those that a longer text asks for, and one token's turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .._rope.dial import SLOW, Point, degrees, on_dial
from .._rope.rotation import TRAINED


def draw_dial(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    model, near = moment.result, moment.phase == "near"
    radius = pen.pick(40.0, 56.0)
    centre = box.x + radius + pen.pick(14, 6), box.y + box.height / 2
    pair = 0 if near else SLOW
    seen, reached = model.seen(pair), model.reached(pair)
    told = f"pair {pair}: training shows angles up to {degrees(seen)}"
    yield pen.circle(f"dial-{pair}", *centre, radius, "cell", read=told)
    if near:
        angle = float(model.theta[0]) * (moment.beat + 1 == moment.beats)
        yield _arc(pen, "turned", centre, 0, angle, radius, "hot thick")
        if angle:  # what neighbours would be told apart by if all were stretched
            yield pen.line("stretched", *centre, *on_dial(centre, angle / model.factor, radius - 4), "ghost")
    else:
        went = min(model.seen(pair), moment.past("waves") * seen)
        on = moment.past("beyond") * (reached - seen)
        angle = went + on
        yield _arc(pen, "seen", centre, 0, seen, radius, "work thick", went / seen)
        if on > 0:
            yield _arc(pen, "unseen", centre, seen, reached, radius, "dropped thick", on / (reached - seen))
    tip = on_dial(centre, angle, radius - 4)
    yield pen.line(f"arrow-{pair}", *centre, *tip, "hot")
    yield pen.circle(f"tip-{pair}", *tip, pen.pick(4, 5), "hot")
    x, y = centre[0] + radius + 20, centre[1] - pen.size
    texts = [(f"pair {pair}", "label strong")]
    if near:
        texts.append((f"{degrees(angle)} after one token" if angle else "at one token", "hot"))
        if angle:
            texts.append((f"{degrees(angle / model.factor)} if stretched {model.factor}×", "note"))
    else:
        texts.append((f"seen up to {degrees(seen)}", "work"))
        if moment.phase == "beyond":
            texts.append((f"new: up to {degrees(reached)}" if reached > seen else "nothing new", "dropped"))
        else:
            texts.append((f"in {TRAINED:,} tokens", "note"))
    for row, (words, role) in enumerate(texts):
        yield pen.text(f"dial-words-{row}", x, y + 1.35 * pen.size * row, words, role)


def _arc(
    pen: Pen, key: str, centre: Point, start: float, end: float, radius: float, role: str, drawn: float | None = None
) -> Mark:
    """An arc, always of as many points, so that it can grow; or so much of it as is drawn."""
    return pen.path(key, _places(centre, start, end, radius), role, drawn=drawn)


@lru_cache(1 << 6)  # an arc that grows keeps its points
def _places(centre: Point, start: float, end: float, radius: float) -> tuple[Point, ...]:
    places = (on_dial(centre, start + (end - start) * step / 30, radius) for step in range(31))
    return tuple([(round(x, 1), round(y, 1)) for x, y in places])
