"""One launch, and what its blocks take of an SM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from . import model
from .model import BLOCK_SLOTS, GPUS, KIB, LANES, MOST_REGISTERS, QUARTERS, REGISTERS, WARP_SLOTS, Gpu

WARPS, FILE, SHARED, SLOTS = range(4)  # the resources, in the order of `RESOURCES`
FEWEST_REGISTERS = 16  # where the staircase begins


@dataclass(frozen=True)
class Launch:
    """A kernel's blocks: threads of each, registers of each thread, shared memory of each [KiB], and the machine.

    What is counted by resource is in the order of `RESOURCES`, shared memory in bytes.
    """

    threads: int
    registers: int
    shared: int
    gpu: Gpu
    warps: int  # of a block
    warp_registers: int
    has: tuple[int, ...]  # of each resource, in the SM
    takes: tuple[int, ...]  # of each resource, for one block
    fits: tuple[int, ...]  # blocks that each resource alone would hold
    treads: tuple[tuple[int, int, float], ...]  # the staircase: first and last number of registers, and occupancy [%]

    @property
    def granted(self) -> int:
        """Registers that a thread gets, of which it may use fewer."""
        return self.warp_registers // LANES

    @property
    def quarter_warps(self) -> int:
        """Whole warps for which a sub-partition has registers."""
        return REGISTERS // QUARTERS // self.warp_registers

    @property
    def blocks(self) -> int:
        """On the SM; if not even one fits, the launch is refused."""
        return min(self.fits)

    @property
    def fails(self) -> bool:
        return self.blocks == 0

    @cached_property
    def binding(self) -> tuple[int, ...]:
        """The resources that hold no more blocks than any other: usually one."""
        return tuple(at for at, fit in enumerate(self.fits) if fit == self.blocks)

    @property
    def resident(self) -> int:
        """Warps on the SM."""
        return self.blocks * self.warps

    @property
    def occupancy(self) -> float:
        """Percent."""
        return 100 * self.resident / WARP_SLOTS

    @cached_property
    def left(self) -> tuple[int, ...]:
        """What is left of each resource."""
        return tuple(has - self.blocks * takes for has, takes in zip(self.has, self.takes, strict=True))

    def unrounded(self, registers: int) -> float:
        """The occupancy if nothing were rounded [%], with so many registers for each thread."""
        return 100 * float(model.unrounded(self.threads, registers, self.shared * KIB, self.gpu))

    def tread(self, registers: int) -> int:
        """The step of the staircase on which it stands with so many registers for each thread."""
        return next(at for at, (_, last, _) in enumerate(self.treads) if registers <= last)


def solve(threads: int, registers: int, shared: int, gpu: str) -> Launch:
    machine, size = GPUS[gpu], shared * KIB
    warps, each = int(model.block_warps(threads)), int(model.warp_registers(registers))
    has = (WARP_SLOTS, REGISTERS, machine.shared, BLOCK_SLOTS)
    takes = (warps, warps * each, int(model.block_shared(size)), 1)
    fits = tuple(model.blocks_by(threads, registers, size, machine).tolist())
    shares = model.treads(threads, size, machine, FEWEST_REGISTERS, MOST_REGISTERS)
    treads = tuple((first, last, 100 * share) for first, last, share in shares)
    return Launch(threads, registers, shared, machine, warps, each, has, takes, fits, treads)
