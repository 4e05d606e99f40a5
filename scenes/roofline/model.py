"""The roof over all kernels: no faster than memory brings the bytes, and no faster than the GPU computes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._gpus.rates import ELEMENT_BYTES, GIGA, GPUS, Gpu
from .kernels import KERNELS, Work, work

MEMORY, ARITHMETIC, BOTH = "memory", "arithmetic", "both"
ANY = "any"  # a kernel of which only the intensity is known
ANY_INTENSITIES = tuple(float(f"{2 ** (at / 3):.3g}") for at in range(-9, 37))  # 1/8 to 4,096 FLOP/B, three an octave


def attainable_rate(peak: float, bandwidth: float, intensity: ArrayLike) -> NDArray[np.float64]:
    """The most that a kernel can reach under the roof.

    Parameters
    ----------
    peak : float
        Peak rate of arithmetic [FLOP/s].
    bandwidth : float
        Bandwidth of memory [B/s].
    intensity : array_like, shape (n,)
        Operations for each byte moved [FLOP/B], at least 0.

    Returns
    -------
    ndarray, shape (n,)
        min(peak, bandwidth · intensity) [FLOP/s].

    References
    ----------
    .. [1] Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009, doi:10.1145/1498765.1498785.
    """
    points = np.asarray(intensity, dtype=float)
    if not (peak > 0 and bandwidth > 0):
        raise ValueError(f"peak and bandwidth are positive, not {peak} and {bandwidth}")
    if (points < 0).any():
        raise ValueError("an intensity is at least 0")
    return np.minimum(peak, bandwidth * points)


def ridge_point(peak: float, bandwidth: float) -> float:
    """The intensity at which memory and arithmetic are both used in full: peak / bandwidth [FLOP/B]."""
    return peak / bandwidth


@dataclass(frozen=True)
class Case:
    """A kernel on a GPU, with numbers of some precision."""

    peak: float  # [FLOP/s]
    bandwidth: float  # [B/s]
    work: Work

    @property
    def ridge(self) -> float:
        """Where the slope meets the ceiling [FLOP/B]."""
        return ridge_point(self.peak, self.bandwidth)

    @property
    def intensity(self) -> float:
        """Operations for each byte moved [FLOP/B]."""
        return self.work.intensity

    @cached_property
    def attainable(self) -> float:
        """The most that the kernel can reach [FLOP/s]."""
        return float(attainable_rate(self.peak, self.bandwidth, self.intensity))

    @property
    def share(self) -> float:
        """The attainable rate as a share of the peak [%]."""
        return 100 * self.attainable / self.peak

    @property
    def memory_time(self) -> float:
        """How long the bytes take at full bandwidth [s]."""
        return self.work.bytes / self.bandwidth

    @property
    def arithmetic_time(self) -> float:
        """How long the operations take at the peak rate [s]."""
        return self.work.flops / self.peak

    @property
    def time(self) -> float:
        """The least time that the kernel takes, bytes and operations side by side [s]."""
        return max(self.memory_time, self.arithmetic_time)

    @property
    def bound(self) -> str:
        """What limits the kernel: MEMORY, ARITHMETIC, or BOTH on the ridge itself."""
        if self.intensity == self.ridge:
            return BOTH
        return MEMORY if self.intensity < self.ridge else ARITHMETIC


def case(gpu: str, precision: str, kernel: str) -> Case:
    """A kernel's case. Elements are as wide as `precision`, even where the GPU computes in a wider one."""
    if gpu not in GPUS:
        raise ValueError(f"gpu is one of {tuple(GPUS)}, not {gpu!r}")
    machine = GPUS[gpu]
    peak = machine.peak(precision)  # refuses an unknown precision
    return Case(peak, machine.bandwidth, work(kernel, ELEMENT_BYTES[precision]))


@cache  # the same for every kernel that the reader may choose
def cases_of(gpu: str, precision: str) -> dict[str, Case]:
    return {kernel: case(gpu, precision, kernel) for kernel in KERNELS}


@dataclass(frozen=True)
class Chosen:
    """What the reader chose: a GPU, by name, the precision of numbers, and a kernel, or any intensity."""

    name: str
    precision: str
    kernel: str
    any_intensity: float  # [FLOP/B], of the kernel `ANY`

    @property
    def gpu(self) -> Gpu:
        return GPUS[self.name]

    @property
    def cases(self) -> dict[str, Case]:
        """Every kernel on this GPU."""
        return cases_of(self.name, self.precision)

    def at(self, intensity: float) -> Case:
        """A kernel that moves a gigabyte at some intensity [FLOP/B]."""
        return Case(self.gpu.peak(self.precision), self.gpu.bandwidth, Work(intensity * GIGA, GIGA))

    @cached_property
    def case(self) -> Case:
        return self.at(self.any_intensity) if self.kernel == ANY else self.cases[self.kernel]

    @property
    def computes_in(self) -> str:
        """The precision whose rate is the ceiling: a wider one where the GPU lacks the one chosen."""
        return self.gpu.computes_in(self.precision)

    @property
    def falls_back(self) -> bool:
        return self.computes_in != self.precision
