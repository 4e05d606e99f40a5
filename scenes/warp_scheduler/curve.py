"""Issue slots used over the number of warps: a line that rises to its knee, and the dot where the reader is."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, count

from .model import SLOTS, Load, slots_used

MOST = 44  # warps at the right end of the axis
COUNTS = (1, 2, 4, 8, 16)


def percent(share: float) -> str:
    """A percentage; with a decimal under 10, and never 100% for less."""
    if share < 9.95:
        return f"{share:.1f}".removesuffix(".0") + "%"
    return f"{min(round(share), 99) if share < 100 else 100}%"


def samples(load: Load, low: float, high: float) -> tuple[list[float], list[float]]:
    """The curve between two numbers of warps [warps, %]: straight but for its knee, which is one of the points."""
    knee = load.period / load.instructions
    xs = [low, knee, high] if low < knee < high else [low, high]
    return xs, (100 * slots_used(xs, load.instructions, load.latency)).tolist()


def draw_curve(pen: Pen, box: Box, load: Load, shown: Load, whole: bool) -> Iterator[Mark]:
    """The axes at every step; if `whole`, the curve, its knee and the limit of 16 slots."""
    plot = Plot(pen, box, Axis("warps per scheduler", span=(0, MOST), ticks=(0, 8, 16, 24, 32, 40), clip=True),
                Axis("slots used", "%", span=(0, 100), ticks=(0, 50, 100)), "curve")  # fmt: skip
    yield from plot.axes()
    if whole:
        x, top = plot.at(SLOTS, 100)
        yield pen.line("limit", x, top - 4, x, box.bottom, "axis dashed")
        beside = box.x + pen.room(plot.y.title) + 12
        yield pen.text("limit-label", max(x - 2, beside), top - 0.75 * pen.size, f"room for {SLOTS}", "note")
        yield plot.curve("beyond", *samples(load, SLOTS, MOST), "ghost")
        yield plot.curve("within", *samples(load, 0, SLOTS), "data")
        yield from _knee(plot, shown)
        for warps in COUNTS:
            place = plot.at(warps, Load(warps, load.latency, load.instructions).used)
            label = f"Give the scheduler {count(warps, 'warp')}"
            yield pen.circle(f"pick-{warps}", *place, 3, "data", set={"warps": warps}, label=label)
    yield from _here(plot, shown)


def _knee(plot: Plot, load: Load) -> Iterator[Mark]:
    """How many warps use every slot: named under the flat line, or where the knee is far right, beside the slope."""
    pen, words = plot.pen, f"{count(load.saturate, 'warp')} fill all"
    knee = load.period / load.instructions
    x, y = plot.at(knee, 100)
    room = pen.room(words, strong=True)
    y += 1.3 * pen.size
    if load.hidden and load.warps == SLOTS:  # the share that is used stands there
        y += 1.3 * pen.size
    place, anchor = max(x + 10, plot.at(SLOTS, 0)[0] + 7), "start"
    if knee > MOST:
        words, place, anchor = f"{words} →", plot.box.right, "end"
    elif place + room > plot.box.right:  # under the slope: as deep as that is where the words begin
        start = plot.box.right - room - plot.box.x
        y += plot.box.height * (1 - start / (x - plot.box.x)) + 2
        place, anchor = plot.box.right, "end"
    if knee <= MOST:
        yield pen.circle("knee", *plot.at(knee, 100), 4, "kept")
    yield pen.text("knee-label", place, y, words, "kept strong", anchor=anchor)


def _here(plot: Plot, shown: Load) -> Iterator[Mark]:
    """The dot of the warps shown, named under the slope; over it where that is flat and low."""
    pen, (x, y) = plot.pen, plot.at(shown.warps, shown.used)
    yield pen.circle("here", x, y, 5.5, "hot")
    slope = plot.box.height * shown.instructions / shown.period / (plot.box.width / MOST)
    if plot.box.bottom - y > 1.9 * pen.size:
        x, y = x + 7, y + 1.25 * pen.size
    elif shown.saturate > 2 * SLOTS:
        x, y = x + 4, y - 0.9 * pen.size
    else:
        x, y = max(x + 8, plot.box.x + 1.4 * pen.size / slope), plot.box.bottom - 4
    yield pen.text("here-label", x, y, percent(shown.used), "hot strong")
