"""Products of groups of rows, each with its expert's weights, in one launch of Triton."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from measurements.experts.routing import TILE

ACROSS, DEPTH = 128, 64  # columns of a tile of the result; numbers of a step


@triton.jit
def grouped(x, weights, out, tiles, width, columns,
            height: tl.constexpr, across: tl.constexpr, depth: tl.constexpr):  # fmt: skip
    """Rows of x, sorted by expert, times the transpose of their expert's weights.

    x has (rows, width) numbers, weights (experts, columns, width), out (rows, columns); tiles has expert, first row and
    the row after the last, for each tile of rows. `depth` divides `width`, and `across` divides `columns`.
    """
    tile, column = tl.program_id(0) // (columns // across), tl.program_id(0) % (columns // across)
    expert, first, end = tl.load(tiles + 3 * tile), tl.load(tiles + 3 * tile + 1), tl.load(tiles + 3 * tile + 2)
    rows = first + tl.arange(0, height)
    there = rows < end
    wanted = column * across + tl.arange(0, across)
    steps = tl.arange(0, depth)
    from_x = x + rows[:, None].to(tl.int64) * width + steps[None, :]
    from_weights = weights + expert.to(tl.int64) * columns * width + wanted[None, :] * width + steps[:, None]
    sums = tl.zeros((height, across), dtype=tl.float32)
    for _ in range(0, width, depth):
        sums = tl.dot(tl.load(from_x, mask=there[:, None], other=0.0), tl.load(from_weights), sums)
        from_x += depth
        from_weights += depth
    place = out + rows[:, None].to(tl.int64) * columns + wanted[None, :]
    tl.store(place, sums.to(out.dtype.element_ty), mask=there[:, None])


def multiply(x: torch.Tensor, weights: torch.Tensor, out: torch.Tensor, tiles: torch.Tensor) -> torch.Tensor:
    """The product of all groups, by a table of their tiles."""
    _, columns, width = weights.shape
    grid = (tiles.shape[0] * (columns // ACROSS),)
    grouped[grid](x, weights, out, tiles, width, columns, TILE, ACROSS, DEPTH, num_warps=8, num_stages=4)
    return out
