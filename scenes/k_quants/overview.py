"""All 256 weights in their sub-blocks, and under each sub-block what is kept for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark

from .case import CODED, DECODED, IDEAL, ROUNDED, SHOWN, State
from .stage import Stage
from .words import number, signed


def draw_overview(stage: Stage, state: State) -> Iterator[Mark]:
    yield from _frames(stage, state)
    yield from _weights(stage, state)
    if IDEAL <= state.step <= CODED:
        yield from _kept(stage, state)
    elif state.step == DECODED:
        yield from _errors(stage, state)
    yield from _zoom(stage, state)


def _frames(stage: Stage, state: State) -> Iterator[Mark]:
    """A ground for each sub-block: pressing it shows its weights from near."""
    pen, kind = stage.pen, state.case.kind
    words = f"256 weights in {kind.blocks} {'sub-blocks' if kind.nested else 'blocks'} of {kind.size}"
    yield pen.text("head", stage.all.x, pen.size, words, "note")
    foot = stage.foot_of_frames
    for at, box in enumerate(stage.subs):
        part = at * kind.size // SHOWN + 1
        whole = Box(box.x, box.y, box.width, foot - box.y)
        label = f"show weights {(part - 1) * SHOWN} to {part * SHOWN - 1}"
        yield pen.rect(f"b{at}", whole, "cell", round=1, set={"part": part}, label=label)


def _weights(stage: Stage, state: State) -> Iterator[Mark]:
    """Every weight as a line from 0, one bundle for each sub-block."""
    pen, case, zero = stage.pen, state.case, stage.y(0)
    size = case.kind.size
    near = {sub.index for sub in case.shown}
    for at in range(case.kind.blocks):
        lines = [[(stage.x(one), zero), (stage.x(one), stage.y(float(case.numbers[one])))]
                 for one in range(at * size, (at + 1) * size)]  # fmt: skip
        yield pen.strokes(f"w{at}", lines, f"{'hot' if at in near else 'axis'} thin")
    for key, value in (("top", case.numbers.max()), ("low", case.numbers.min())):
        words = number(float(value), 2 if pen.narrow else 3)
        yield pen.text(f"all-{key}", stage.left - 5, stage.y(float(value)), words, "note", anchor="end", middle=True)


def _kept(stage: Stage, state: State) -> Iterator[Mark]:
    """Scales and minima as bars: first as the search left them, then rounded."""
    subs, rounded = state.case.subs, state.step > IDEAL
    for which, (key, name) in enumerate((("s", "scale"), ("m", "min"))[: len(stage.rows)]):
        values = [(sub.kept if rounded else sub.ideal)[which] for sub in subs]
        counts = [sub.counts[which] for sub in subs]
        nested = rounded and state.case.kind.nested
        words = [signed(count) for count in counts] if nested else [number(value, 2) for value in values]
        most = max(abs(value) for sub in subs for value in (sub.ideal[which], sub.kept[which]))
        yield from _bars(stage, state, stage.rows[which], key, name, values, words, most, "series-2",
                         [sub.ideal[which] for sub in subs] if state.step == ROUNDED else ())  # fmt: skip


def _errors(stage: Stage, state: State) -> Iterator[Mark]:
    """What each sub-block has lost."""
    case, top, last = state.case, stage.rows[0], stage.rows[-1]
    row = Box(top.x, top.y, top.width, last.bottom - top.y)
    words = [number(value, 2) for value in case.errors]
    yield from _bars(stage, state, row, "e", "error", case.errors, words, max(case.errors), "dropped")


def _bars(stage: Stage, state: State, row: Box, key: str, name: str, values: Sequence[float], words: Sequence[str],
          most: float, role: str, was: Sequence[float] = ()) -> Iterator[Mark]:  # fmt: skip
    """A bar for each sub-block, from a middle line if some go down, and its number where there is room.

    A tick marks where each end `was`.
    """
    pen, near = stage.pen, {sub.index for sub in state.case.shown}
    fits = pen.room(words) <= stage.subs[0].width
    plot = row.inset(top=3, bottom=pen.size + 3 if fits else 3)
    down = any(value < 0 for value in values)
    base, full = (plot.y + plot.height / 2, plot.height / 2) if down else (plot.bottom, plot.height)
    yield pen.text(f"{key}-name", stage.left - 5, plot.y + plot.height / 2, name, "label", anchor="end", middle=True)
    yield pen.line(f"{key}-base", row.x, base, row.right, base, "axis thin")
    for at, (value, box) in enumerate(zip(values, stage.subs, strict=True)):
        long = full * abs(value) / most if most else 0.0
        inset = box.width * 0.3
        bar = Box(box.x + inset, base - (long if value >= 0 else 0), box.width - 2 * inset, max(long, 1.0))
        yield pen.rect(f"{key}{at}", bar, role if at in near else f"{role} soft", round=0)
        if fits and not (pen.narrow and state.step == CODED):  # there a phone has the codes to show
            strong = at in near and state.step in (IDEAL, ROUNDED)
            x, tone = box.x + box.width / 2, "hot strong" if strong else "note"
            yield pen.text(f"{key}{at}-n", x, row.bottom - 3, words[at], tone, anchor="middle")
    if was:
        ends = [(box, base - full * value / most) for box, value in zip(stage.subs, was, strict=True)]
        lines = [[(box.x + 0.2 * box.width, y), (box.right - 0.2 * box.width, y)] for box, y in ends]
        yield pen.strokes(f"{key}-was", lines, "data thin")


def _zoom(stage: Stage, state: State) -> Iterator[Mark]:
    """From the sub-blocks that are seen from near to where they are."""
    first, last = stage.subs[state.case.shown[0].index], stage.subs[state.case.shown[-1].index]
    foot = stage.foot_of_frames
    frame = Box(first.x, first.y, last.right - first.x, foot - first.y)
    yield stage.pen.rect("frame", frame, "hot outline", round=1)
    top = stage.near.y - stage.pen.size - 14
    legs = [[(frame.x, foot), (stage.near.x, top)], [(frame.right, foot), (stage.near.right, top)]]
    yield stage.pen.strokes("zoom", legs, "hot thin dashed")
