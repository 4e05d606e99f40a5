"""The picture: a row for each effect, where what was measured leaves what was predicted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from loom.draw import Box, Mark, Pen, headline, quantity
from loom.scene import Moment

from .effects import KINDS, kind
from .model import WITHIN, Comparison, Pair

LEAST, MOST = 1 / 8, 2  # ratios at the ends of the scale
TICKS = {1 / 8: "⅛", 1 / 4: "¼", 1 / 2: "½", 1: "1×", 2: "2×"}


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: rows from `top` on, and the scale from `left` to `right`."""

    top: float
    pitch: float
    left: float
    right: float

    def row(self, place: int) -> Box:
        return Box(0, self.top + place * self.pitch, self.width, self.pitch)

    def x(self, ratio: float) -> float:
        low, most = stretched(LEAST), stretched(MOST)
        share = (stretched(min(max(ratio, LEAST), MOST)) - low) / (most - low)
        return self.left + share * (self.right - self.left)

    def edge(self, within: int) -> tuple[float, float]:
        """Where what still counts as agreement ends: the handle's place, above the rows."""
        return self.x(1 + within / 100), self.top - 8


def stretched(ratio: float) -> float:
    """The root of how many halves or doubles it is: a percent can be seen beside a factor of two."""
    octaves = math.log2(ratio)
    return math.copysign(math.sqrt(abs(octaves)), octaves)


NARROW = Stage(328, top=50.5, pitch=13, left=196, right=316)
WIDE = Stage(840, top=44.5, pitch=15, left=236, right=600)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    found: Comparison = moment.result
    asked = found.pairs[: round(moment.past("listed") * len(found.pairs))]
    yield from answer(stage, found, asked)
    yield from scale(stage, found)
    order = found.pairs
    if moment.phase == "sorted":
        order = tuple(sorted(order, key=lambda pair: (KINDS.index(kind(pair.effect)), pair.ratio)))
        yield from kinds(stage, order)
    places = {pair.effect.id: stage.row(place) for place, pair in enumerate(order)}
    now = found.chosen if asked == found.pairs else asked[-1]
    yield stage.rect("chosen", places[now.effect.id], "hot outline")
    for pair in found.pairs:
        yield from row(
            stage, places[pair.effect.id], pair, pair is found.chosen and asked == found.pairs, pair in asked
        )


def role(close: bool) -> str:
    return "work" if close else "dropped"


def answer(stage: Stage, found: Comparison, asked: tuple[Pair, ...]) -> Iterator[Mark]:
    """How often machine and model agree, among those that were asked so far."""
    words, y = f"{sum(pair.close for pair in asked)} of {len(asked)}", stage.huge * 0.85
    lines = stage.pick(("agree", found.far), (f"agree {found.far}, on an {found.part}",))
    yield from headline(stage, 0, y, words, lines, "work", widest=[f"{len(found.pairs)} of {len(found.pairs)}"])


def scale(stage: Stage, found: Comparison) -> Iterator[Mark]:
    """Where a half, the same and twice stand, and what counts as agreement, with an edge to take hold of."""
    bottom, most = stage.row(len(found.pairs)).y, 1 + found.within / 100
    rules = [stage.row(place) for place in range(1, len(found.pairs))]
    yield stage.strokes("rules", ([(row.x, row.y), (row.right, row.y)] for row in rules), "grid")
    low, high = stage.x(1 / most), stage.x(most)
    yield stage.rect("agreement", Box(low, stage.top, high - low, bottom - stage.top), "cell", round=0)
    ticks = {words: stage.x(ratio) for ratio, words in TICKS.items()}
    yield stage.strokes("ticks", ([(x, stage.top), (x, bottom + 4)] for x in ticks.values()), "grid")
    for words, x in ticks.items():
        yield stage.text(f"tick-{words}", x, bottom + 6 + stage.size, words, "note", anchor="middle")
    one, half = ticks["1×"], stage.pick(3, 4)
    yield stage.line("model", one, stage.top, one, bottom + 4, "axis")
    middles = [row.y - stage.pitch / 2 for row in (*rules, stage.row(len(found.pairs)))]
    spots = ([(one - half, y), (one + half, y)] for y in middles)
    yield stage.strokes("models", spots, "data thick")  # each stands at 1, whichever row is its own
    yield stage.line("edge", high, stage.top - 8, high, bottom, "hot thin")
    rail = [stage.edge(within) for within in WITHIN]
    yield stage.knob("within", *stage.edge(found.within), "within", rail, "how far apart still agrees")
    if not stage.narrow:
        for end, words in ((stage.width - 102, "predicted"), (stage.width - 4, "measured")):
            yield stage.text(f"head-{words}", end, stage.top - 6, words, "note", anchor="end")


def kinds(stage: Stage, order: tuple[Pair, ...]) -> Iterator[Mark]:
    """How often machine and model agree in each kind of effects, left of its last rows, where no line comes."""
    end, cuts = 0, []
    for name in KINDS:
        pairs = [pair for pair in order if kind(pair.effect) == name]
        end += len(pairs)
        y = stage.row(end).y
        cuts.append([(0, y), (stage.width, y)])
        agree = f"{sum(pair.close for pair in pairs)} of {len(pairs)}"
        yield stage.text(f"kind-{name}", stage.left, y - 5, name, "label halo answer")
        yield stage.text(f"agree-{name}", stage.left, y - 5 - 1.1 * stage.size, agree, "value strong halo answer",
                         size=stage.large)  # fmt: skip
    yield stage.strokes("kinds", cuts[:-1], "axis")


def row(stage: Stage, box: Box, pair: Pair, chosen: bool, asked: bool) -> Iterator[Mark]:
    """An effect: its name, which can be pressed, a dot where what was predicted stands, and one that leaves it."""
    name, y = pair.effect.id, box.y + box.height / 2
    predicted, measured = quantity(pair.predicted, pair.unit), quantity(pair.measured, pair.unit)
    told = f"{pair.effect.label}: expected {predicted}, measured {measured}"
    tone = "label strong" if chosen else "label"
    yield stage.text(f"name-{name}", 4, y, pair.effect.label, tone, middle=True, set={"effect": name},
                     label=f"{pair.effect.label}: expected {predicted}")  # fmt: skip
    x = stage.x(pair.ratio if asked else 1)  # until it is measured, both stand in one place
    kind, size = (role(pair.close), 1.0) if asked else ("data", 0.0)
    yield stage.line(f"gap-{name}", stage.x(1), y, x, y, f"{kind} thick answer")
    yield stage.circle(f"dot-{name}", x, y, stage.pick(3, 3.5) + size, f"{kind} answer", read=told if asked else "")
    if not stage.narrow:
        yield stage.text(f"expected-{name}", stage.width - 102, y, predicted, "value", anchor="end", middle=True)
        if asked:
            yield stage.text(f"came-{name}", stage.width - 4, y, measured, "value strong answer", anchor="end",
                             middle=True)  # fmt: skip
