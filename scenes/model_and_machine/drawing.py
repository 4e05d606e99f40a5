"""The picture: a row for each effect, where what was measured leaves what was predicted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loom.draw import Box, Mark, Pen, headline, quantity
from loom.scene import Moment

from .effects import EFFECTS, KINDS, kind
from .model import WITHIN, Comparison, Pair

LEAST, MOST = 1 / 8, 2  # ratios at the ends of the scale
TICKS = {1 / 8: "⅛", 1 / 4: "¼", 1 / 2: "½", 1: "1×", 2: "2×"}


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: rows from `top` on, and the scale from `left` to `right`."""

    top: float
    pitch: float
    gap: float  # between rows of two kinds
    left: float
    right: float
    end: float  # of the rows; beside them, on a wide stage, stands what they come to

    @property
    def bottom(self) -> float:
        return self.top + len(EFFECTS) * self.pitch + (len(KINDS) - 1) * self.gap

    def rows(self, sizes: Sequence[int]) -> list[list[Box]]:
        """The rows of groups of these sizes; a single group has all the height."""
        pitch = (self.bottom - self.top - (len(sizes) - 1) * self.gap) / sum(sizes)
        boxes, y = [], self.top
        for size in sizes:
            boxes.append([Box(0, y + place * pitch, self.end, pitch) for place in range(size)])
            y += size * pitch + self.gap
        return boxes

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


NARROW = Stage(328, top=50.5, pitch=13, gap=0, left=196, right=316, end=328)
WIDE = Stage(840, top=40.5, pitch=14.5, gap=6, left=212, right=636, end=696)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    found: Comparison = moment.result
    asked = found.pairs[: round(moment.past("listed") * len(found.pairs))]
    groups = by_kind(found) if moment.phase == "sorted" else [found.pairs]
    boxes = stage.rows([len(group) for group in groups])
    yield from answer(stage, found, asked)
    yield from scale(stage, found, [box for group in boxes for box in group])
    places = {pair.effect.id: box for pairs, rows in zip(groups, boxes, strict=True)
              for pair, box in zip(pairs, rows, strict=True)}  # fmt: skip
    now = found.chosen if asked == found.pairs else asked[-1]
    if moment.phase == "sorted":
        yield from kinds(stage, groups, boxes)
    elif not stage.narrow:
        yield from came(stage, now)
    if asked == found.pairs:
        yield stage.rect("chosen", places[now.effect.id], "hot outline")
    else:  # on its way down, a frame would strike through the words that it passes
        yield stage.rect("asked", places[now.effect.id], "hot soft")
    for pair in found.pairs:
        chosen = pair is found.chosen and asked == found.pairs
        yield from row(stage, places[pair.effect.id], pair, chosen, pair in asked)


def by_kind(found: Comparison) -> list[tuple[Pair, ...]]:
    """The effects of each kind in the order of their ratios."""
    ordered = sorted(found.pairs, key=lambda pair: pair.ratio)
    return [tuple(pair for pair in ordered if kind(pair.effect) == name) for name in KINDS]


def role(close: bool) -> str:
    return "work" if close else "dropped"


def answer(stage: Stage, found: Comparison, asked: tuple[Pair, ...]) -> Iterator[Mark]:
    """How often machine and model agree, among those that were asked so far."""
    words, y = f"{sum(pair.close for pair in asked)} of {len(asked)}", stage.huge * 0.85
    lines = stage.pick(("agree", found.far), (f"agree {found.far}, on an {found.part}",))
    yield from headline(stage, 0, y, words, lines, "work", widest=[f"{len(found.pairs)} of {len(found.pairs)}"])


