"""The picture of one step: the weights with their sub-blocks, what is kept for each, or at last their bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from loom.draw import Box, Mark, number, plain
from loom.scene import Moment

from .bits import draw_ladder, draw_layout, draw_ledger, draw_weight
from .case import SHOWN, case_of
from .near import draw_near
from .stage import Stage, stage_of


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width, moment.result, moment.phase == "split")
    if moment.phase == "bytes":
        yield from draw_weight(stage)
        yield from draw_layout(stage)
        yield from draw_ladder(stage)
        return
    yield from draw_overview(stage, moment)
    yield from draw_near(stage, moment)
    yield from draw_ledger(stage, moment)


def draw_overview(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """All 256 weights in their sub-blocks, and under each sub-block what is kept for it, or what it has lost."""
    case, kind, frames = stage.case, stage.case.kind, stage.frames
    words = f"256 weights in {kind.blocks} {'sub-blocks' if kind.nested else 'blocks'} of {kind.size}"
    yield stage.text("head", stage.all.x, stage.size, words, "note")
    for at, frame in enumerate(frames):
        part = at * kind.size // SHOWN + 1
        label = f"show weights {(part - 1) * SHOWN} to {part * SHOWN - 1}"  # pressing shows them from near
        yield stage.rect(f"b{at}", frame, "cell", round=1, set={"part": part}, label=label)
    near = [sub.index for sub in case.shown]
    for at, mark in enumerate(weights(stage.width, case.name, case.data, moment.phase == "split")):
        yield mark._replace(role="hot thin") if at in near else mark
    ends = float(case.numbers.max()), float(case.numbers.min())
    for key, value, y in zip(("top", "low"), ends, stage.y(ends), strict=True):
        words = number(value, stage.pick(2, 3))
        yield stage.text(f"all-{key}", stage.all.x - 5, y, words, "note", anchor="end", middle=True)
    if moment.phase in ("ideal", "rounded", "coded"):
        yield from _kept(stage, moment)
    elif moment.phase == "decoded":
        top, last = stage.rows[0], stage.rows[-1]
        row, words = Box(top.x, top.y, top.width, last.bottom - top.y), [number(value, 2) for value in case.errors]
        yield from _bars(stage, row, "e", "error", case.errors, words, max(case.errors), "dropped", words_role="note")
    first, last = frames[near[0]], frames[near[-1]]
    yield stage.rect("frame", Box(first.x, first.y, last.right - first.x, first.height), "hot outline", round=1)
    pairs = (first.x, stage.near.x), (last.right, stage.near.right)
    legs = [[(above, first.bottom), (below, stage.near.y - stage.size - 14)] for above, below in pairs]
    yield stage.strokes("zoom", legs, "hot thin dashed")


@cache  # drawn once for all parts
def weights(width: float, name: str, data: str, split: bool) -> list[Mark]:
    """Every weight as a line from 0, one bundle for each sub-block."""
    stage = stage_of(width, case_of(name, data, 1), split)
    size, (zero, *ys) = stage.case.kind.size, stage.y([0, *stage.case.numbers.tolist()])
    xs = [frame.x + (at + 0.5) * frame.width / size for frame in stage.frames for at in range(size)]
    lines = [[(x, zero), (x, y)] for x, y in zip(xs, ys, strict=True)]
    blocks = [lines[at : at + size] for at in range(0, len(lines), size)]
    return [stage.strokes(f"w{at}", block, "axis thin") for at, block in enumerate(blocks)]


def _kept(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Scales and minima as bars: first as the search left them, then rounded."""
    subs, rounded, coded = stage.case.subs, moment.since("rounded"), moment.phase == "coded"
    for which, (row, key, name) in enumerate(zip(stage.rows, "sm", ("scale", "min"), strict=False)):
        ideal, kept = [sub.ideal[which] for sub in subs], [sub.kept[which] for sub in subs]
        values = kept if rounded else ideal
        words = [number(value, 2) for value in values]
        if rounded and stage.case.kind.nested:
            words = [plain(sub.counts[which]) for sub in subs]
        role = "note" if coded else "hot strong"
        if stage.narrow and coded:  # there a phone has the codes to show
            role = ""
        yield from _bars(stage, row, key, name, values, words, max(map(abs, ideal + kept)), "series-2",
                         was=ideal if moment.phase == "rounded" else (), words_role=role)  # fmt: skip


def _bars(stage: Stage, row: Box, key: str, name: str, values: Sequence[float], words: Sequence[str], most: float,
          role: str, was: Sequence[float] = (), words_role: str = "") -> Iterator[Mark]:  # fmt: skip
    """A bar for each sub-block, from a middle line if some go down, and its number where there is room.

    A tick marks where each end `was`. Without `words_role` no numbers are written.
    """
    frames, near = stage.frames, {sub.index for sub in stage.case.shown}
    fits = stage.room(words) <= frames[0].width
    plot = row.inset(top=3, bottom=stage.size + 3 if fits else 3)
    middle = plot.y + plot.height / 2
    base, full = (middle, plot.height / 2) if min(values) < 0 else (plot.bottom, plot.height)
    yield stage.text(f"{key}-name", stage.all.x - 5, middle, name, "label", anchor="end", middle=True)
    yield stage.line(f"{key}-base", row.x, base, row.right, base, "axis thin")
    for at, (value, box) in enumerate(zip(values, frames, strict=True)):
        long, inset = full * abs(value) / most if most else 0.0, box.width * 0.3
        bar = Box(box.x + inset, base - (long if value >= 0 else 0), box.width - 2 * inset, max(long, 1.0))
        yield stage.rect(f"{key}{at}", bar, role if at in near else f"{role} soft", round=0)
        if fits and words_role:
            tone = words_role if at in near else "note"
            yield stage.text(f"{key}{at}-n", box.x + box.width / 2, row.bottom - 3, words[at], tone, anchor="middle")
    if was:
        ends = [(box, base - full * value / most) for box, value in zip(frames, was, strict=True)]
        lines = [[(box.x + 0.2 * box.width, y), (box.right - 0.2 * box.width, y)] for box, y in ends]
        yield stage.strokes(f"{key}-was", lines, "data thin")
