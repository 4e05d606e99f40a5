"""The picture of wgmma: A and B in shared memory, and the sums in stripes, one for each of four warps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, memoized

from .model import LANES, WARPS, WIDEST, warpgroup_sums
from .stage import Stage

ROWS, SHOWN, DEEP = 64, 64, 16  # of the sums: all rows, and this many of up to 256 columns; A is 16 numbers wide


@cache
def parts(stage: Stage) -> dict[str, Box]:
    """The boxes of A, B and the sums."""
    row, deep, gap = stage.pick((3.15, 2.0, 8.0), (3.75, 5.0, 14.0))
    wide = stage.pick(160.0, 320.0)
    high, tall = stage.pick(32.0, 46.0), ROWS * row
    left, low = DEEP * deep + gap, stage.top + high + stage.pick(18.0, 22.0)
    return {"a": Box(0, low, DEEP * deep, tall), "b": Box(left, stage.top, wide, high), "d": Box(left, low, wide, tall)}


@memoized
def draw_warpgroup(stage: Stage, lane: int, warps: int) -> Iterator[Mark]:
    boxes = parts(stage)
    for name, words in (("a", "A"), ("b", "B, in shared memory"), ("d", "sums, in registers")):
        box = boxes[name]
        if name != "d":
            yield stage.rect(f"wide-{name}", box, "memory soft", round=0)
        yield stage.outlines(f"wide-{name}-edge", [box], "axis thin")
        yield stage.text(f"wide-{name}-name", box.x, box.y - 7, words, "label strong")
    box = boxes["d"]
    cuts = [[(box.x, row.y), (box.right, row.y)] for row in box.rows(WARPS)]
    yield stage.strokes("stripes", cuts, "axis thin")
    blocks = [[(column.x, box.y), (column.x, box.bottom)] for column in box.columns(SHOWN // 8)]
    yield stage.strokes("blocks", blocks, "grid")
    for warp in range(warps):
        yield stage.strokes(f"share-{warp}", pairs(stage, lane, warp), "work thick")
    x = box.right + 10
    for warp, row in enumerate(box.rows(WARPS)):
        role = "label" if warp < warps else "note"
        yield stage.text(f"warp-{warp}", x, row.y + row.height / 2, f"warp {warp}", role, middle=True)
    if not stage.narrow:
        yield from draw_whereabouts(stage, lane)


def draw_whereabouts(stage: Stage, lane: int) -> Iterator[Mark]:
    """Where each matrix lies, in words."""
    x, y = stage.registers.x + 46, stage.registers.y  # clear of the warps' names
    lines = (
        ("A, 64 × 16", "shared memory, or registers"),
        ("B, 16 × N", f"shared memory; {SHOWN} of {WIDEST} columns drawn"),
        ("sums, 64 × N", f"registers; lane {lane} of each warp is marked"),
    )
    for at, (name, words) in enumerate(lines):
        yield stage.text(f"where-{at}", x, y + at * 50, name, "label strong")
        yield stage.text(f"where-{at}-words", x, y + at * 50 + 1.35 * stage.size, words, "note")


def pairs(stage: Stage, lane: int, warp: int) -> list[list[tuple[float, float]]]:
    """A stroke under each two neighbours that a thread holds."""
    box = parts(stage)["d"]
    wide, high = box.width / SHOWN, box.height / ROWS
    found = warpgroup_sums(SHOWN)[warp * LANES + lane, ::2].tolist()
    return [
        [(box.x + column * wide, y := box.y + (row + 0.5) * high), (box.x + (column + 2) * wide, y)]
        for row, column in found
    ]
