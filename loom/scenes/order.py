"""The order of painting: all keys of some frames, each before those that are painted over it."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import TopologicalSorter
from itertools import pairwise


def paint_order(stacks: Iterable[tuple[str, ...]]) -> list[str]:
    """One order for frames whose keys are given from the lowest up.

    Raises CycleError if some mark is painted now over, now under another one.
    """
    under: dict[str, dict[str, None]] = {}  # key → the keys that stand right before it in some frame
    for keys in stacks:
        for key in keys[:1]:
            under.setdefault(key, {})
        for below, key in pairwise(keys):
            under.setdefault(key, {})[below] = None
    return list(TopologicalSorter(under).static_order())
