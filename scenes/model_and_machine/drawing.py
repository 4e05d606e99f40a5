"""The picture: a row for each effect, with a dot where measured over predicted stands, by halves and doubles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loom.draw import Axis, Box, Mark, Pen, quantity
from loom.scene import Moment

from .model import Comparison, Pair

RATIOS = Axis("measured over model", "×", span=(1 / 8, 2), log=True, clip=True)
TICKS = {1 / 8: "⅛", 1 / 4: "¼", 1 / 2: "½", 1: "as predicted", 2: "2×"}


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
        return self.left + RATIOS.share(ratio) * (self.right - self.left)


NARROW = Stage(328, top=40, pitch=15, left=206, right=318)
WIDE = Stage(840, top=42, pitch=15, left=250, right=600)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    found: Comparison = moment.result
    yield from answer(stage, found)
    yield from scale(stage, len(found.pairs))
    order = sorted(found.pairs, key=lambda pair: pair.ratio) if moment.phase == "sorted" else found.pairs
    places = {pair.effect.id: stage.row(place) for place, pair in enumerate(order)}
    yield stage.rect("chosen", places[found.chosen.effect.id], "hot outline")
    for close in (True, False):
        gaps = [gap(stage, places[pair.effect.id], pair) for pair in found.pairs if pair.close == close]
        yield stage.strokes(f"gaps-{close}", gaps, f"{role(close)} thick answer")
    for pair in found.pairs:
        yield from row(stage, places[pair.effect.id], pair, pair is found.chosen)


def role(close: bool) -> str:
    return "work" if close else "dropped"


def gap(stage: Stage, box: Box, pair: Pair) -> tuple[tuple[float, float], ...]:
    """From what was predicted to what was measured."""
    y = box.y + box.height / 2
    return (stage.x(1), y), (stage.x(pair.ratio), y)


def answer(stage: Stage, found: Comparison) -> Iterator[Mark]:
    """How often machine and model agree."""
    words = f"{found.close} of {len(found.pairs)}"
    yield stage.text("answer", 0, stage.huge * 0.85, words, "work strong answer", size=stage.huge)
    x = stage.room(words, size=stage.huge, strong=True) + 10
    lines = stage.pick(("agree within", "a tenth"), (f"agree within a tenth, on an {found.part}",))
    for at, line in enumerate(lines):
        yield stage.text(
            f"answer-{at}", x, stage.huge * 0.85 - (len(lines) - 1 - at) * 1.15 * stage.size, line, "label answer"
        )


def scale(stage: Stage, rows: int) -> Iterator[Mark]:
    """Where a half, the same and twice stand, and what counts as agreement."""
    bottom = stage.row(rows).y
    low, high = stage.x(1 / 1.1), stage.x(1.1)
    yield stage.rect("agreement", Box(low, stage.top, high - low, bottom - stage.top), "cell", round=0)
    for ratio, words in TICKS.items():
        x = stage.x(ratio)
        yield stage.line(f"tick-{words}", x, stage.top, x, bottom + 4, "axis" if ratio == 1 else "grid")
        yield stage.text(f"tick-{words}-words", x, bottom + 6 + stage.size, "1×" if ratio == 1 else words, "note",
                         anchor="middle")  # fmt: skip


def row(stage: Stage, box: Box, pair: Pair, chosen: bool) -> Iterator[Mark]:
    """An effect: its name, which can be pressed, a dot for its ratio, and where there is room both numbers."""
    name, y = pair.effect.id, box.y + box.height / 2
    predicted, measured = quantity(pair.predicted, pair.unit), quantity(pair.measured, pair.unit)
    told = f"{pair.effect.label}: expected {predicted}, measured {measured}"
    tone = "label strong" if chosen else "label"
    yield stage.text(f"name-{name}", 4, y, pair.effect.label, tone, middle=True, set={"effect": name}, label=told)
    yield stage.circle(f"dot-{name}", stage.x(pair.ratio), y, stage.pick(4, 4.5), f"{role(pair.close)} answer",
                       read=told)  # fmt: skip
    if not stage.narrow:
        words = f"{predicted} → {measured}"
        yield stage.text(f"numbers-{name}", stage.width - 4, y, words, "value answer", anchor="end", middle=True)
