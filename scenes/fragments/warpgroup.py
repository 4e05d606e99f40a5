"""The picture of wgmma: A and B in shared memory, and the sums of four warps, wider with each beat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, memoized

from .model import LANES, WARPS, WIDEST, N, warpgroup_sums
from .pace import WIDTHS
from .stage import Stage

ROWS, DEEP = 64, 16  # of the sums; A is as wide, and B as high, as a step of k is deep


@cache
def parts(stage: Stage, columns: int = WIDEST) -> dict[str, Box]:
    """The boxes of A, B and the sums, where B has so many columns."""
    row, column, gap = stage.pick((3.0, 1.0, 6.0), (3.0, 2.75, 14.0))
    deep, top = stage.pick((1.5, 52.0), (3.0, 66.0))
    left, low, wide = DEEP * column + gap, top + DEEP * deep + stage.pick(22.0, 26.0), columns * column
    return {"a": Box(0, low, DEEP * column, ROWS * row), "b": Box(left, top, wide, DEEP * deep),
            "d": Box(left, low, wide, ROWS * row)}  # fmt: skip


@memoized
def draw_warpgroup(stage: Stage, lane: int, columns: int, grown: int) -> Iterator[Mark]:
    """An mma for each warp that becomes twice as wide in each beat; where it has `grown`, the same lanes again."""
    boxes, whole = parts(stage, columns), parts(stage)
    if grown < WIDEST:
        yield stage.outlines("wide-room", [whole["b"], whole["d"]], "ghost")
    for name in "ab":
        yield stage.rect(f"wide-{name}", boxes[name], "memory soft steady", round=0)
    yield stage.rect("wide-d", boxes["d"], "cell steady", round=0)
    first = parts(stage, N)["d"]
    yield stage.outlines(
        "blocks", [Box(first.x, row.y, first.width, row.height) for row in first.rows(WARPS)], "axis thin"
    )
    for at, wide in enumerate(WIDTHS[: WIDTHS.index(grown) + 1]):
        yield stage.strokes(f"share-{at}", pairs(stage, lane, wide // 2 if at else 0, wide), "work thick")
    cuts = [[(0, row.y), (whole["d"].right, row.y)] for row in whole["d"].rows(WARPS)[1:]]
    yield stage.strokes("stripes", cuts, "axis thin")
    yield from draw_words(stage, lane, grown)


def draw_words(stage: Stage, lane: int, columns: int) -> Iterator[Mark]:
    """What each matrix is and where it lies, and whose the stripes are."""
    a, b, sums = parts(stage).values()
    yield stage.text("wide-a-name", a.x, a.y - stage.pick(7, 26), "A", "label strong")
    if not stage.narrow:
        yield stage.text("wide-a-shape", a.x, a.y - 7, "64 × 16", "note")
    marked = f"in registers; lane {lane}’s are marked, and an mma is outlined for each warp"
    told = (
        ("b", b, f"B, {DEEP} × {columns}", "in shared memory, as is A"),
        ("d", sums, f"sums, {ROWS} × {columns}", stage.pick("in registers", marked)),
    )
    for key, box, name, words in told:
        yield stage.text(f"wide-{key}-name", box.x, box.y - 7, name, "label strong")
        x = box.x + stage.text_width(f"sums, {ROWS} × {WIDEST}", strong=True) + 10
        yield stage.text(f"wide-{key}-words", x, box.y - 7, words, "note")
    for warp, row in enumerate(sums.rows(WARPS)):
        y = row.y + row.height / 2
        yield stage.text(f"warp-{warp}", sums.right + stage.pick(6, 10), y, f"warp {warp}", "label", middle=True)


def pairs(stage: Stage, lane: int, first: int, end: int) -> list[list[tuple[float, float]]]:
    """A stroke under each two neighbours that the lane of each warp holds between two columns."""
    box = parts(stage)["d"]
    wide, high = box.width / WIDEST, box.height / ROWS
    found = warpgroup_sums(end)[lane::LANES, ::2].reshape(-1, 2).tolist()
    return [
        [(box.x + column * wide, y := box.y + row * high + high // 2), (box.x + (column + 2) * wide, y)]
        for row, column in found
        if column >= first
    ]
