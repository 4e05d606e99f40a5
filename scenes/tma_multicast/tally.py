"""The reads beside the picture, a square for each: what every block costs, what all cost together, what was counted."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, headline, times
from loom.scene import Moment, evenly

from . import measured
from .layout import Layout
from .model import Cluster, kib, masks
from .travel import read


def draw_tally(plan: Layout, moment: Moment) -> Iterator[Mark]:
    """A square for each read, once it has left L2: every block for itself, and together."""
    pen, one = plan.pen, moment.result
    done, shared = read(moment.phase, one, moment.beat), moment.phase == "together"
    role = "work" if shared else "dropped"
    told = f"of {one.without} reads" if shared else f"{count(done, 'read')} from L2".removeprefix(f"{done} ")
    rows = (
        ("alone", "each block for itself", one.without, one.without if shared else done, "dropped", 112),
        ("together", "one read for all", one.least, done if shared else 0, "work", 194),
    )
    if pen.narrow:
        yield from headline(pen, 0, 26, str(done), [told], role)
        yield pen.text("bytes", pen.width, 26, f"{kib(done)} KB", "note", anchor="end")
        for at, (key, words, whole, shown, tone, _) in enumerate(rows):
            base = plan.end[1] + pen.size + 3 + at * 31
            yield pen.text(f"{key}-words", 1, base, words, "note")
            yield from squares(pen, key, 1, base + 6, 10, whole, shown, tone)
        return
    x = column(plan)
    yield from headline(pen, x, 44, str(done), [told], role, size=pen.large)
    yield pen.text("bytes", x, 68, f"{kib(done)} KB for one step along k", "note")
    for key, words, whole, shown, tone, y in rows:
        yield pen.text(f"{key}-words", x, y, words, "label")
        yield from squares(pen, key, x, y + 10, 240 // min(16, max(8, one.without)), whole, shown, tone)
    if shared and moment.progress == 1:  # what it saves is said when all have arrived
        yield from draw_saved(pen, one, x)


def column(plan: Layout) -> float:
    """Where the numbers beside the picture begin."""
    return plan.end[0] + 30


def draw_saved(pen: Pen, one: Cluster, x: float) -> Iterator[Mark]:
    """How many times fewer reads there are, and the masks that do it."""
    saved = f"{times(one.without / one.least)} fewer" if one.blocks > 1 else "nobody to share with"
    yield pen.text("saved", x, 270, saved, "work strong", size=pen.large)
    a, b = (f"{mask:b}".rjust(one.blocks, "0") for mask in (masks(one.rows, one.columns)[at] for at in (0, one.rows)))
    yield pen.text("masks", x, 293, f"masks: A₀ {a}, B₀ {b}" if one.blocks < 10 else f"mask of A₀: {a}", "note")


def squares(pen: Pen, key: str, x: float, y: float, pitch: float, whole: int, shown: int, role: str) -> Iterator[Mark]:
    """As many squares as there are reads, in rows as on the whole width; those still to come are outlines."""
    side = pitch - pen.pick(2, 3)
    for at in range(whole):
        box = Box(x + at % pen.pick(32, 16) * pitch, y + at // pen.pick(32, 16) * (pitch + 2), side, min(side, 22))
        yield pen.rect(f"{key}-square-{at}", box, role if at < shown else "ghost soft", round=1)


def counting(_: Moment) -> tuple[float, ...]:
    """A bar grows after the other, and the last has grown."""
    bars = len(measured.alone())
    return evenly(bars, 0.6 * bars, lead=0.25, landed=True)


def draw_machine(plan: Layout, beat: int) -> Iterator[Mark]:
    """What an H100 read for one tile that several blocks wanted: outlines if each were served, bars as counted.

    They grow one after the other, and each is told when it has.
    """
    pen, found = plan.pen, measured.alone()
    x, y, pitch = pen.pick((1.0, plan.end[1] + 26, 11.0), (column(plan), 142.0, 30.0))
    told = [f"read for {measured.MERGED} blocks that", "ask at once, without a mask"]
    if beat > 1 + [*found].index(measured.MERGED):
        yield from headline(pen, 0 if pen.narrow else x, 26 if pen.narrow else 44,
                            f"{found[measured.MERGED]:.2f}", told, size=pen.pick(0, pen.size))  # fmt: skip
    if not pen.narrow:
        yield pen.text("counted", x, 100, f"counted on an {measured.PART}, each for itself", "note")
    for at, (blocks, reads) in enumerate(found.items(), 1):
        boxes = [Box(x + at * pitch, y + 8, pitch - pen.pick(2, 4), pen.pick(9, 22)) for at in range(blocks)]
        read = f"{reads:.2f} reads of L2 for each that {blocks} blocks want, counted on an {measured.PART}"
        yield pen.text(f"blocks-{blocks}", x, y, f"{blocks} blocks{f': {reads:.2f}' * (beat > at)}", "label")
        yield pen.outlines(f"each-{blocks}", boxes, "ghost soft modelled")
        bar = Box(x, y + 8, reads * pitch - pen.pick(2, 4) if beat >= at else 0, pen.pick(9, 22))
        yield pen.rect(f"counted-{blocks}", bar, "axis measured", round=1, read=read)
        x, y = (x + 100, y) if pen.narrow else (x, y + 62)
