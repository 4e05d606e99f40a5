"""What stands beside the cluster: the count, the multicast masks, and in the end all clusters compared."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, plain
from loom.scene import Moment

from .model import CLUSTERS, MASK_BITS, Cluster, kib, masks, solve


def draw_panel(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    if moment.phase == "compare":
        yield from draw_clusters(pen, pen.pick(Box(4, 10, 320, 392), box.inset(top=2)), moment.result)
        return
    line = pen.pick(1, 1.3) * pen.large
    headline, detail = told(moment)
    yield pen.text("count", box.x, box.y + pen.large, headline, "value strong", size=pen.large)
    yield pen.text("count-bytes", box.x, box.y + line + 1.5 * pen.size, detail, "note")
    if moment.phase == "deliver":
        yield from draw_masks(pen, box.inset(top=line + 2.6 * pen.size), moment.result)


def told(moment: Moment) -> tuple[str, str]:
    """How many tiles are needed or read, and what that means."""
    one, again = moment.result, moment.result.without - moment.result.least
    if moment.phase == "need":
        different = f"by {count(one.blocks, 'block')}, but only {one.least} different ones"
        return f"{one.without} tiles are needed", different
    if moment.phase == "deliver" and one.multicast and again:
        fewer = f"{kib(one.reads)} KiB for one step along k: {plain(one.without / one.reads)}× fewer"
        return f"{one.reads} tiles read, not {one.without}", fewer
    repeats = f"; {again} of the reads {'are repeats' if again > 1 else 'is a repeat'}"
    return f"{one.without} tiles read from L2", f"{kib(one.without)} KiB{repeats if again else ' for one step along k'}"


def draw_masks(pen: Pen, box: Box, one: Cluster) -> Iterator[Mark]:
    """The masks of the two loads of block 0: who gets its slices. Without multicast, only itself."""
    every = masks(one.rows, one.columns).tolist() if one.multicast else [1] * (one.rows + one.columns)
    start = box.x + pen.room("SM 0, A₀", strong=True) + 6
    each, tall = (box.right - start) / MASK_BITS, 1.35 * pen.size
    yield pen.text("bit-first", start, box.y + pen.size, f"bit {MASK_BITS - 1}", "note")
    yield pen.text("bit-mask", (start + box.right) / 2, box.y + pen.size, "mask", "note", anchor="middle")
    yield pen.text("bit-last", box.right, box.y + pen.size, "bit 0", "note", anchor="end")
    rows = Box(start, box.y + 1.4 * pen.size, box.right - start, 0).stack(tall, tall, gap=6)
    for row, matrix, mask in zip(rows, "ab", (every[0], every[one.rows]), strict=True):
        middle = row.y + tall / 2
        yield pen.text(f"mask-{matrix}-name", box.x, middle, f"SM 0, {matrix.upper()}₀", "label", middle=True)
        for bit in range(MASK_BITS):
            if mask >> bit & 1:
                cell = Box(row.right - (bit + 1) * each, row.y, each, tall)
                yield pen.rect(f"mask-{matrix}-{bit}", cell, "hot soft", round=0)
                yield pen.text(f"mask-{matrix}-{bit}-one", cell.x + each / 2, middle, "1", "label strong",
                               anchor="middle", middle=True)  # fmt: skip
        yield pen.path(f"mask-{matrix}", comb(row, each), "axis thin outline")


def comb(row: Box, each: float) -> list[tuple[float, float]]:
    """One stroke that draws a row of cells: along the top, and back over the lines between the cells."""
    points = [(row.x, row.y), (row.x + MASK_BITS * each, row.y)]
    for cell in range(MASK_BITS, 0, -1):
        right = row.x + cell * each
        points += [(right, row.bottom), (right - each, row.bottom), (right - each, row.y)]
    return points


def draw_clusters(pen: Pen, box: Box, chosen: Cluster) -> Iterator[Mark]:
    """What every cluster reads, as bars; an outline shows what it would read without multicast."""
    yield pen.text("bars-title", box.x, box.y + pen.size, "read from L2 for one step along k", "note")
    every = {name: solve(name, chosen.multicast) for name in CLUSTERS}
    unit = box.width / max(one.without for one in every.values())
    for (key, one), row in zip(every.items(), box.inset(top=1.9 * pen.size).rows(len(every), gap=12), strict=True):
        manner, soft = (" strong", "") if one == chosen else ("", " soft")
        base, top = row.y + 0.9 * pen.size, row.y + 1.4 * pen.size
        ghost, bar = (Box(box.x, top, unit * tiles, row.bottom - top) for tiles in (one.without, one.reads))
        name, role = f"{one.name}, {count(one.blocks, 'block')}", ("kept" if one.multicast else "dropped") + soft
        yield pen.text(f"bar-{key}-name", box.x, base, name, f"label{manner}")
        yield pen.text(f"bar-{key}-words", box.right, base, bar_words(one), f"value{manner}", anchor="end")
        yield pen.rect(f"bar-{key}-without", ghost, "ghost outline")
        yield pen.rect(f"bar-{key}", bar, role, set={"cluster": key}, label=f"Choose the {one.name} cluster")


def bar_words(one: Cluster) -> str:
    less, more = kib(one.least), kib(one.without)
    if less == more:
        return f"{more} KiB either way"
    return f"{less} of {more} KiB: {plain(more / less)}× fewer" if one.multicast else f"{more} KiB, could be {less}"
