"""What both memories are made of: slots, runs of free ones, and the requests that they refuse to hear of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
EMPTY = -1  # what a slot that was never written holds


def free_runs(free: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Runs of free slots.

    Parameters
    ----------
    free : ndarray, shape (n_slots,)
        Whether each slot is free.

    Returns
    -------
    list of (int, int)
        Start and length of every run [slots], in the order of addresses.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8)))
    return [(int(start), int(end - start)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def refuse_bad(name: str, prompt: Ints, most: int, lengths: dict[str, int]) -> None:
    """Raise ValueError for a name that is there already, and for a prompt that is empty or more than the most."""
    if name in lengths:
        raise ValueError(f"'{name}' is there already")
    if not 0 < len(prompt) <= most:
        raise ValueError(f"'{name}' has a prompt of {len(prompt)} tokens, and may have 1 to {most}")
