"""What stands beside the cluster: the count, the multicast masks, and in the end all clusters compared."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, plain

from .layout import Layout
from .model import CLUSTERS, MASK_BITS, TILE_BYTES, State, masks, reads, shape_of

MOST = max(reads(*shape_of(cluster), False) for cluster in CLUSTERS)


def kib(tiles: int) -> int:
    """What `tiles` tiles take [KiB]."""
    return tiles * TILE_BYTES // 1024


def spoken(cluster: str) -> str:
    """A cluster as it is written in words."""
    return cluster.replace("x", "×")


def draw_panel(pen: Pen, plan: Layout, state: State) -> Iterator[Mark]:
    if state.phase == "compare":
        box = Box(4, 10, 320, 392) if pen.narrow else plan.panel.inset(top=2)
        yield from draw_clusters(pen, box, state)
        return
    box = plan.panel
    line = pen.large if pen.narrow else 1.3 * pen.large
    yield pen.text("count", box.x, box.y + pen.large, headline(state), "value strong", size=pen.large)
    yield pen.text("count-bytes", box.x, box.y + line + 1.5 * pen.size, detail(state), "note")
    if state.phase == "deliver":
        yield from draw_masks(pen, box.inset(top=line + 2.6 * pen.size), state)


def headline(state: State) -> str:
    if state.phase == "need":
        return f"{state.without} tiles are needed"
    if state.delivers and state.reads < state.without:
        return f"{state.reads} tiles read, not {state.without}"
    return f"{state.without} tiles read from L2"


def detail(state: State) -> str:
    distinct = sum(state.shape)
    again = state.without - distinct
    if state.phase == "need":
        return f"by {state.blocks} block{'s' * (state.blocks > 1)}, but only {distinct} different ones"
    if state.delivers and again:
        return f"{kib(state.reads)} KiB for one step along k: {plain(state.without / state.reads)}× fewer"
    return f"{kib(state.without)} KiB" + (
        f"; {again} of the reads {'are repeats' if again > 1 else 'is a repeat'}" if again else " for one step along k"
    )


def draw_masks(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The masks of the two loads of block 0: who gets its slices. Without multicast, only itself."""
    rows, columns = state.shape
    every = masks(rows, columns)
    shown = (("a", "A₀", int(every[0])), ("b", "B₀", int(every[rows])))
    start = box.x + pen.room("SM 0, A₀", strong=True) + 6
    each, tall = (box.right - start) / MASK_BITS, 1.35 * pen.size
    top = box.y + 1.4 * pen.size
    yield pen.text("bit-first", start, box.y + pen.size, f"bit {MASK_BITS - 1}", "note")
    yield pen.text("bit-mask", (start + box.right) / 2, box.y + pen.size, "mask", "note", anchor="middle")
    yield pen.text("bit-last", box.right, box.y + pen.size, "bit 0", "note", anchor="end")
    for place, (matrix, name, mask) in enumerate(shown):
        y = top + place * (tall + 6)
        mask = mask if state.multicast else 1
        yield pen.text(f"mask-{matrix}-name", box.x, y + tall / 2, f"SM 0, {name}", "label", middle=True)
        for bit in range(MASK_BITS):
            if mask >> bit & 1:
                x = box.right - (bit + 1) * each
                yield pen.rect(f"mask-{matrix}-{bit}", Box(x, y, each, tall), "hot soft", round=0)
                yield pen.text(f"mask-{matrix}-{bit}-one", x + each / 2, y + tall / 2, "1", "label strong",
                               anchor="middle", middle=True)  # fmt: skip
        yield pen.path(f"mask-{matrix}", comb(start, y, each, tall), "axis thin outline")


def comb(x: float, y: float, each: float, tall: float) -> list[tuple[float, float]]:
    """One stroke that draws a row of cells: along the top, and back over the lines between the cells."""
    points = [(x, y), (x + MASK_BITS * each, y)]
    for cell in range(MASK_BITS, 0, -1):
        right = x + cell * each
        points += [(right, y + tall), (right - each, y + tall), (right - each, y)]
    return points


def bar_words(less: int, more: int, multicast: bool) -> str:
    if less == more:
        return f"{kib(more)} KiB either way"
    if multicast:
        return f"{kib(less)} of {kib(more)} KiB: {plain(more / less)}× fewer"
    return f"{kib(more)} KiB, could be {kib(less)}"


def draw_clusters(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """What every cluster reads, as bars; an outline shows what it would read without multicast."""
    yield pen.text("bars-title", box.x, box.y + pen.size, "read from L2 for one step along k", "note")
    for cluster, row in zip(CLUSTERS, box.inset(top=1.9 * pen.size).rows(len(CLUSTERS), gap=12), strict=True):
        rows, columns = shape_of(cluster)
        less, more = reads(rows, columns, True), reads(rows, columns, False)
        chosen = cluster == state.cluster
        name = f"{spoken(cluster)}, {rows * columns} block{'s' * (rows * columns > 1)}"
        manner, tall = " strong" if chosen else "", row.height - 1.4 * pen.size
        words = bar_words(less, more, state.multicast)
        yield pen.text(f"bar-{cluster}-name", box.x, row.y + 0.9 * pen.size, name, "label" + manner)
        yield pen.text(f"bar-{cluster}-words", box.right, row.y + 0.9 * pen.size, words, "value" + manner, anchor="end")
        lengths = [box.width * tiles / MOST for tiles in (less, more)]
        ghost, bar = (
            Box(box.x, row.bottom - tall, length, tall) for length in (lengths[1], lengths[not state.multicast])
        )
        role = ("kept" if state.multicast else "dropped") + ("" if chosen else " soft")
        yield pen.rect(f"bar-{cluster}-without", ghost, "ghost outline")
        yield pen.rect(
            f"bar-{cluster}", bar, role, set={"cluster": cluster}, label=f"Choose the {spoken(cluster)} cluster"
        )