def scale(stage: Stage, found: Comparison, rows: Sequence[Box]) -> Iterator[Mark]:
    """Where a half, the same and twice stand, and what counts as agreement, with an edge to take hold of."""
    bottom, most = stage.bottom, 1 + found.within / 100
    rules = ((one.bottom + other.y) / 2 for one, other in pairwise(rows))
    yield stage.strokes("rules", ([(0, y), (stage.end, y)] for y in rules), "grid")
    low, high = stage.x(1 / most), stage.x(most)
    yield stage.rect("agreement", Box(low, stage.top, high - low, bottom - stage.top), "cell", round=0)
    ticks = {words: stage.x(ratio) for ratio, words in TICKS.items()}
    yield stage.strokes("ticks", ([(x, stage.top), (x, bottom + 4)] for x in ticks.values()), "grid")
    for words, x in ticks.items():
        yield stage.text(f"tick-{words}", x, bottom + 6 + stage.size, words, "note", anchor="middle")
    one, half = ticks["1×"], stage.pick(3, 4)
    yield stage.line("model", one, stage.top, one, bottom + 4, "axis")
    spots = ([(one - half, row.y + row.height / 2), (one + half, row.y + row.height / 2)] for row in rows)
    yield stage.strokes("models", spots, "data thick")  # each stands at 1, whichever row is its own
    yield stage.line("edge", high, stage.top - 8, high, bottom, "hot thin")
    rail = [stage.edge(within) for within in WITHIN]
    yield stage.knob("within", *stage.edge(found.within), "within", rail, "how far apart still agrees")
    if not stage.narrow:
        yield stage.text("head", stage.right + 20, bottom + 6 + stage.size, "measured ÷ predicted", "note")


def came(stage: Stage, pair: Pair) -> Iterator[Mark]:
    """What was expected of the effect that is asked for, and what came."""
    x, y = stage.end + 20, stage.top + 18
    numbers = (("predicted", pair.predicted, "label"), ("measured", pair.measured, f"{role(pair.close)} answer"))
    for words, number, tone in numbers:
        yield stage.text(f"now-{words}-words", x, y, words, "note")
        yield stage.text(f"now-{words}", x, y + 26, quantity(number, pair.unit), f"{tone} strong", size=stage.large)
        y += 70


def kinds(stage: Stage, groups: Sequence[Sequence[Pair]], boxes: Sequence[Sequence[Box]]) -> Iterator[Mark]:
    """How often machine and model agree in each kind of effects: beside it, or left in its last rows on a phone."""
    ends = [rows[-1].bottom for rows in boxes]
    for name, pairs, rows, end in zip(KINDS, groups, boxes, ends, strict=True):
        agree = f"{sum(pair.close for pair in pairs)} of {len(pairs)}"
        x, y = stage.left, end - 5
        if not stage.narrow:
            x, y = stage.end + 20, (rows[0].y + end) / 2 + stage.size
            side = [(stage.end + 3, rows[0].y + 1), (stage.end + 8, rows[0].y + 1)]
            side += [(stage.end + 8, end - 1), (stage.end + 3, end - 1)]
            yield stage.path(f"side-{name}", side, "axis")
        yield stage.text(f"kind-{name}", x, y, name, "label halo answer")
        yield stage.text(f"agree-{name}", x, y - 1.1 * stage.size - stage.pick(0, 4), agree,
                         "value strong halo answer", size=stage.large)  # fmt: skip
    if stage.narrow:
        yield stage.strokes("kinds", [[(0, end), (stage.width, end)] for end in ends[:-1]], "axis")


def row(stage: Stage, box: Box, pair: Pair, chosen: bool, asked: bool) -> Iterator[Mark]:
    """An effect: its name, which can be pressed, a dot where what was predicted stands, and one that leaves it."""
    name, y = pair.effect.id, box.y + box.height / 2
    predicted, measured = quantity(pair.predicted, pair.unit), quantity(pair.measured, pair.unit)
    told = f"{pair.effect.label}: expected {predicted}, measured {measured}"
    tone = "label strong" if chosen else "label"
    small = stage.pick(stage.size, stage.smallest)
    yield stage.text(f"name-{name}", 4, y, pair.effect.label, tone, middle=True, size=small, set={"effect": name},
                     label=f"{pair.effect.label}: expected {predicted}")  # fmt: skip
    x = stage.x(pair.ratio if asked else 1)  # until it is measured, both stand in one place
    kind, size = (role(pair.close), 1.0) if asked else ("data", 0.0)
    yield stage.line(f"gap-{name}", stage.x(1), y, x, y, f"{kind} thick answer")
    yield stage.circle(f"dot-{name}", x, y, stage.pick(3, 3.5) + size, f"{kind} answer", read=told if asked else "")
    if asked and not stage.narrow:
        words = f"{pair.ratio:.2f}×"
        yield stage.text(f"came-{name}", stage.end - 4, y, words, f"{tone.replace('label', 'value')} answer",
                         anchor="end", middle=True, size=small)  # fmt: skip
