"""What share of a long sum is lost on Hopper, by the rule of its tensor cores, over the number of terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .._formats import tensor_core
from .model import INSTRUCTION_TERMS, rounded
from .story import INTERVALS, Story

NEVER = 0
LENGTHS = tuple(2**power for power in range(7, 17))  # at which the loss is taken [terms]
STALL = 2 ** (tensor_core.FP8.aligned + 1)  # a sum of ones stops here: 1 lies below what is kept beside it
SUMS = 32  # of which a loss is the mean
SMALLEST_NORMAL = 2.0**-6  # of E4M3
SEED = 3
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Longer:
    """The step after a sum on Hopper: the same rule on sums of any length."""

    story: Story

    @property
    def promote(self) -> int:
        """The interval shown beside no promotion [terms]: the chosen one, or DeepSeek-V3's."""
        return int(self.story.promote) if self.story.promote != "never" else 128


def longer(story: Story) -> tuple[Longer, ...]:
    """Only tensor cores have it."""
    return (Longer(story),) if story.cuts else ()


@cache
def factors() -> tuple[Numbers, Numbers, Numbers]:
    """Factors of uniform dot products, shape (sums, terms), and the exact sums of their products up to each term."""
    a = rounded(np.random.default_rng(SEED).random((SUMS, LENGTHS[-1])), "E4M3")
    b = np.roll(a, 1, axis=0)
    return a, b, np.cumsum(a * b, axis=1)


@cache
def losses() -> dict[int, tuple[float, ...]]:
    """Share of a dot product that is lost, for each of `LENGTHS` [%], by the terms between promotions to FP32.

    Factors are uniform in [0, 1) and rounded to E4M3. All products are positive, so that no loss makes up for another.
    Every interval takes the same products, so all are summed at once.
    """
    (a, b, exact), found, promotes = factors(), [], (NEVER, *INTERVALS)
    totals, sums = np.zeros((len(promotes), SUMS), dtype=np.float32), np.zeros((len(promotes), SUMS))
    for start in range(0, LENGTHS[-1], INSTRUCTION_TERMS):
        now, end = slice(start, start + INSTRUCTION_TERMS), start + INSTRUCTION_TERMS
        sums = tensor_core.multiply_add(a[:, now], b[:, now], sums, SMALLEST_NORMAL)
        due = [bool(promote) and end % promote == 0 for promote in promotes]
        totals[due] += sums[due].astype(np.float32)
        sums[due] = 0.0
        if end in LENGTHS:
            whole = exact[:, end - 1]
            found.append((100 * ((whole - totals - sums) / whole).mean(axis=1)).tolist())
    return dict(zip(promotes, zip(*found, strict=True), strict=True))


def lost(promote: int) -> tuple[float, ...]:
    """Share of a dot product that is lost, for each of `LENGTHS` [%]; see `losses`.

    Parameters
    ----------
    promote : int
        Terms between promotions to FP32 [terms], one of `INTERVALS`; `NEVER` for none.
    """
    return losses()[promote]


def lost_of_ones(length: int) -> float:
    """Share of a sum of ones that is lost without promotion [%]."""
    return 100 * (1 - min(length, STALL) / length)
