"""The numbers as columns, and the rungs of E2M1 that they go to, as high as the scale is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from loom.draw import Axis, Box, Mark, bracket, memoized, number
from loom.scene import Moment

from .case import HALF, PEAKS, SHOWN, Case
from .flags import draw_answer, draw_flags, draw_lids, draw_peak
from .narration import bits
from .pace import DOWN, decided, reached, rounded, share
from .stage import Stage

HEADS = {"scale": "÷ scale", "rounded": "÷ scale", "codes": "code", "error": "× scale"}
SEEN = 1.5  # less than a column moves by so much is no move to the eye
OVERHANG = 3.0  # the least of a clipped column that is hatched


def draw_ladder(stage: Stage, moment: Moment) -> Iterator[Mark]:
    scaled = moment.since("scale")
    part = share(stage.case, moment.beat) if moment.phase == "scale" else 1.0
    if scaled:
        yield from draw_rungs(stage, part=part)
    else:
        yield from draw_ticks(stage)
    yield from draw_columns(stage, moment)
    if scaled and (stage.one or part == 1):
        yield from draw_labels(stage, moment.phase, part)
    yield from draw_blocks(stage, part if scaled and (stage.one or decided(moment)) else 0.0)
    if moment.phase in ("amax", "scale"):
        yield from draw_lids(stage, reached(moment, "amax", DOWN))
    yield from draw_flags(stage, moment)
    yield from draw_answer(stage, moment)
    yield from draw_peak(stage)


def draw_ticks(stage: Stage) -> Iterator[Mark]:
    """Before there is a scale: heights as they are read on any axis."""
    pen, box = stage.pen, stage.plot
    ticks = Axis("size", span=(0, PEAKS[-1])).tick_values(4)
    yield pen.strokes("ticks", ([(box.x, stage.y(tick)), (box.right, stage.y(tick))] for tick in ticks), "grid")
    for tick in ticks:
        yield pen.text(f"t{tick:g}", box.x - 6, stage.y(tick), number(tick), "note", anchor="end", middle=True)


@memoized
def draw_rungs(stage: Stage, key: str = "rungs", first: int = 1, part: float = 1.0) -> Iterator[Mark]:
    """A line at every value that E2M1 has, times the scale of the block, or a part of it, as far as the picture goes.

    Those that will have left the picture are a mark of their own, so that the others can move.
    """
    lines: tuple[list[list[tuple[float, float]]], ...] = ([], [])
    for edges, scale in zip(stage.halves, stage.case.scales[[0, HALF]].tolist(), strict=True):
        last = len(stage.rungs(scale))
        for at, rung in enumerate(stage.rungs(scale * part)[first:], first):
            lines[at >= last].append([(edge, stage.y(rung * scale * part)) for edge in edges])
    yield stage.pen.strokes(key, lines[0], "axis thin soft")
    if lines[1] and part:
        yield stage.pen.strokes(f"{key}-over", lines[1], "axis thin soft")


def draw_columns(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Each number's size; from the rounding on, what is stored of it, with a tick where it was."""
    pen, case, box, phase = stage.pen, stage.case, stage.plot, moment.phase
    xs, was, now = stage.xs, stage.tops, stage.kept_tops
    done = rounded(moment)
    if phase == "rounded":  # what is left to see while a prediction waits: every number as it was given
        yield pen.strokes("given", [[(x, box.bottom), (x, y)] for x, y in zip(xs, was, strict=True)], "data")
    now = [*now[:done], *was[done:]]
    hot, calm, told = hot_of(case, phase), "kept soft" if phase == "error" else "kept", stage.told
    for at, (x, top) in enumerate(zip(xs, now, strict=True)):
        role = ("hot" if at in hot else calm if at < done else "data") + " answer" * (done == SHOWN)
        column = Box(x - stage.bar / 2, top, stage.bar, box.bottom - top)
        yield pen.rect(f"n{at}", column, role, round=0, read=told[at])
    for at in [one for one in case.clipped if one < done and phase != "error"]:
        if now[at] - was[at] >= OVERHANG:  # what a column loses because there is no rung above 6
            beyond = Box(xs[at] - stage.bar / 2, was[at], stage.bar, now[at] - was[at])
            yield pen.rect(f"over-{at}", beyond, "dropped outline answer", round=0)
            yield pen.hatch(f"over-{at}-hatch", beyond, "dropped thin answer", gap=4)
    if phase == "error":
        lost = [[(x, high), (x, low)] for x, high, low in zip(xs, was, now, strict=True)]
        yield pen.strokes("lost", lost, "dropped thick")
    if phase in ("rounded", "error"):
        moved = [at for at in range(SHOWN) if abs(stage.kept_tops[at] - was[at]) > SEEN]
        reach = stage.bar / 2 + 2
        ticks = (dashes([xs[at]], [was[at]], reach) for at in moved)
        yield pen.strokes("was", chain.from_iterable(ticks), "data thin")
    yield pen.line("base", box.x, box.bottom, box.right, box.bottom, "axis")
    if phase == "codes":  # before, only sizes matter
        below = [x for x, value in zip(xs, case.numbers, strict=True) if value < 0]
        yield pen.strokes("minus", dashes(below, [box.bottom + 6] * SHOWN, 0.3 * stage.bar + 0.5), "data thin")


