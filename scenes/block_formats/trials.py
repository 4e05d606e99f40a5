"""The scale of MXFP4 is found: powers of two are tried as rulers, until the rule is content."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, memoized, number

from .model import LARGEST, RUNGS
from .narration import exponent_of, shortened
from .pace import TRIED
from .stage import Stage

LONGEST = TRIED[-1] * LARGEST  # the size at the end of the longest ruler


@memoized
def draw_trials(stage: Stage, beat: int) -> Iterator[Mark]:
    """A ruler of E2M1's sizes for each scale tried so far; a long tick is the rung that the rule holds against amax."""
    pen, case, box = stage.pen, stage.case, stage.rulers
    unit, step = box.width / LONGEST, box.height / len(TRIED)
    limit, asked = shortened(case), LARGEST if case.rule == "ceil" else 2.0 ** exponent_of(LARGEST)
    words = f"amax {number(case.peak)}" + (f", rounded {number(limit)}" if limit != case.peak else "")
    x = box.x + limit * unit
    yield pen.line("limit", x, box.y + 3, x, box.bottom, "hot")
    yield pen.text("limit-name", x, box.y - 2, words, "hot", anchor="middle")
    yield pen.text("scales", stage.panel.x, box.y - 2, "scale", "note")
    for row, scale in enumerate(TRIED[: beat + 1]):
        y, reach = box.y + (row + 0.5) * step, pen.pick(3.5, 5)
        chosen = beat >= len(TRIED) and scale == case.scales[0]
        ticks = [(box.x + rung * scale * unit, reach * (2 if rung == asked else 1)) for rung in RUNGS]
        lines = [[(box.x, y), (ticks[-1][0], y)], *([(at, y - tall), (at, y + tall)] for at, tall in ticks)]
        yield pen.strokes(f"ruler{row}", lines, "kept" if chosen else "axis")
        if chosen and case.clipped:
            beyond = Box(ticks[-1][0], y - reach, (case.peak - LARGEST * scale) * unit, 2 * reach)
            yield pen.hatch("cut", beyond, "dropped thin", gap=4)
        role = "hot strong" if chosen else "label"
        yield pen.text(f"ruler{row}-name", stage.panel.x, y, number(scale), role, middle=True)
        reaches = asked * scale >= limit if case.rule == "ceil" else asked * scale > limit
        sign = ("<", "≥")[reaches] if case.rule == "ceil" else ("≤", ">")[reaches]
        asks = f"{number(asked)} · {number(scale)} = {number(asked * scale)} {sign} {number(limit)}"
        yield pen.text(f"ruler{row}-asks", box.right + 10, y, asks, role, middle=True)
