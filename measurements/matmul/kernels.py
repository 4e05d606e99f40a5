"""A matrix product in Triton: one program for each tile of the result, its loop over k pipelined in stages."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

DEPTH, BAND = 64, 8  # numbers of k in a step; rows of tiles that are worked through together, for L2's sake


@triton.jit
def product(a, b, c, n, height: tl.constexpr, width: tl.constexpr, depth: tl.constexpr, band: tl.constexpr):
    """C = A B, all of n rows and columns, row-major; n is a multiple of `depth`, and of `band` tiles each way."""
    program = tl.program_id(0)
    in_band = band * (n // width)  # tiles
    tile_row = program // in_band * band + program % band
    tile_column = program % in_band // band
    rows = tile_row * height + tl.arange(0, height)
    columns = tile_column * width + tl.arange(0, width)
    steps = tl.arange(0, depth)
    from_a = a + rows[:, None] * n + steps[None, :]
    from_b = b + steps[:, None] * n + columns[None, :]
    sums = tl.zeros((height, width), dtype=tl.float32)
    for _ in range(0, n, depth):
        sums = tl.dot(tl.load(from_a), tl.load(from_b), sums)
        from_a += depth
        from_b += depth * n
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty))


def multiply(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, tile: tuple[int, int], stages: int) -> None:
    """C = A B by tiles of the result of so many rows and columns, with loads under way for `stages` steps."""
    n, (height, width) = a.shape[0], tile
    tiles = n // height * (n // width)
    warps = 4 if height * width <= 64 * 64 else 8
    product[(tiles,)](a, b, c, n, height, width, DEPTH, BAND, num_warps=warps, num_stages=stages)
