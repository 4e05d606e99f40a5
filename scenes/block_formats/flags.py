"""The largest number of each block: the lid that finds it, what is said of it, and what all of it costs."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, memoized, number
from loom.scene import Moment

from .case import BF16_BYTES, PEAKS, SHOWN, Case
from .narration import bits, percent
from .pace import COUNTED, FEWER, reached, rounded
from .stage import Stage


@memoized
def draw_peak(stage: Stage) -> Iterator[Mark]:
    """The largest number is taken hold of where it was before it was rounded."""
    rail = [(stage.x(stage.case.top), stage.y(peak)) for peak in PEAKS]
    yield stage.pen.knob("peak", *rail[PEAKS.index(stage.case.peak)], "peak", rail, label="The largest number")


def draw_lids(stage: Stage, down: bool) -> Iterator[Mark]:
    """A line over each block comes down until it lies on the largest number."""
    for block, at in enumerate(stage.case.largest):
        left, right = (stage.plot.x, stage.plot.right) if stage.one else stage.halves[block]
        y = stage.tops[at] if down else stage.y(PEAKS[-1]) - stage.pen.pick(12, 22)
        yield stage.pen.line(f"lid{block}", left, y, right, y, "hot thin steady")


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the numbers take, and in its place, once they are rounded, what that costs."""
    pen, case = stage.pen, stage.case
    x, y = pen.pick((0.0, 22.0), (stage.side, 52.0))
    if not reached(moment, "amax", COUNTED):
        return
    if not moment.since("rounded"):
        size, before = f"{case.bytes} bytes", pen.pick(f"not {BF16_BYTES}", f"not {BF16_BYTES} as in BF16")
        yield pen.text("takes", x, y, size, "value strong", size=pen.large)
        x += pen.pick(pen.text_width(size, size=pen.large, strong=True) + 8, 0)
        yield pen.text("instead", x, y + pen.pick(0, 22), before, "note")
    elif moment.past("rounded") == 1:
        lost, words = percent(case.error), pen.pick(f"lost over all {SHOWN}", "lost")
        room = pen.text_width(lost, size=pen.huge, strong=True) + 8
        x = pen.pick(pen.width - pen.text_width(words) - room, x)  # on a phone beside what is said of the largest
        yield from headline(pen, x, y, lost, [words], "dropped", tone="note")


def draw_flags(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Over the largest number of each block, once it is found: what has become of it."""
    pen, case = stage.pen, stage.case
    if not reached(moment, "amax", FEWER):
        return
    for block, at in enumerate(case.largest):
        phase = moment.phase if at < rounded(moment) else "scale"
        was, back = abs(float(case.numbers[at])), abs(float(case.decoded[at]))
        size = back if moment.past("rounded") == 1 else was
        if at in (case.top, *case.clipped) or phase in ("rounded", "error"):
            size = max(was, back)
        off = {"rounded": 0.05 * was < was - back, "error": abs(back - was) > 0.005 * was}
        words = flag(case, at, phase)
        half = pen.text_width(words, strong=True) / 2
        end = pen.width if stage.one else stage.plot.right  # there the rungs of the second block have their names
        x = min(max(stage.x(at), half + max(stage.plot.x, 46)), end - half)
        role = "dropped strong halo" if off.get(phase) else "hot strong halo"
        role += " answer" * (moment.past("rounded") == 1)
        yield pen.text(
            f"flag{block}", x, stage.y(size) - (pen.pick(18, 19) if at == case.top else 6), words, role, anchor="middle"
        )


def flag(case: Case, at: int, phase: str) -> str:
    """The largest number, phase by phase."""
    value, back, element = float(case.numbers[at]), float(case.decoded[at]), number(float(case.elements[at]))
    if phase in ("amax", "scale"):
        return f"amax {number(abs(value))}"
    if phase == "rounded":
        return f"{number(float(case.scaled[at]))} → {element}{', clipped' if at in case.clipped else ''}"
    if phase == "codes":
        return f"{element} is {bits(case.codes[at])}"
    return "exact" if back == value else f"{percent(100 * abs(back / value - 1))} off"
