"""The five phases of the story, each with the sentences that it says."""

from __future__ import annotations

from loom.draw import number
from loom.scene import Moment, Phase

from .model import REAL_TILES, SIDE, mainloop_intensity, ridge


def _naive(moment: Moment) -> str:
    product = moment.result
    return (
        f"C = A·B, naively: an output reads its row of A and its column of B from global memory, the GPU's large "
        f"and distant one. That is {product.one_output} loads, and {SIDE**2} outputs make {product.naive:,}, "
        f"though A and B have only {2 * SIDE**2} elements."
    )


def _load(moment: Moment) -> str:
    product = moment.result
    size = f"{product.tile} × {product.tile}"
    who = "A block of one output" if product.tile == 1 else f"A block of {size} outputs works together"
    return (
        f"{who}: it loads a tile of A and a tile of B, {size} each, into shared memory, "
        f"a small store beside the arithmetic. So far {product.pair} elements are loaded."
    )


def _reuse(moment: Moment) -> str:
    product = moment.result
    if product.tile == 1:
        return (
            f"With one output there is nobody to share with: each of the {product.pair} elements is used once, "
            f"and naive would load {product.pair_uses} as well."
        )
    return (
        f"An element of A serves a row of {product.tile} outputs, an element of B a column. "
        f"So each is used {number(product.reuse)} times: {product.pair_uses:,} uses from {product.pair} loads. "
        f"Naive would load all {product.pair_uses:,}."
    )


def _done(moment: Moment) -> str:
    product = moment.result
    if product.blocks == 1:
        turns = f"One pair of tiles is all of A and B, and one block is all of C: {product.loads:,} loads"
    else:
        each = product.turns * product.pair
        turns = (
            f"Tile after tile along k, the side that A and B share: {product.turns} pairs finish the block, "
            f"with {each} loads. {product.blocks} blocks make {product.loads:,}"
        )
    if product.tile == 1:
        return f"{turns}, no fewer than naive's {product.naive:,}."
    return f"{turns}, {number(product.times)} times fewer than naive's {product.naive:,}."


def _speed(moment: Moment) -> str:
    product = moment.result
    largest = REAL_TILES[-1]
    best = number(float(mainloop_intensity(largest, largest, 2)))
    return (
        f"In BF16, 2 bytes an element, this tile does {number(product.intensity)} FLOP (floating-point operations) "
        f"for each byte loaded. Each doubling of the tile doubles that. An H100 computes at full speed from "
        f"{number(ridge())} FLOP/B on: even tile {largest}, at {best}, needs the help "
        f"of the L2 cache, which all blocks share."
    )


PHASES = (Phase("naive", _naive), Phase("load", _load), Phase("reuse", _reuse), Phase("done", _done),
          Phase("speed", _speed))  # fmt: skip
