"""The numbers as columns, and the rungs of E2M1 that they go to, as high as the scale is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from loom.draw import Axis, Box, Mark, bracket, headline, memoized, number
from loom.scene import Moment

from .case import BF16_BYTES, HALF, PEAKS, SHOWN, Case
from .narration import bits, percent
from .stage import Stage

HEADS = {"scale": "÷ {}", "rounded": "÷ {}", "codes": "code", "error": "× {}"}
SEEN = 1.5  # less than a column moves by so much is no move to the eye
OVERHANG = 3.0  # the least of a clipped column that is hatched


def draw_ladder(stage: Stage, moment: Moment) -> Iterator[Mark]:
    if moment.since("scale"):
        yield from draw_rungs(stage)
    else:
        yield from draw_ticks(stage)
    yield from draw_columns(stage, moment)
    if moment.since("scale"):
        yield from draw_labels(stage, moment.phase)
    yield from draw_blocks(stage, moment.since("scale"))
    yield from draw_flags(stage, moment)
    yield from draw_answer(stage, moment)
    yield from draw_peak(stage)


@memoized
def draw_peak(stage: Stage) -> Iterator[Mark]:
    """The largest number is taken hold of where it was before it was rounded."""
    rail = [(stage.x(stage.case.top), stage.y(peak)) for peak in PEAKS]
    yield stage.pen.knob("peak", *rail[PEAKS.index(stage.case.peak)], "peak", rail, label="The largest number")


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the numbers take, and in its place, once they are rounded, what that costs."""
    pen, case = stage.pen, stage.case
    x, y = pen.pick((0.0, 22.0), (stage.side, 52.0))
    if not moment.since("rounded"):
        size, before = f"{case.bytes} bytes", pen.pick(f"not {BF16_BYTES}", f"not {BF16_BYTES} as in BF16")
        yield pen.text("takes", x, y, size, "value strong", size=pen.large)
        x += pen.pick(pen.text_width(size, size=pen.large, strong=True) + 8, 0)
        yield pen.text("instead", x, y + pen.pick(0, 22), before, "note")
    elif moment.past("rounded") == 1:
        lost, words = percent(case.error), "lost"
        room = pen.text_width(lost, size=pen.huge, strong=True) + 8
        x = pen.pick(pen.width - pen.text_width(words) - room, x)
        yield from headline(pen, x, y, lost, [words], "dropped", tone="note")


def draw_ticks(stage: Stage) -> Iterator[Mark]:
    """Before there is a scale: heights as they are read on any axis."""
    pen, box = stage.pen, stage.plot
    ticks = Axis("size", span=(0, PEAKS[-1])).tick_values(4)
    yield pen.strokes("ticks", ([(box.x, stage.y(tick)), (box.right, stage.y(tick))] for tick in ticks), "grid")
    for tick in ticks:
        yield pen.text(f"t{tick:g}", box.x - 6, stage.y(tick), number(tick), "note", anchor="end", middle=True)


@memoized
def draw_rungs(stage: Stage, key: str = "rungs", first: int = 1) -> Iterator[Mark]:
    """A line at every value that E2M1 has, times the scale of the block, as far as the picture goes."""
    halves = zip(stage.halves, stage.case.scales[[0, HALF]].tolist(), strict=True)
    lines = [[(edge, stage.y(rung * scale)) for edge in edges] for edges, scale in halves
             for rung in stage.rungs(scale)[first:]]  # fmt: skip
    yield stage.pen.strokes(key, lines, "axis thin soft")


def draw_columns(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Each number's size; from the rounding on, what is stored of it, with a tick where it was."""
    pen, case, box, phase = stage.pen, stage.case, stage.plot, moment.phase
    xs, was, now = stage.xs, stage.tops, stage.kept_tops
    done = round(SHOWN * moment.past("rounded"))
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
        ticks = (dashes([xs[at]], [was[at]], reach if at < done else 0) for at in moved)
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
def draw_labels(stage: Stage, phase: str) -> Iterator[Mark]:
    """Beside the rungs: their E2M1 value, then its code, then the value times the scale."""
    pen, case, box = stage.pen, stage.case, stage.plot
    yield from draw_sizes(stage, "r", phase)
    scale = float(case.scales[0])
    head = stage.y(stage.rungs(scale)[-1] * scale) - 1.15 * pen.size
    words = HEADS[phase].format("X" if stage.one else "scale")
    x, anchor = pen.pick((0.0, "start"), (box.x - 6, "end"))
    yield pen.text("rung-head", x, head, words, "note" if phase == "error" else "hot", anchor=anchor)


def draw_sizes(stage: Stage, key: str, phase: str) -> Iterator[Mark]:
    """Each rung's own, where they lie far enough apart."""
    pen, case, box = stage.pen, stage.case, stage.plot
    role = "hot" if phase == "codes" else "note"
    for side, (x, anchor) in enumerate([(box.x - 6, "end"), (box.right + 6, "start")][: 1 if stage.one else 2]):
        scale, last = float(case.scales[side * HALF]), -100.0
        for code, rung in sorted(enumerate(stage.rungs(scale)), reverse=True):
            y = stage.y(rung * scale)
            if y - last < pen.size * 0.9:
                continue
            last, words = y, number(rung * scale, 2) if phase == "error" else number(rung)
            if phase == "codes":
                words = bits(code, 3)
            yield pen.text(f"{key}{side}{code}", x, y, words, role, anchor=anchor, middle=True)


@memoized
def draw_blocks(stage: Stage, scaled: bool) -> Iterator[Mark]:
    """Which numbers share a scale."""
    pen, case, foot = stage.pen, stage.case, stage.plot.bottom + 13
    size = case.packed.size
    for block, scale in enumerate(case.packed.scales.tolist()):
        left = stage.x(block * size) - stage.pitch / 2
        right = stage.x((block + 1) * size - 1) + stage.pitch / 2
        words = str(size) if pen.narrow and scaled and not stage.one else f"{size} numbers"
        if scaled:
            words += f" share {'X = ' if stage.one else ''}{number(scale)}"
        yield from bracket(pen, f"block{block}", left + 1, right - 1, foot, words, depth=4)


def draw_flags(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Over the largest number of each block: what has become of it."""
    pen, case, phase = stage.pen, stage.case, moment.phase
    for block, at in enumerate(case.largest):
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
