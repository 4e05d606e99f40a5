"""The five steps of the story, and the counts that each of them shows."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Product

NAIVE, LOAD, REUSE, DONE, SPEED = range(5)


@dataclass(frozen=True)
class State:
    """One product, and how far its story has come."""

    product: Product
    step: int

    @property
    def naive_so_far(self) -> int:
        """What naive loads for the work that is done by now [elements]."""
        product = self.product
        return {NAIVE: product.one_output, LOAD: 0, REUSE: product.pair_uses}.get(self.step, product.naive)

    @property
    def tiled_so_far(self) -> int:
        """What the tiled product has loaded by now [elements]."""
        return {NAIVE: 0, LOAD: self.product.pair, REUSE: self.product.pair}.get(self.step, self.product.loads)


def steps(tile: int) -> list[State]:
    """The five steps for one tile."""
    return [State(Product(tile), step) for step in (NAIVE, LOAD, REUSE, DONE, SPEED)]
