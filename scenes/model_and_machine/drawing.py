"""The picture: a wire for each effect, on which a bead slides from what was predicted to what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain

from loom.draw import Box, Mark, Pen, headline, memoized, quantity
from loom.scene import Moment

from .effects import EFFECTS, KINDS, kind
from .model import WITHIN, Pair, stretched
from .story import View, by_kind, view

LEAST, MOST = 1 / 8, 2  # ratios at the ends of the scale
HALF = 4.5  # of a bead
THIN = "hot thin steady"
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

    @cached_property
    def rows(self) -> list[list[Box]]:
        """The rows of each kind of effects."""
        boxes, y = [], self.top
        for size in (sum(kind(effect) == name for effect in EFFECTS) for name in KINDS):
            boxes.append([Box(0, y + place * self.pitch, self.end, self.pitch) for place in range(size)])
            y += size * self.pitch + self.gap
        return boxes

    @property
    def wires(self) -> list[float]:
        return [row.y + row.height / 2 for rows in self.rows for row in rows]

    def x(self, ratio: float) -> float:
        low, most = stretched(LEAST), stretched(MOST)
        share = (stretched(min(max(ratio, LEAST), MOST)) - low) / (most - low)
        return self.left + share * (self.right - self.left)

    def edge(self, within: int) -> tuple[float, float]:
        """Where what still counts as agreement ends: the handle's place, above the rows."""
        return self.x(1 + within / 100), self.top - 8


NARROW = Stage(328, top=50.5, pitch=13, gap=0, left=196, right=316, end=328)
WIDE = Stage(840, top=39, pitch=14, gap=10, left=240, right=620, end=702)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    now = view(moment)
    yield from answer(stage, now)
    yield from agreement(stage, now)
    yield from scale(stage)
    yield stage.line("edge", stage.edge(now.edge)[0], stage.top - 8, stage.edge(now.edge)[0], stage.bottom, THIN)
    groups = by_kind(now.found)
    places = dict(zip((pair.effect.id for pairs in groups for pair in pairs), chain(*stage.rows), strict=True))
    for pair in now.found.pairs:  # painted in one order, wherever they stand
        name, telling = pair.effect.id, moment.phase != "chosen"
        yield from row(stage, places[name], pair, name == now.found.chosen.effect.id, name in now.come,
                       name in now.going, telling)  # fmt: skip
    for name, pairs, rows in zip(KINDS, groups, stage.rows, strict=True):
        if not now.listing or now.come.issuperset(pair.effect.id for pair in pairs):
            yield from kinds(stage, name, pairs, rows)
    yield from chosen(stage, places[now.found.chosen.effect.id], now)
    yield from handle(stage, now)


def role(close: bool) -> str:
    return "work" if close else "dropped"


def answer(stage: Stage, now: View) -> Iterator[Mark]:
    """How often machine and model agree, as far as beads have come."""
    found, y, every = now.found, stage.huge * 0.85, len(now.found.pairs)
    lines = stage.pick(("agree", found.far), (f"agree {found.far}, on an {found.part}",))
    yield from headline(stage, 0, y, f"{now.agree} of {every}", lines, "work", widest=[f"{every} of {every}"])


def agreement(stage: Stage, now: View) -> Iterator[Mark]:
    """What counts as agreement: behind all else."""
    low, high = stage.x(1 / (1 + now.edge / 100)), stage.x(1 + now.edge / 100)
    box = Box(low, stage.top, high - low, stage.bottom - stage.top)
    yield stage.rect("agreement", box, "cell steady", round=0)


@memoized
def scale(stage: Stage) -> Iterator[Mark]:
    """Where a half, the same and twice stand, a wire for each effect, and at 1 what was predicted of it."""
    yield stage.strokes("wires", ([(stage.left, y), (stage.right, y)] for y in stage.wires), "grid")
    ticks = {words: stage.x(ratio) for ratio, words in TICKS.items()}
    yield stage.strokes("ticks", ([(x, stage.bottom), (x, stage.bottom + 4)] for x in ticks.values()), "axis")
    for words, x in ticks.items():
        yield stage.text(f"tick-{words}", x, stage.bottom + 6 + stage.size, words, "note", anchor="middle")
    one, half = ticks["1×"], stage.pick(3, 4)
    yield stage.line("model", one, stage.top, one, stage.bottom + 4, "axis")
    yield stage.strokes("models", ([(one - half, y), (one + half, y)] for y in stage.wires), "data thick")
    if stage.narrow:
        ends = [rows[-1].bottom for rows in stage.rows[:-1]]
        yield stage.strokes("kinds", [[(0, end), (stage.width, end)] for end in ends], "axis soft")
    else:
        x, ends = stage.end + 3, [(rows[0].y + 1, rows[-1].bottom - 1) for rows in stage.rows]
        yield stage.strokes("sides", ([(x, y), (x + 5, y), (x + 5, end), (x, end)] for y, end in ends), "axis")
        yield stage.text("head", stage.right + 20, stage.bottom + 6 + stage.size, "measured ÷ predicted", "note")


