"""Softmax over keys that arrive in tiles, without ever holding more than one tile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loom.scene import Chapter, evenly

Array = NDArray[np.float64]

# One query against sixteen keys, in four tiles of four: scores already scaled, one scalar value for each key.
SCORES = np.array([0.5, 1, 2, 3, -1, 1, 2.5, 5, 1, 2, 3, 4, 0, 1, 2, 6])
VALUES = np.array([8, 10, 11, 12, 15, 12, 8, 14, 11, 10, 11, 13, 9, 13, 8, 15], dtype=float)
TILES = (2, 4, 8)
ORDERS = ("as given", "ascending", "descending")
PHASES = ("load", "max", "rescale", "weigh", "add")  # of taking in one tile


@dataclass(frozen=True)
class TileStep:
    """What one tile does to the running state. `before` and `after` are (m, l, O)."""

    tile: int  # its number in the order given
    keys: NDArray[np.intp]
    tile_max: float
    before: tuple[float, float, float]
    rescale: float
    weights: Array
    after: tuple[float, float, float]

    @property
    def output(self) -> float:
        """The normalised result so far, O / l."""
        return self.after[2] / self.after[1]


def softmax(scores: Array) -> Array:
    """Softmax of a whole row of scaled scores, shape (n,), shifted by its maximum so that no exponential overflows."""
    shifted = np.exp(scores - scores.max())
    return shifted / shifted.sum()


Sums = tuple[float, float, float]  # m, l, O


def merge(state: Sums, scores: Array, values: Array) -> tuple[float, Array, Sums]:
    """Take one tile into the running maximum, denominator and output.

    Parameters
    ----------
    state : tuple of float
        Running maximum m, denominator l and un-normalised output O; (-inf, 0, 0) before the first tile.
    scores, values : ndarray, shape (n,)
        The tile's scaled scores and the values of its keys.

    Returns
    -------
    rescale : float
        exp(m - m'), by which everything summed so far is multiplied; 0 for the first tile.
    weights : ndarray, shape (n,)
        exp(scores - m'), not normalised.
    after : tuple of float
        The new (m, l, O).

    References
    ----------
    .. [1] Milakov, Gimelshein, "Online normalizer calculation for softmax", 2018, arXiv:1805.02867.
    .. [2] Dao, "FlashAttention-2", 2023, arXiv:2307.08691, section 2.3.1.
    """
    m, l, o = state
    new_max = max(m, float(scores.max()))
    rescale = float(np.exp(m - new_max))
    weights = np.exp(scores - new_max)
    return rescale, weights, (new_max, rescale * l + float(weights.sum()), rescale * o + float(weights @ values))


def tiles_in_order(scores: Array, tile: int, order: str) -> list[tuple[int, NDArray[np.intp]]]:
    """Cut the keys into tiles and put these in one of the `ORDERS`: each tile's number as given, and its keys."""
    if order not in ORDERS:
        raise ValueError(f"order is one of {ORDERS}, not {order!r}")
    cut = [(start // tile, np.arange(start, min(start + tile, len(scores)))) for start in range(0, len(scores), tile)]
    if order == "as given":
        return cut
    return sorted(cut, key=lambda item: float(scores[item[1]].max()), reverse=order == "descending")


def online_softmax(scores: Array, values: Array, tile: int, order: str = "as given") -> list[TileStep]:
    """Attention of one query over its keys, tile by tile.

    Parameters
    ----------
    scores, values : ndarray, shape (n,)
        Scaled scores, and the scalar value of each key.
    tile : int
        Keys in a tile.
    order : str
        "as given", or tiles sorted by their largest score: "ascending", "descending".

    Returns
    -------
    list of TileStep, shape (n / tile,)
        In the order of processing; the last one's `output` is the exact attention output.
    """
    state: Sums = (-np.inf, 0.0, 0.0)
    steps = []
    for number, keys in tiles_in_order(scores, tile, order):
        rescale, weights, after = merge(state, scores[keys], values[keys])
        steps.append(TileStep(number, keys, float(scores[keys].max()), state, rescale, weights, after))
        state = after
    return steps


@dataclass(frozen=True)
class State:
    """The tiles, the one being taken in, and how far that has come."""

    tiles: list[TileStep]
    at: int
    phase: str

    @property
    def tile(self) -> TileStep:
        """The tile being taken in."""
        return self.tiles[self.at]

    @property
    def sums(self) -> tuple[float, float]:
        """l and O as they stand in this phase."""
        _, l_before, o_before = self.tile.before
        if self.phase == "add":
            return self.tile.after[1:]
        factor = self.tile.rescale if self.rescaled else 1.0
        return l_before * factor, o_before * factor

    @property
    def maximum(self) -> float:
        """The running maximum as it is known in this phase."""
        return self.tile.before[0] if self.phase == "load" else self.tile.after[0]

    @property
    def rescaled(self) -> bool:
        """Whether what is kept has been multiplied by the tile's factor."""
        return self.phase not in ("load", "max")

    @property
    def output(self) -> float:
        """O / l of the tiles that are summed."""
        return self.tiles[self.done - 1].output

    @property
    def ended(self) -> bool:
        """Whether all tiles are summed."""
        return self.done == len(self.tiles)

    @property
    def done(self) -> int:
        """How many tiles are summed."""
        return self.at + (self.phase == "add")


def solve(order: str, tile: int) -> list[TileStep]:
    """What each tile of `tile` keys does, in the given order."""
    return online_softmax(SCORES, VALUES, tile, order)


def beats(step: TileStep) -> tuple[str, ...]:
    """The phases of one tile; a rescale only where a sum changes by it."""
    return tuple(phase for phase in PHASES if phase != "rescale" or 0 < step.rescale < 1)


def steps(tiles: list[TileStep]) -> list[Chapter]:
    """A chapter for each tile, with a beat for each phase."""
    gap = min(0.65, 3.6 / len(tiles))
    found = []
    for at, tile in enumerate(tiles):
        states = [State(tiles, at, phase) for phase in beats(tile)]
        times = evenly(len(states) - 1, gap * (len(states) - 1), lead=gap if at else 0.25)
        found.append(Chapter(states, times, f"tile {at + 1}"))
    return found
