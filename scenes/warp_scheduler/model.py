"""One scheduler of an SM over cycles: warps that issue a few instructions in a row, then wait for memory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Cycles = NDArray[np.int64]

SLOTS = 16  # warps that one scheduler can hold
LANES = 32  # threads in a warp
NOBODY = -1
SIMULATED = 20_000  # cycles of the simulation
H100_BANDWIDTH = 3.352e12  # of its memory [B/s]
H100_LATENCY = 345e-9  # of its memory, measured [s]
H100_SMS = 132


def slots_used(warps: ArrayLike, instructions: int, latency: int) -> NDArray[np.float64]:
    """Share of the issue slots that are used in the steady state.

    Parameters
    ----------
    warps : array_like
        Warps of the scheduler, 0 or more.
    instructions : int
        Instructions i that a warp issues in a row before it waits, at least 1.
    latency : int
        Cycles L that it then waits [cycles].

    Returns
    -------
    ndarray
        min(1, W·i / (i + L)), 0 to 1.

    References
    ----------
    .. [1] Volkov, "Understanding Latency Hiding on GPUs", 2016, volkov-thesis.
    .. [2] Little, "A Proof for the Queuing Formula: L = λW", 1961, littles-law.
    """
    _check(1, instructions, latency)
    if np.min(warps) < 0:
        raise ValueError(f"a scheduler has 0 warps or more, not {warps!r}")
    share = np.asarray(warps, dtype=float) * instructions / (instructions + latency)
    return np.asarray(np.minimum(1.0, share))


def warps_to_saturate(instructions: int, latency: int) -> int:
    """The fewest warps that leave no issue slot empty: (i + L) / i, rounded up."""
    _check(1, instructions, latency)
    return -(-(instructions + latency) // instructions)


@lru_cache(8)  # a picture asks for the same several times
def issued_by(warps: int, instructions: int, latency: int, cycles: int) -> Cycles:
    """Simulate the scheduler: greedy, then oldest first.

    It stays with one warp until that warp has to wait, then takes the warp that has been ready for longest. All
    warps are ready at the start.

    Parameters
    ----------
    warps, instructions, latency : int
        As for `slots_used`.
    cycles : int
        How long [cycles]; for each, shape (cycles,), the warp that issues is returned, or `NOBODY`.
    """
    _check(warps, instructions, latency)
    slots = np.full(cycles, NOBODY, dtype=np.int64)
    # Whoever stalls first is back first, so the queue stays in the order of being ready.
    queue = deque((0, warp) for warp in range(warps))
    now = 0
    while now < cycles:
        ready, warp = queue.popleft()
        start = max(now, ready)
        now = start + instructions
        slots[start:now] = warp
        queue.append((now + latency, warp))
    return slots


def bytes_in_flight(bandwidth: float, latency: float) -> float:
    """Bytes that must be on their way at any time to use a memory in full: bandwidth [B/s] times latency [s].

    References
    ----------
    .. [1] Little, "A Proof for the Queuing Formula: L = λW", 1961, littles-law.
    """
    if bandwidth < 0 or latency < 0:
        raise ValueError(f"bandwidth and latency are 0 or more, not {bandwidth} and {latency}")
    return bandwidth * latency


def stretches(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where `flags` is set: start and end of each stretch, the end not included."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0])))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _check(warps: int, instructions: int, latency: int) -> None:
    if warps < 1 or instructions < 1 or latency < 0:
        raise ValueError(
            "a scheduler needs 1 warp and 1 instruction or more, and a latency of 0 cycles or more, "
            f"not {warps}, {instructions} and {latency}"
        )


@dataclass(frozen=True)
class Load:
    """What the scheduler is given: warps, instructions in a row, and latency [cycles]."""

    warps: int
    latency: int
    instructions: int

    @property
    def period(self) -> int:
        """Cycles from the first instruction of a warp to when it may issue again."""
        return self.instructions + self.latency

    @property
    def turn(self) -> int:
        """Cycles after which the picture repeats: longer than `period` where the warps queue for slots."""
        return max(self.period, self.issues)

    @property
    def issues(self) -> int:
        """Slots used in a turn."""
        return self.warps * self.instructions

    @property
    def idle(self) -> int:
        """Empty slots in a turn."""
        return self.turn - self.issues

    @property
    def used(self) -> float:
        """Percent of the slots."""
        return 100 * float(slots_used(self.warps, self.instructions, self.latency))

    @property
    def saturate(self) -> int:
        """Warps that use every slot."""
        return warps_to_saturate(self.instructions, self.latency)

    @property
    def hidden(self) -> bool:
        """Whether the latency is hidden: no slot is empty."""
        return self.warps >= self.saturate

    def issued(self, cycles: int) -> Cycles:
        """Who issues in each cycle, shape (cycles,)."""
        return issued_by(self.warps, self.instructions, self.latency, cycles)