def handle(stage: Stage, now: View) -> Iterator[Mark]:
    """The edge's handle; while it sweeps, it is not the reader's."""
    if now.sweeping:
        yield stage.circle("sweep", *stage.edge(now.edge), 6, "hot steady")
    else:
        rail = [stage.edge(within) for within in WITHIN]
        yield stage.knob("within", *stage.edge(now.edge), "within", rail, "how far apart still agrees")


def kinds(stage: Stage, name: str, pairs: Sequence[Pair], rows: Sequence[Box]) -> Iterator[Mark]:
    """How often machine and model agree in a kind of effects: beside it, or on a phone left in its last rows.

    There each word lies within a row, so that no frame goes through it. They end before the widest edge, so that no
    edge on its way does.
    """
    agree, top, end = f"{sum(pair.close for pair in pairs)} of {len(pairs)}", rows[0].y + 1, rows[-1].bottom - 1
    if stage.narrow:
        x = stage.x(1 / MOST) - 4
        for key, words, role, row in (("kind", name, "label", rows[-1]), ("agree", agree, "value strong", rows[-2])):
            y, role = row.y + row.height / 2, f"{role} halo answer"
            yield stage.text(f"{key}-{name}", x, y, words, role, anchor="end", middle=True)
        return
    x, y = stage.end + 20, (top + end) / 2 + stage.size
    yield stage.text(f"kind-{name}", x, y, name, "label answer")
    yield stage.text(f"agree-{name}", x, y - 1.1 * stage.size - 4, agree, "value strong answer", size=stage.large)


@cache  # most rows are the same in most pictures, whichever effect is chosen
def row(stage: Stage, box: Box, pair: Pair, chosen: bool, come: bool, going: bool, telling: bool) -> list[Mark]:
    """An effect: its name, which can be pressed, and a bead that leaves what was predicted.

    What went as expected need not be read, so its name is quiet; in the last chapter, which is what a reader sees who
    is to guess how many do, all names are but the chosen one.
    """
    name, y = pair.effect.id, box.y + box.height / 2
    predicted, measured = quantity(pair.predicted, pair.unit), quantity(pair.measured, pair.unit)
    told = f"{pair.effect.label}: expected {predicted}, measured {measured}"
    loud = chosen or (telling and come and not pair.close)
    tone = ("hot" if going else "label" if loud else "note") + " strong" * chosen
    small = stage.pick(stage.size, stage.smallest)
    marks = [stage.text(f"name-{name}", 4, y, pair.effect.label, tone, middle=True, size=small,
                        set={"effect": name}, label=f"{pair.effect.label}: expected {predicted}")]  # fmt: skip
    x, one = stage.x(pair.ratio if come or going else 1), stage.x(1)
    tone = role(pair.close) if come else "hot steady" if going else "data"
    if abs(stage.x(pair.ratio) - one) > HALF:
        gap = Box(min(one, x), y - 1.5, abs(x - one), 3)
        marks.append(stage.rect(f"gap-{name}", gap, f"{tone} answer", round=0))
    radius = stage.pick(3, 3.5) + (1 if come else 2 if going else 0)
    marks.append(stage.circle(f"dot-{name}", x, y, radius, f"{tone} answer", read=told if come else ""))
    if come and not pair.close and not stage.narrow:
        anchor, away = ("end", -10) if x < one else ("start", 10)
        marks.append(stage.text(f"came-{name}", x + away, y, f"{pair.ratio:.2f}×", "value answer", anchor=anchor,
                                middle=True, size=small))  # fmt: skip
    return marks


def chosen(stage: Stage, box: Box, now: View) -> Iterator[Mark]:
    """A frame around the effect that is looked at, and its two numbers beside what was predicted."""
    pair = now.found.chosen
    if now.rests:
        yield stage.rect("chosen", box, "hot outline")
    if pair.effect.id in now.come and not stage.narrow:
        predicted, measured = (quantity(one, pair.unit) for one in (pair.predicted, pair.measured))
        anchor, away = ("start", 10) if pair.ratio < 1 else ("end", -10)
        yield stage.text("from-to", stage.x(1) + away, box.y + box.height / 2, f"{predicted} → {measured}",
                         "value strong halo answer", anchor=anchor, middle=True, size=stage.smallest)  # fmt: skip
