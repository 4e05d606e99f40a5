"""The picture of one step: the weights with their sub-blocks, what is kept for each, or at last their bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from loom.draw import Box, Mark, count, memoized, number, significant
from loom.scene import Moment

from .bits import draw_ledger, draw_types
from .case import PARTS, SHOWN, case_of
from .data import DATA
from .near import draw_near
from .pace import cut_off, found, with_minimum
from .stage import Stage, stage_of
from .stored import draw_bytes, draw_errors


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width, moment.result)
    yield from draw_overview(stage, cut_off(moment))
    if moment.phase == "split":
        yield from draw_cut(stage, moment)
    yield from weights(stage.width, stage.case.name, stage.case.data)
    if moment.since("ideal"):
        rounded = round(moment.past("rounded") * len(stage.case.subs))
        yield from _kept(stage, rounded, moment.since("coded"), found(moment), with_minimum(moment))
    if moment.past("rounded") == 1 and stage.case.kind.nested:
        yield from _shared(stage)
    if moment.phase == "bytes":
        yield from draw_bytes(stage, moment)
    yield from draw_near(stage, moment)
    yield from draw_ledger(stage, moment)
    if moment.phase == "decoded":
        yield from draw_errors(stage, moment)
    yield from draw_types(stage, moment.past("coded") == 1)
    yield from draw_window(stage)


@memoized
def draw_overview(stage: Stage, cut: int) -> Iterator[Mark]:
    """The grounds of the sub-blocks, and how many of them are cut off."""
    case, kind, frames = stage.case, stage.case.kind, stage.frames
    words = (
        f"256 weights: {count(cut, 'sub-block' if kind.nested else 'block')} of {kind.size}" if cut else "256 weights"
    )
    yield stage.text("head", stage.all.x, stage.all.y - stage.pick(6, 9), words, "note")
    for at, frame in enumerate(frames):
        told = f"weights {at * kind.size} to {(at + 1) * kind.size - 1}"
        yield stage.rect(f"b{at}", frame, "cell soft", round=1, read=told)
    ends = float(case.numbers.max()), float(case.numbers.min())
    for key, value, y in zip(("top", "low"), ends, stage.y(ends), strict=True):
        words = number(value, stage.pick(2, 3))
        yield stage.text(f"all-{key}", stage.all.x - 5, y, words, "note", anchor="end", middle=True)


def draw_cut(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What is not cut yet, in one piece, and the cut at its end; in the last picture neither is there."""
    frames, at = stage.frames, cut_off(moment, ahead=1)
    first, end = frames[0], frames[-1].right
    x = first.x if not at else end if at == len(frames) else (frames[at - 1].right + frames[at].x) / 2
    if moment.progress < 1:
        yield stage.rect("uncut", Box(x, first.y, end - x, first.height), "cell steady", round=0)
        yield stage.rect("cut", Box(x - 1, first.y - 3, 2, first.height + 6), "hot steady", round=0)


@memoized
def _shared(stage: Stage) -> Iterator[Mark]:
    """What all sub-blocks share: a line as wide as they are, and the numbers that it stands for."""
    under, packed = stage.all, stage.case.packed
    named = {"d": packed.d} | ({"dmin": packed.dmin} if stage.case.kind.min_bits else {})
    words = ", ".join(name + stage.pick("", f" = {number(float(of[0, 0]))}") for name, of in named.items())
    yield stage.rect("shared", Box(under.x, under.y - 3, under.width, 3), "data", round=0)
    yield stage.text("shared-name", under.right, under.y - stage.pick(6, 9), words, "value strong", anchor="end")


@memoized
def draw_window(stage: Stage) -> Iterator[Mark]:
    """Which weights are seen from near: a frame that can be moved along all of them."""
    count = SHOWN // stage.case.kind.size
    firsts = [stage.frames[(part - 1) * count : part * count] for part in PARTS]
    rail = [((found[0].x + found[-1].right) / 2, found[0].bottom + stage.pick(11, 12)) for found in firsts]
    found, near = firsts[stage.case.part - 1], stage.near
    first, last = found[0], found[-1]
    yield stage.rect("frame", Box(first.x, first.y, last.right - first.x, first.height), "hot outline", round=1)
    head = near.y - stage.size - 12
    legs = [[(first.x, first.bottom), (near.x, head)], [(last.right, first.bottom), (near.right, head)]]
    yield stage.strokes("zoom", legs, "hot thin dashed")
    if stage.case.data in DATA:  # in the others all sub-blocks are alike
        yield stage.knob("part", *rail[stage.case.part - 1], "part", rail, label="Weights seen from near")


