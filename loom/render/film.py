"""A scene in time: its pictures as they follow one another while the player plays, marks on their way among them.

The times are those of `static/player/play.js`, the motion that of `static/css/scenes.css`: a mark with the same key
moves from where it was and turns to its new colour, one that goes is gone before one that is new comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from loom.draw.svg import Element
from loom.scenes.frames import DataFile

PACE, READING, HOLD, LONGEST = 420, 24, 900, 24_000  # milliseconds
LEAVING, COMING = 120, 320  # until what goes is gone, and what is new is there
STILL = frozenset(["font-size", "pathLength", "rx"])
DRAWN = frozenset(["ghost", "outline", "soft", "solid"])  # not by colour alone: between these a mark changes at once
LETTERS = re.compile("[A-Za-z]")
NUMBER = re.compile(r"-?\d*\.?\d+")
Marks = Mapping[int, Element]


class Cut(NamedTuple):
    """A picture that is come to: how long steady marks take to get there, and how long it is until the next."""

    marks: Marks
    gap: float
    lasts: float


class Moment(NamedTuple):
    """What is to be seen for so many milliseconds."""

    marks: Sequence[Element]
    lasts: float


def story(file: DataFile, key: str, said: Sequence[str], step: int | None = None) -> list[Cut]:
    """The pictures of a variant in the order and with the times of the player; of one step, if it is named."""
    beats = file.variant(key).get("beats") or [[0]] * len(said)
    steps = [step] if step else range(1, len(said) + 1)
    motions = {number: sum(beats[number - 1]) for number in steps}
    holds = {number: max(HOLD, READING * len(said[number - 1]) - motions[number]) - PACE for number in steps}
    room = max(0, LONGEST - sum(motions.values()) - PACE * len(holds))
    share = min(1, room / sum(holds.values()))
    cuts = []
    for number in steps:
        gaps = [*beats[number - 1][1:], 0]
        for beat, gap in enumerate(gaps):
            lasts = gap if beat < len(gaps) - 1 else PACE + holds[number] * share
            cuts.append(Cut(file.keyed(key, number, beat), gap or beats[number - 1][beat] or PACE, lasts))
    return cuts


def moments(cuts: Sequence[Cut], tick: float) -> Iterator[Moment]:
    """What is to be seen, a moment after the other: each tick of the clock while marks move, the whole of a rest."""
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
    """The marks so many milliseconds on their way from one picture to another, in the order of painting."""
    share = eased(min(1, at / min(PACE, gap)))
    for place in sorted(before.keys() | after.keys()):
        old, new = before.get(place), after.get(place)
        if new and old and old.tag == new.tag and _alike(old, new):
            steady = "steady" in str(new.attributes.get("class", "")).split()
            part = min(1, at / gap) if steady else share
            yield from _turned(old, _moved(old, new, part), part)
            continue
        if old and at < LEAVING:
            yield _faded(old, 1 - at / LEAVING)
        if new and at > LEAVING:
            yield _faded(new, min(1, (at - LEAVING) / (COMING - LEAVING)))


def eased(time: float) -> float:
    """How far a mark is on its way: CSS's `cubic-bezier(0.4, 0, 0.2, 1)`."""
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        across = 3 * (1 - middle) ** 2 * middle * 0.4 + 3 * (1 - middle) * middle**2 * 0.2 + middle**3
        low, high = (middle, high) if across < time else (low, middle)
    return 3 * (1 - low) * low**2 + low**3


def _alike(old: Element, new: Element) -> bool:
    """A path that is built otherwise can't move."""
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
    """A mark on its way to another colour: the new one over the old, which together let through as much as one."""
    was, now = (str(mark.attributes.get("class", "")) for mark in (old, moved))
    if was == now or share > 0.999 or DRAWN & set(was.split()) != DRAWN & set(now.split()):
        yield moved
        return
    whole = float(moved.attributes.get("opacity", 1))
    for name, opacity in ((was, whole * (1 - share) / (1 - whole * share)), (now, whole * share)):
        yield Element(moved.tag, {**moved.attributes, "class": name, "opacity": round(opacity, 3)}, moved.words)


def _part(old: Any, new: Any, share: float) -> Any:
    """A number between two; what is none is there at once."""
    if isinstance(new, (int, float)) and isinstance(old, (int, float)):
        return round(old + (new - old) * share, 2)
    return new


def _path(old: str, new: str, share: float) -> str:
    """A path between two of the same letters."""
    numbers = [[float(one) for one in NUMBER.findall(path)] for path in (old, new)]
    parts = iter([_part(one, other, share) for one, other in zip(*numbers, strict=True)])
    return NUMBER.sub(lambda _: f" {next(parts)}", new)  # what was parted by a sign may have lost it


def _faded(mark: Element, share: float) -> Element:
    opacity = float(mark.attributes.get("opacity", 1)) * share
    return Element(mark.tag, {**mark.attributes, "opacity": round(opacity, 3)}, mark.words)
