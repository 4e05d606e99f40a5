"""A long sequence: a ring step's work and transfer over its length, and a layer's time in three ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loom.draw import Axis, Box, Mark, Pen, Plot, quantity

from .cost import Case

LENGTHS = tuple(2**power for power in range(11, 19))  # tokens
MILLI = 1e3
GROWS = 1.6  # [s] that the longest bar takes


def draw_plot(pen: Pen, case: Case) -> Iterator[Mark]:
    """Work and transfer of one step over the length of the sequence, with a knob on what the step takes."""
    box = pen.pick(Box(38, 62, 284, 110), Box(360, 32, 466, 136))
    x = Axis("tokens", span=(LENGTHS[0] / 2, LENGTHS[-1]), log=True, ticks=(2048, 8192, 32768, 131072))
    y = Axis("a ring step", "ms", (1e-3, 2e3), log=True, ticks=(0.01, 1, 100))
    plot = Plot(pen, box, x, y)
    yield from plot.axes()
    cases = [Case(case.layout, case.ranks, tokens) for tokens in LENGTHS]
    work, travel = [one.step_work * MILLI for one in cases], [one.step_transfer * MILLI for one in cases]
    edge, _ = plot.at(case.hides_from, 1)
    yield pen.line("edge", edge, box.y + pen.size, edge, box.bottom, "ghost")
    words = f"hides from {case.hides_from:,}" + pen.pick("", " tokens on")
    yield pen.text("edge-words", edge + 6, box.bottom - 7, words, "note")
    ends = LENGTHS[0], LENGTHS[-1]
    yield plot.curve("travel", ends, (travel[0], travel[-1]), "memory")
    yield plot.curve("work", ends, (work[0], work[-1]), "work")
    rail = [plot.at(tokens, max(pair)) for tokens, *pair in zip(LENGTHS, work, travel, strict=True)]
    hand = rail[LENGTHS.index(case.tokens)]
    yield from draw_curve_names(plot, work[-1], travel, hand)
    yield pen.knob("tokens", *hand, "tokens", rail)


def draw_curve_names(plot: Plot, work: float, travel: list[float], hand: tuple[float, float]) -> Iterator[Mark]:
    """Over the end of one curve, clear of the knob of the longest sequence, and under the end of the other."""
    pen, right = plot.pen, plot.box.right
    _, high = plot.at(LENGTHS[-1], work)
    words = pen.pick("arithmetic", "arithmetic of the slowest")
    yield pen.text("work-name", right - pen.knob_radius - 2, high - 8, words, "work strong", anchor="end")
    words = pen.pick("keys on their way", "keys and values on their way")
    (first, start), (last, end) = plot.at(LENGTHS[0], travel[0]), plot.at(LENGTHS[-1], travel[-1])
    wide = pen.text_width(words, strong=True)
    base = end + (start - end) * wide / (last - first) + pen.size + 1
    if hand[0] > right - wide - pen.knob_radius:  # under the knob
        base = max(base, hand[1] + pen.knob_radius + 0.7 * pen.size)
    yield pen.text("travel-name", right, base, words, "memory strong", anchor="end")


def draw_legend(pen: Pen, x: float, y: float, uneven: bool) -> Iterator[Mark]:
    """What the parts of a bar are, in their colours."""
    named = (("bare", "transfer"), ("equal", "equal shares"), ("extra", "extra of the slowest"))
    for part, words in named[: 3 if uneven else 2]:
        yield pen.text(f"legend-{part}", x, y, words, f"{ROLES[part]} strong")
        x += pen.text_width(words, strong=True) + 10


class Way(NamedTuple):
    """A way to bring queries and keys together: its time, what it is made of, and what a GPU sends."""

    key: str
    name: str
    bare: float  # transfers that nothing hides [s]
    equal: float  # the arithmetic in equal shares [s]
    extra: float  # what the fullest GPU has beyond it [s]
    sent: int  # [B]

    @property
    def ends(self) -> tuple[float, ...]:
        """When each part is done [s]."""
        return self.bare, self.bare + self.equal, self.time

    @property
    def time(self) -> float:
        return self.bare + self.equal + self.extra


def ways(case: Case) -> list[Way]:
    extra = case.work - case.ideal
    return [
        Way("ring", "ring", case.ring_time - case.work, case.ideal, extra, case.sent),
        Way("gather", "all-gather", case.transfer, case.ideal, extra, case.sent),
        Way("ulysses", "Ulysses", case.ulysses_time - case.ideal, case.ideal, 0.0, case.ulysses),
    ]


def stops(case: Case) -> list[float]:
    """From 0 on, the times at which a part of a bar ends: between two of them each bar grows at one place [s]."""
    ends = sorted(end for way in ways(case) for end in way.ends)
    found = [0.0]
    for end in ends:
        if end - found[-1] > ends[-1] / 50:  # a beat that is too short to see is none
            found.append(end)
    return [*found[:-1], ends[-1]]


def growing_beats(case: Case) -> list[float]:
    """When the bars begin to grow to each stop, and when the last has come to its end."""
    found = stops(case)
    return [0.0, *(0.1 + GROWS * stop / found[-1] for stop in found)]


def bars_box(pen: Pen) -> tuple[Box, float, float]:
    """The room of bars under the plot, of which names take so much, and what is told behind the bars so much."""
    return pen.pick((Box(0, 240, 328, 78), 70, 104), (Box(312, 238, 528, 88), 92, 136))


def draw_bars(pen: Pen, case: Case, beat: int) -> Iterator[Mark]:
    """A layer's time in each way, as far as it has come; its numbers are there when it is all."""
    box, names, after = bars_box(pen)
    yield from draw_legend(pen, box.x + pen.pick(0, names), box.y - 9, case.work > 1.005 * case.ideal)
    yield pen.text("sent-title", box.right, box.y - 9, "sent", "note", anchor="end")
    found = ways(case)
    longest, reached = max(way.time for way in found), stops(case)
    done = beat >= len(reached)
    now = longest if done else reached[beat]
    unit = (box.width - names - after) / longest
    for way, row in zip(found, box.rows(3, 5), strict=True):
        middle, at = row.y + row.height / 2, 0.0
        yield pen.text(f"way-{way.key}", row.x, middle, way.name, "label", middle=True)
        for part, length in (("bare", way.bare), ("equal", way.equal), ("extra", way.extra)):
            shown = min(max(now - at, 0), length)
            bit = Box(row.x + names + at * unit, row.y + 2, shown * unit, row.height - 4)
            at += length
            yield pen.rect(f"way-{way.key}-{part}", bit, f"{ROLES[part]} steady", round=0)
        if done:
            x = row.x + names + way.time * unit + 6
            yield pen.text(f"way-{way.key}-time", x, middle, quantity(way.time, "s"), "value strong", middle=True)
            yield pen.text(f"way-{way.key}-sent", box.right, middle, quantity(way.sent, "B"), "value", anchor="end",
                           middle=True)  # fmt: skip


ROLES = {"bare": "memory", "equal": "work", "extra": "dropped"}