def dashes(xs: list[float], ys: list[float], reach: float) -> list[list[tuple[float, float]]]:
    """Short lines about places."""
    return [[(x - reach, y), (x + reach, y)] for x, y in zip(xs, ys, strict=False)]


def hot_of(case: Case, phase: str) -> Sequence[int]:
    """The numbers that a phase is about."""
    return {"codes": case.pair(case.top)[1:], "error": ()}.get(phase, case.largest)


@memoized
def draw_labels(stage: Stage, phase: str, part: float = 1.0) -> Iterator[Mark]:
    """Beside the rungs: their E2M1 value, then its code, then the value times the scale."""
    pen, case, box = stage.pen, stage.case, stage.plot
    yield from draw_sizes(stage, "r", phase, part)
    scale = float(case.scales[0]) * part
    head = stage.y(stage.rungs(scale)[-1] * scale) - 1.15 * pen.size
    words = HEADS[phase]
    if pen.narrow:  # clear of the knob
        head = min(head, stage.y(case.peak) - pen.knob_radius + 2)
    x, anchor = pen.pick((0.0, "start"), (box.x - 6, "end"))
    yield pen.text("rung-head", x, head, words, "note" if phase == "error" else "hot", anchor=anchor)


def draw_sizes(stage: Stage, key: str, phase: str, part: float = 1.0) -> Iterator[Mark]:
    """Each rung's own, where they lie far enough apart."""
    pen, case, box = stage.pen, stage.case, stage.plot
    role = "hot" if phase == "codes" else "note"
    for side, (x, anchor) in enumerate([(box.x - 6, "end"), (box.right + 6, "start")][: 1 if stage.one else 2]):
        scale, last = float(case.scales[side * HALF]) * part, -100.0
        for code, rung in sorted(enumerate(stage.rungs(scale)), reverse=True):
            y = stage.y(rung * scale)
            if y - last < pen.size * 0.9:
                continue
            last, words = y, number(rung * scale, 2) if phase == "error" else number(rung)
            if phase == "codes":
                words = bits(code, 3)
            yield pen.text(f"{key}{side}{code}", x, y, words, role, anchor=anchor, middle=True)


@memoized
def draw_blocks(stage: Stage, part: float) -> Iterator[Mark]:
    """Which numbers share a scale, and this, or the part of it that is tried; 0 before there is one."""
    pen, case, foot = stage.pen, stage.case, stage.plot.bottom + 13
    size = case.packed.size
    for block, scale in enumerate(case.packed.scales.tolist()):
        left = stage.x(block * size) - stage.pitch / 2
        right = stage.x((block + 1) * size - 1) + stage.pitch / 2
        words = str(size) if pen.narrow and part and not stage.one else f"{size} numbers"
        if part:
            words += f" share {'the scale ' if stage.one else ''}{number(scale * part)}"
        yield from bracket(pen, f"block{block}", left + 1, right - 1, foot, words, depth=4)
