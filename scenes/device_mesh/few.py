"""Sixteen GPUs, each with its places: in the mesh, and in the second division that experts make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark

from .._clusters.links import NODE
from .address import stops
from .experts import SHARING, tile_of
from .groups import ROLES, made_of, spot, tones
from .model import RACK
from .stage import Stage
from .traffic import DIMENSIONS, Placed


def draw_few(stage: Stage, placed: Placed, names: Sequence[str], experts: bool, ways: int) -> Iterator[Mark]:
    """Sixteen GPUs with their coordinates, or their experts; from the chosen one a line to each partner lit."""
    lit = shared(placed) if experts else tones(placed, names)
    for rank in range(RACK):
        box = stage.among_few(rank)
        if rank % NODE == 0:
            yield from draw_node(stage, rank, box)
        yield stage.rect(f"one-{rank}", box, lit.get(rank, "cell"), set={"gpu": rank}, label=f"choose GPU {rank}")
    for name in names:
        ends = [spot(stage, placed, name, rank) for rank in placed.mesh.group(placed.rank, name)]
        yield stage.strokes(f"pair-{name}", [ends], ROLES[placed.mesh.farthest(placed.rank, name)])
    for rank in range(RACK):
        yield from coordinates(stage, placed, rank, experts)
    if experts:
        yield stage.outlines("tiles", tiles(stage, placed), "data")
    yield from draw_title(stage, placed, experts, ways)


def draw_node(stage: Stage, rank: int, box: Box) -> Iterator[Mark]:
    """A node's name over its first GPU; on a phone over its last, where no line comes by."""
    last = stage.among_few(rank + NODE - 1)
    x, anchor = stage.pick((last.right, "end"), (box.x, "start"))
    yield stage.text(f"node-{rank // NODE}", x, box.y - 4, f"node {rank // NODE}", "note", anchor=anchor)


def coordinates(stage: Stage, placed: Placed, rank: int, experts: bool) -> Iterator[Mark]:
    """A GPU's number and its places, or its experts."""
    box = stage.among_few(rank)
    places = [str(placed.mesh.place(rank, name)) for name in DIMENSIONS]
    held = ", ".join(map(str, tile_of(placed, rank).experts))
    if stage.narrow:
        y = box.y + 0.3 * box.height  # over the lines
        yield stage.text(f"one-{rank}-name", box.x + 4, y, str(rank), "value strong", middle=True)
        yield stage.text(
            f"one-{rank}-at", box.right - 4, y, held if experts else " ".join(places), anchor="end", middle=True
        )
        return
    yield stage.text(f"one-{rank}-name", box.x + 6, box.y + 22, str(rank), "value strong", size=stage.large)
    named = [f"{name.upper()} {at}" for name, at in zip(DIMENSIONS, places, strict=True)]
    for line, words in enumerate(("experts", held) if experts else named):
        yield stage.text(f"one-{rank}-{line}", box.x + 6, box.y + 60 + 16 * line, words, "label")


def draw_title(stage: Stage, placed: Placed, experts: bool, ways: int) -> Iterator[Mark]:
    """Which GPU, and its place in the one or the other division."""
    rank, (x, y), tile = placed.rank, stage.title, tile_of(placed, placed.rank)
    second = f"GPU {rank}: EP {tile.at} of {SHARING}, copy {tile.copy}, PP {placed.at('pp')}"
    first = f"GPU {stops(placed)[ways].rank} = {made_of(placed, ways)}"
    yield stage.text("title", x, y, second if experts else first, "hot strong")
    if stage.narrow:
        yield stage.text("cells", 328, y, "experts" if experts else "TP CP PP DP", "note", anchor="end")


def shared(placed: Placed) -> dict[int, str]:
    """The roles of the GPUs that share a layer's experts with the chosen one, and of those with the same experts."""
    tile = tile_of(placed, placed.rank)
    return {**dict.fromkeys(tile.twins, "memory soft"), **dict.fromkeys(tile.group, "kept soft"),
            placed.rank: "hot soft"}  # fmt: skip


def tiles(stage: Stage, placed: Placed) -> list[Box]:
    """A box round each group that holds all experts; its GPUs stand side by side."""
    groups = {tuple(tile_of(placed, rank).group) for rank in range(RACK)}
    ends = [(stage.among_few(group[0]), stage.among_few(group[-1])) for group in sorted(groups)]
    return [Box(first.x, first.y, last.right - first.x, first.height) for first, last in ends]
