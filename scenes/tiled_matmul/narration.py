"""The four phases of the story, each with the sentences that it says."""

from __future__ import annotations

from loom.draw import number
from loom.scene import Moment, Phase, evenly

from .model import BF16, REAL_TILES, SIDE, Product, mainloop_intensity, ridge


def _naive(moment: Moment) -> str:
    product = moment.result
    return (
        f"One output needs a row of A and a column of B: {product.one_output} loads for {SIDE} multiplications. "
        f"Each number is used once."
    )


def _block(moment: Moment) -> str:
    product = moment.result
    return (
        f"A block of {product.rows} × {product.columns} loads {product.rows} + {product.columns} numbers for each k, "
        f"and multiplies each of A with each of B: {product.uses} products. The sums grow with k."
    )


def _all(moment: Moment) -> str:
    product = moment.result
    rest = "no fewer than one by one" if product.times == 1 else f"{number(product.times)} times fewer than one by one"
    if product.blocks == 1:
        return f"One block is all of C, and loads {product.loads:,} numbers: {rest}."
    return f"{product.blocks} blocks make up C. They load {product.loads:,} numbers: {rest}."


def _speed(moment: Moment) -> str:
    product, largest = moment.result, REAL_TILES[-1]
    best = number(float(mainloop_intensity(largest, largest, BF16)))
    return (
        f"In BF16 that is {number(product.intensity)} FLOP a byte. An H100 is busy from {number(ridge())} on: "
        f"even tiles of {largest} × {largest}, at {best}, need the L2 cache."
    )


def is_shared(product: Product) -> tuple[int, ...]:
    """A block of one output is the first chapter once more."""
    return (0,) if product.uses > 1 else ()


def stops(product: Product) -> list[tuple[int, int]]:
    """Blocks that a dot comes by on its way up the roof: of one output, the chosen one, and real ones."""
    chosen = (product.rows, product.columns)
    return [(1, 1), *([chosen] if product.uses > 1 else []), *((tile, tile) for tile in REAL_TILES[1:])]


def climbing(product: Product) -> tuple[float, ...]:
    ways = len(stops(product)) - 1
    return evenly(ways, 0.5 * ways, lead=0.25, landed=True)


PHASES = (
    Phase("naive", _naive, beats=lambda _: evenly(SIDE, 3.2)),
    Phase("block", _block, is_shared, lambda _: evenly(SIDE, 4.8)),
    Phase("all", _all, beats=lambda moment: evenly(min(16, moment.result.blocks), 3.2)),
    Phase("speed", _speed, beats=lambda moment: climbing(moment.result)),
)
