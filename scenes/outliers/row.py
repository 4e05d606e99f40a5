"""Where things stand in one half of the stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from loom.draw import Box, Mark, Pen

from .model import LOUD, SHOWN, STRENGTHS, TOKENS, Case, case
from .stems import Field
from .trial import Trial, size

TALLEST = case("INT8", "none", STRENGTHS[-1]).largest  # as tall as a row: one scale for all, so that a tower can grow


@dataclass(frozen=True)
class Row:
    """The places of one half of the stage: how loud the channels are, their values close to zero, and the answer."""

    pen: Pen
    key: str
    at: int
    trial: Trial

    @cached_property
    def heading(self) -> float:
        """The baseline over the fields."""
        return self.at * self.pen.pick(153, 169) + self.pen.pick(43, 13)

    @cached_property
    def towers(self) -> Box:
        """Where the bars stand, one for each drawn channel."""
        top = self.heading + self.pen.pick(8, 12)
        return self.pen.pick(Box(0, top, 84, 89), Box(0, top, 186, 132))

    @cached_property
    def field(self) -> Field:
        box = self.towers
        place = self.pen.pick(Box(110, box.y, 216, box.height), Box(222, box.y, 424, box.height))
        return Field(self.pen, self.key, place, self.trial.span, TOKENS // 2)

    def bar(self, channel: int, value: float) -> Box:
        box, each = self.towers, self.towers.width / SHOWN
        tall = max((box.height - 12) * value / TALLEST, 1.0)  # a knob on the tallest is clear of the heading
        return Box(box.x + (channel + 0.15) * each, box.bottom - tall, 0.7 * each, tall)

    def floor(self) -> Iterator[Mark]:
        box = self.towers
        yield self.pen.line(f"{self.key}-floor", box.x, box.bottom, box.right, box.bottom)

    def steps(self, one: Case) -> Mark:
        """How far apart the values that can be kept lie, over the field; those of a float are closer near 0."""
        words = f"steps of {size(one.step)}" if one.fmt == "INT8" else f"first step {size(one.step)}"
        if one.fmt == "E4M3":
            words = self.pen.pick("finer near 0", "steps shrink towards 0")
        return self.pen.text(f"{self.key}-step", self.field.box.right, self.heading, words, "label", anchor="end")

    def loud(self) -> Mark:
        """Beside the values that end beyond the field, whose they are."""
        x = self.field.places(LOUD + 1)[0]
        return self.pen.text(f"{self.key}-loud", x, self.field.box.y + 0.5 * self.pen.size, "loud", "note halo")

    def lens(self) -> Iterator[Mark]:
        """From the foot of the bars to the upper half of the field, which shows the same values enlarged."""
        box, field = self.towers, self.field
        foot = box.bottom - (box.height - 12) * field.span / TALLEST
        near, far = box.right + 2, field.box.x - 17
        lines = [[(near, foot), (far, field.box.y)], [(near, box.bottom), (far, field.zero)]]
        yield self.pen.strokes(f"{self.key}lens", lines, "ghost thin")


@lru_cache(maxsize=2)  # the same in all steps
def rows_of(width: float, trial: Trial) -> tuple[Row, Row]:
    """Both halves of the stage: before the cure, and after it."""
    return Row(Pen(width), "a", 0, trial), Row(Pen(width), "b", 1, trial)
