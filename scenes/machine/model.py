"""Where a load is found: the first memory on its way out that holds all the data that are read again and again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .._gpus.memory import GPUS, H200, KB, MB, THREAD_REGISTERS, Gpu

MACHINES = {name: GPUS.get(name, H200) for name in ("A100", "H100", "H200", "B200")}
REGISTERS, L1, NEAR, FAR, HBM = "registers", "L1", "L2, near half", "L2, far half", "HBM"
# Two sizes an octave, 512 B to 8 GB, as powers of two are counted [B].
SIZES = tuple(factor << power for power in range(8, 33) for factor in (2, 3) if factor << power <= 8 << 30)


@dataclass(frozen=True)
class Level:
    """A memory on the way out."""

    name: str
    holds: float  # [B] that one load can find in it
    cycles: int  # from the load to its result
    rate: float  # [B/s] of the whole GPU; 0 where it is not known


def levels_of(gpu: Gpu) -> tuple[Level, ...]:
    """The memories of a GPU from the nearest to the farthest.

    Parameters
    ----------
    gpu : Gpu

    Returns
    -------
    tuple of Level
        Each holds more than the one before it and takes longer. Where the halves of L2 have not been told apart, they
        are one level.

    References
    ----------
    .. [1] NVIDIA, "CUDA C++ Best Practices Guide": reading a register takes no extra cycle.
    .. [2] RRZE-HPC, "gpu-benches", gpu-latency: steps at the size of L1, of half of L2, and of all of it.
    """
    halves = (Level(NEAR, gpu.l2 / 2, gpu.near, gpu.l2_rate), Level(FAR, gpu.l2, gpu.far, gpu.l2_rate))
    return (
        Level(REGISTERS, THREAD_REGISTERS, 0, gpu.register_rate),
        Level(L1, gpu.l1, gpu.l1_cycles, gpu.l1_rate),
        *(halves if gpu.far else (Level("L2", gpu.l2, gpu.near, gpu.l2_rate),)),
        Level(HBM, gpu.hbm, gpu.hbm_cycles, gpu.hbm_rate),
    )


@dataclass(frozen=True)
class Sent:
    """One load, of a thread that goes through some data again and again."""

    gpu: Gpu
    size: int  # [B] of those data

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        return levels_of(self.gpu)

    @cached_property
    def at(self) -> int:
        """The level where the load is found: the first that holds all of the data."""
        return next(at for at, level in enumerate(self.levels) if self.size <= level.holds)

    @property
    def found(self) -> Level:
        return self.levels[self.at]

    @property
    def seconds(self) -> float:
        """From the load to its result [s]."""
        return self.found.cycles / self.gpu.clock

    def reached(self, cycles: float) -> int:
        """The level that the load has come to after some cycles."""
        return max(at for at, level in enumerate(self.levels) if level.cycles <= cycles)

    def filled(self, level: Level) -> float:
        """How much of a level the data take up, 0 to 1."""
        return min(1.0, self.size / level.holds)


def solve(gpu: str, size: int) -> Sent:
    if gpu not in MACHINES:
        raise ValueError(f"gpu is one of {tuple(MACHINES)}, not {gpu!r}")
    if not 0 < size <= MACHINES[gpu].hbm:
        raise ValueError(f"a {gpu} holds 1 to {MACHINES[gpu].hbm:.0f} bytes, not {size}")
    return Sent(MACHINES[gpu], size)


def spelled(size: float) -> str:
    """A size in the units of on-chip memory: 1.5 KB, 25 MB; from 1,024 MB on in GB."""
    for unit, scale in (("GB", MB * KB), ("MB", MB), ("KB", KB)):
        if size >= scale:
            return f"{size / scale:.4g}\u00a0{unit}"
    return f"{size:,.0f}\u00a0B"
