"""Little's law for memory: what is on its way, how long it takes, and how fast it therefore comes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._gpus.memory import GPUS, WARPS, Gpu

LANES = 32
WIDTHS = (4, 16)  # [B] of a lane's load
LOADS = (1, 2, 4)  # that a warp has on their way at once
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 56, WARPS)  # warps on an SM


def rate_reached(in_flight: ArrayLike, latency: float, bandwidth: float) -> NDArray[np.float64]:
    """The rate at which bytes come, if so many are on their way all the time.

    Parameters
    ----------
    in_flight : array_like, shape (n,)
        Bytes on their way [B], at least 0.
    latency : float
        From a load to its result when nothing else is on its way [s].
    bandwidth : float
        The most that memory hands over [B/s].

    Returns
    -------
    ndarray, shape (n,)
        in_flight / latency, and never more than the bandwidth [B/s].

    References
    ----------
    .. [1] Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research 9(3), 1961.
    """
    if not (latency > 0 and bandwidth > 0):
        raise ValueError(f"latency and bandwidth are positive, not {latency} and {bandwidth}")
    under_way = np.asarray(in_flight, dtype=float)
    if (under_way < 0).any():
        raise ValueError("no fewer than 0 bytes are on their way")
    return np.minimum(under_way / latency, bandwidth)


@dataclass(frozen=True)
class Traffic:
    """The loads that every SM of a GPU keeps on their way."""

    gpu: Gpu
    width: int  # [B] of a lane's load
    loads: int  # of a warp, at once
    warps: int  # on an SM

    @property
    def load(self) -> int:
        """What one load of a warp brings [B]."""
        return LANES * self.width

    @property
    def in_flight(self) -> int:
        """What one SM has on its way [B]."""
        return self.warps * self.loads * self.load

    @property
    def share(self) -> float:
        """One SM's part of the bandwidth [B/s]."""
        return self.gpu.hbm_rate / self.gpu.sms

    @property
    def rate(self) -> float:
        """What all SMs get [B/s]."""
        return self.gpu.sms * float(rate_reached(self.in_flight, self.gpu.latency, self.share))

    @property
    def used(self) -> float:
        """The rate as a share of the bandwidth [%]."""
        return 100 * self.rate / self.gpu.hbm_rate

    @property
    def wait(self) -> float:
        """How long a load takes [s]: beyond the knee more bytes in flight are only a longer queue."""
        return self.in_flight * self.gpu.sms / self.rate

    @property
    def knee(self) -> float:
        """The fewest bytes in flight on an SM that can keep memory busy: its share times the latency [B]."""
        return self.share * self.gpu.latency

    @property
    def busy(self) -> bool:
        """Whether memory is kept busy all the time."""
        return self.in_flight >= self.knee

    @property
    def needed(self) -> int:
        """Warps that would be enough, with loads like these."""
        return int(np.ceil(self.knee / (self.loads * self.load)))

    def at(self, warps: int) -> Traffic:
        return Traffic(self.gpu, self.width, self.loads, warps)


# [B] on its way on each SM of a B200, and the most GB/s that any of the ways to have them there reached: copies of 16 B
# a thread; `ldgsts_throughput/ldgsts_tput.csv` of SemiAnalysis' Blackwell Microbenchmarks.
MEASURED = {"B200": ((1024, 341.3), (2048, 685.0), (4096, 1356.1), (8192, 2625.1), (12288, 3782.6), (16384, 4785.0),
                     (24576, 5927.5), (32768, 6552.9), (49152, 6692.2), (65536, 6690.0))}  # fmt: skip


def solve(gpu: str, width: int, loads: int, warps: int) -> Traffic:
    if gpu not in GPUS:
        raise ValueError(f"gpu is one of {tuple(GPUS)}, not {gpu!r}")
    return Traffic(GPUS[gpu], width, loads, warps)
