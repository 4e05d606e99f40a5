"""Where things stand: how loud the channels are, the scale beside them, their values close to zero, and the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from loom.draw import Box, Mark, Pen

from .ladder import SPAN
from .model import LOUD, SHOWN, STRENGTHS, TOKENS, case
from .stems import Field

TALLEST = case("INT8", "none", STRENGTHS[-1]).largest  # as tall as the stage: one measure for all, so that bars move


@dataclass(frozen=True)
class Stage:
    """The places of the picture, from left to right: bars, the scale, the field; what it costs at their side."""

    pen: Pen

    @cached_property
    def heading(self) -> float:
        """The baseline over bars and field."""
        return self.pen.pick(70, 14)

    @cached_property
    def towers(self) -> Box:
        """Where the bars stand, one for each drawn channel."""
        return self.pen.pick(Box(0, 80, 72, 188), Box(0, 26, 144, 288))

    @cached_property
    def comb(self) -> Box:
        """Where the scale stands that has all the format's values, as tall as what it reaches."""
        return self.pen.pick(Box(77, 80, 9, 188), Box(158, 26, 14, 288))

    @cached_property
    def field(self) -> Field:
        return Field(self.pen, self.pen.pick(Box(116, 80, 208, 188), Box(226, 26, 416, 288)), SPAN, TOKENS // 2)

    @cached_property
    def answer(self) -> tuple[float, float]:
        """Where the large number begins, and its baseline."""
        return self.pen.pick((0, 43), (self.field.box.right + 24, self.field.zero - 18))

    def height(self, value: float) -> float:
        """How tall a magnitude is beside the bars."""
        return (self.towers.height - 12) * value / TALLEST  # a knob on the tallest is clear of the heading

    def bar(self, channel: int, value: float) -> Box:
        box, each = self.towers, self.towers.width / SHOWN
        tall = max(self.height(value), 1.0)
        return Box(box.x + (channel + 0.15) * each, box.bottom - tall, 0.7 * each, tall)

    def floor(self) -> Mark:
        box = self.towers
        return self.pen.line("floor", box.x, box.bottom, self.comb.right, box.bottom)

    def scale(self, reach: float, count: int) -> Iterator[Mark]:
        """The values that can be kept, all of them, stretched from 0 to what the scale reaches."""
        x, _, width, _ = self.comb
        tall = self.height(reach)
        if reach:
            below = self.towers.bottom + 1.2 * self.pen.size
            yield self.pen.text("count", x + width, below, f"{count} values", "memory", anchor="end")
        yield self.pen.rect("scale", Box(x, self.towers.bottom - tall, width, tall), "memory", round=0)

    def loud(self) -> Mark:
        """Beside the values that end beyond the field, whose they are."""
        x = self.field.places(LOUD + 1)[0]
        return self.pen.text("a-loud", x, self.field.box.y + 1.1 * self.pen.size, "loud", "note halo")

    def lens(self) -> Iterator[Mark]:
        """From the foot of the scale to the upper half of the field, which shows the same values enlarged."""
        box, field = self.towers, self.field
        near, far = self.comb.right + 3, field.box.x - self.pen.pick(16, 20)
        foot = box.bottom - self.height(field.span)
        lines = [[(near, foot), (far, field.box.y)], [(near, box.bottom), (far, field.zero)]]
        yield self.pen.strokes("lens", lines, "ghost thin")


@lru_cache(maxsize=2)  # the same in all pictures
def stage_of(width: float) -> Stage:
    return Stage(Pen(width))
