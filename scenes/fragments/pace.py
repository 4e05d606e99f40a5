"""What plays while the sums' rows and columns are followed, and while a warpgroup's sums grow wider."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .model import K, N

LEAD = 0.25  # that the picture before anything sets out stands [s]
WIDTHS = tuple(N << power for power in range(6))  # from an mma's columns to the most there are
STOPS = tuple(range(0, K + 1, K // 4))  # of the products of each sum


def following(_: Moment) -> tuple[float, ...]:
    return evenly(len(STOPS) - 1, 2.0, lead=LEAD, landed=True)


def widening(_: Moment) -> tuple[float, ...]:
    return evenly(len(WIDTHS) - 1, 3.2, lead=LEAD, landed=True)


def under_way(stops: tuple[int, ...], moment: Moment) -> int:
    """The stop for which everything makes."""
    return stops[min(moment.beat, len(stops) - 1)]


def reached(stops: tuple[int, ...], moment: Moment) -> int:
    """The stop that has been reached: numbers change here, and not where something sets out for it."""
    return stops[-1] if moment.progress == 1 else stops[max(moment.beat - 1, 0)]