@cache  # drawn once for all parts
def weights(width: float, name: str, data: str) -> list[Mark]:
    """Every weight as a line from 0, whole units long and apart: one bundle for each sub-block.

    On a phone a line stands for two weights: from the one to the other, or to 0 if both are on one side of it.
    """
    stage = stage_of(width, case_of(name, data, 1))
    each, kind, (zero, *ys) = stage.pick(2, 1), stage.case.kind, stage.y([0, *stage.case.numbers.tolist()])
    count = kind.size // each
    apart = stage.frames[0].width / count // 1
    starts = [round(frame.x + (frame.width - apart * count) / 2) for frame in stage.frames]
    xs = [start + (at + 0.5) * apart for start in starts for at in range(count)]
    high = [zero - round(zero - y) for y in ys]
    ends = [(max(zero, *some), min(zero, *some)) for some in zip(*(high[at::each] for at in range(each)), strict=True)]
    if each == 1:
        ends = [(zero, y) for y in high]
    lines = [[(x, low), (x, top)] for x, (low, top) in zip(xs, ends, strict=True)]
    blocks = [lines[at : at + count] for at in range(0, len(lines), count)]
    return [stage.strokes(f"w{at}", block, "axis thin") for at, block in enumerate(blocks)]


@memoized
def _kept(stage: Stage, done: int, coded: bool, *there: tuple[int, ...]) -> Iterator[Mark]:
    """Scales and minima as bars, under each sub-block what is kept for it: as the search left them, or rounded.

    Those of sub-blocks that are not `there` yet have no length.
    Once it is about codes, only the sub-blocks that are seen from near keep their numbers.
    """
    subs = stage.case.subs
    for which, (row, key, name) in enumerate(zip(stage.rows, "sm", ("scale", "min"), strict=False)):
        ideal = [sub.ideal[which] for sub in subs]
        kept = [sub.kept[which] for sub in subs]
        words = [number(value, 2) for value in ideal]
        words[:done] = [significant(sub.counts[which]) if sub.kind.nested else number(sub.kept[which], 2)
                        for sub in subs[:done]]  # fmt: skip
        most = max(map(abs, ideal + kept))
        yield from _bars(stage, row, key, name, kept[:done] + ideal[done:], words, most, there[which], coded)


def _bars(stage: Stage, row: Box, key: str, name: str, values: Sequence[float], words: Sequence[str], most: float,
          there: Sequence[int], few: bool) -> Iterator[Mark]:  # fmt: skip
    """A bar for each sub-block, from a middle line if some go down, and its number if that fits; `few` are named."""
    frames, near = stage.frames, {sub.index for sub in stage.case.shown}
    fits = stage.text_width(words) <= frames[0].width
    plot = row.inset(top=2, bottom=stage.size + 2 if fits else 2)
    middle = plot.y + plot.height / 2
    base, full = (middle, plot.height / 2) if min(values) < 0 else (plot.bottom, plot.height)
    yield stage.text(f"{key}-name", stage.all.x - 5, row.y + row.height / 2, name, "label", anchor="end", middle=True)
    yield stage.line(f"{key}-base", row.x, base, row.right, base, "axis thin")
    for at, (value, box) in enumerate(zip(values, frames, strict=True)):
        long, inset = full * abs(value) / most if most and at in there else 0.0, box.width * 0.3
        tall = max(long, 1.0) if at in there else 0.0
        bar = Box(box.x + inset, base - (long if value >= 0 else 0), box.width - 2 * inset, tall)
        told = f"{name} of sub-block {at}: {number(value)}" if at in there else ""
        yield stage.rect(f"{key}{at}", bar, "memory" if at in near else "memory soft", round=0, read=told)
        if fits and at in there and (at in near or not few):
            tone = "value strong" if at in near else "note"
            yield stage.text(f"{key}{at}-n", box.x + box.width / 2, row.bottom - 4, words[at], tone, anchor="middle")
