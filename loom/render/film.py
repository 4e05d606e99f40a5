"""A scene as a film: the sequence of pictures that the player shows, with the motion between them.

The times are those of `static/player/play.js`, the motion that of `static/css/scenes.css`: a mark with the same key
moves and changes its colour gradually; removed marks fade out before new ones fade in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from loom.draw.svg import Element
from loom.scenes.frames import NUMBER, DataFile

PACE, READING, HOLD, LONGEST = 420, 24, 900, 24_000  # milliseconds
LEAVING, COMING = 120, 320  # milliseconds until removed marks are gone, and until new marks are opaque
STILL = frozenset(["font-size", "pathLength", "rx"])  # attributes that change at once
DRAWN = frozenset(["ghost", "outline", "soft", "solid"])  # they change more than a colour, and so at once
LETTERS = re.compile("[A-Za-z]")
Marks = Mapping[int, Element]


class Cut(NamedTuple):
    """A picture of the story: the time in which steady marks reach it, and its duration until the next."""

    marks: Marks
    gap: float
    lasts: float


class Moment(NamedTuple):
    """A picture of the film, and its duration in milliseconds."""

    marks: Sequence[Element]
    lasts: float


def story(file: DataFile, key: str, said: Sequence[str], step: int | None = None) -> list[Cut]:
    """The pictures of a variant in the order and with the times of the player; only those of `step`, if given."""
    steps = [step] if step else range(1, len(said) + 1)
    beats = {number: file.times(key, number) for number in steps}
    motions = {number: sum(beats[number]) for number in steps}
    holds = {number: max(HOLD, READING * len(said[number - 1]) - motions[number]) - PACE for number in steps}
    room = max(0, LONGEST - sum(motions.values()) - PACE * len(holds))
    share = min(1, room / sum(holds.values()))
    cuts: list[Cut] = []
    for number in steps:
        first, *others = beats[number]
        gaps = [*others, 0]
        if cuts:  # a chapter may begin with what the one before it ended with
            cuts[-1] = cuts[-1]._replace(lasts=cuts[-1].lasts + first)
        for beat, gap in enumerate(gaps):
            lasts = gap if beat < len(gaps) - 1 else PACE + holds[number] * share
            cuts.append(Cut(file.keyed(key, number, beat), gap or beats[number][beat] or PACE, lasts))
    return cuts


def moments(cuts: Sequence[Cut], tick: float) -> Iterator[Moment]:
    """The pictures of the film: one for each tick while marks move, and a single one for each rest."""
    before: Marks | None = None
    for cut in cuts:
        settled = max(cut.gap, COMING) if before is not None and before != cut.marks else 0
        at = 0.0
        while at < min(settled, cut.lasts):
            lasts = min(tick, cut.lasts - at)
            at += lasts
            yield Moment(list(between(before or {}, cut.marks, at, cut.gap)), lasts)
        if cut.lasts > at:
            yield Moment(list(cut.marks.values()), cut.lasts - at)
        before = cut.marks


def between(before: Marks, after: Marks, at: float, gap: float) -> Iterator[Element]:
    """The marks at a time between two pictures, in painting order."""
    share = eased(min(1, at / min(PACE, gap)))
    for place in sorted(before.keys() | after.keys()):
        old, new = before.get(place), after.get(place)
        if new and old and old.tag == new.tag and _alike(old, new):
            part = min(1, at / gap) if "steady" in {*new.roles} else share
            yield from _turned(old, _moved(old, new, part), part)
            continue
        if old and at < LEAVING:
            yield _faded(old, 1 - at / LEAVING)
        if new and at > LEAVING:
            covers = {"cell", "steady"} <= {*new.roles}  # one that faded in would show what it covers
            yield new if covers else _faded(new, min(1, (at - LEAVING) / (COMING - LEAVING)))


def eased(time: float) -> float:
    """The share of the way at a share of the time: CSS's `cubic-bezier(0.4, 0, 0.2, 1)`."""
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        across = 3 * (1 - middle) ** 2 * middle * 0.4 + 3 * (1 - middle) * middle**2 * 0.2 + middle**3
        low, high = (middle, high) if across < time else (low, middle)
    return 3 * (1 - low) * low**2 + low**3


def _alike(old: Element, new: Element) -> bool:
    """Whether two paths have the same commands, and can be interpolated."""
    one, other = (LETTERS.findall(str(mark.attributes.get("d", ""))) for mark in (old, new))
    return one == other


def _moved(old: Element, new: Element, share: float) -> Element:
    was = old.attributes
    shape = {name: value if name in STILL else _part(was.get(name, value), value, share)
            for name, value in new.attributes.items()}  # fmt: skip
    if "d" in shape and shape["d"] != was.get("d"):
        shape["d"] = _path(str(was["d"]), str(shape["d"]), share)
    return Element(new.tag, shape, new.words)


def _turned(old: Element, moved: Element, share: float) -> Iterator[Element]:
    """A mark between two colours: the new one over the old one, with the opacity of a single mark together."""
    was, now = (" ".join(mark.roles) for mark in (old, moved))
    if was == now or share > 0.999 or DRAWN.intersection(old.roles) != DRAWN.intersection(moved.roles):
        yield moved
        return
    whole = float(moved.attributes.get("opacity", 1))
    for name, opacity in ((was, whole * (1 - share) / (1 - whole * share)), (now, whole * share)):
        yield Element(moved.tag, {**moved.attributes, "class": name, "opacity": round(opacity, 3)}, moved.words)


def _part(old: Any, new: Any, share: float) -> Any:
    """A number between two; other values change at once."""
    if isinstance(new, (int, float)) and isinstance(old, (int, float)):
        return round(old + (new - old) * share, 2)
    return new


def _path(old: str, new: str, share: float) -> str:
    """A path between two with the same commands."""
    numbers = [[float(one) for one in NUMBER.findall(path)] for path in (old, new)]
    parts = iter([_part(one, other, share) for one, other in zip(*numbers, strict=True)])
    return NUMBER.sub(lambda _: f" {next(parts)}", new)  # with a space: a minus sign may have been the separator


def _faded(mark: Element, share: float) -> Element:
    opacity = float(mark.attributes.get("opacity", 1)) * share
    return Element(mark.tag, {**mark.attributes, "opacity": round(opacity, 3)}, mark.words)
