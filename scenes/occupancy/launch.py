"""One launch, what its blocks take of an SM, and the four steps in which it is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .model import (
    BLOCK_SLOTS,
    KIB,
    LANES,
    MOST_REGISTERS,
    QUARTERS,
    REGISTERS,
    RESOURCES,
    WARP_SLOTS,
    Gpu,
    block_shared,
    block_warps,
    blocks_by,
    treads,
    unrounded,
    warp_registers,
)

NEEDS, ALONE, TOGETHER, STAIRS = range(1, 5)  # the steps
WARPS, FILE, SHARED, SLOTS = range(4)  # the resources, in the order of `RESOURCES`
FEWEST_REGISTERS = 16  # where the staircase begins


@dataclass(frozen=True)
class Launch:
    """A kernel's blocks: threads of each, registers of each thread, shared memory of each [KiB], and the machine."""

    threads: int
    registers: int
    shared: int
    gpu: Gpu

    @cached_property
    def warps(self) -> int:
        """Of a block."""
        return int(block_warps(self.threads))

    @cached_property
    def warp_registers(self) -> int:
        return int(warp_registers(self.registers))

    @property
    def granted(self) -> int:
        """Registers that a thread gets, of which it may use fewer."""
        return self.warp_registers // LANES

    @property
    def quarter_warps(self) -> int:
        """Whole warps for which a sub-partition has registers."""
        return REGISTERS // QUARTERS // self.warp_registers

    @cached_property
    def has(self) -> tuple[int, int, int, int]:
        """What the SM has of each resource; shared memory in bytes."""
        return (WARP_SLOTS, REGISTERS, self.gpu.shared, BLOCK_SLOTS)

    @cached_property
    def takes(self) -> tuple[int, int, int, int]:
        """What one block takes of each resource."""
        return (self.warps, self.warps * self.warp_registers, int(block_shared(self.shared * KIB)), 1)

    @cached_property
    def fits(self) -> tuple[int, ...]:
        """Blocks that each resource alone would hold."""
        return tuple(blocks_by(self.threads, self.registers, self.shared * KIB, self.gpu).tolist())

    @cached_property
    def blocks(self) -> int:
        return min(self.fits)

    @cached_property
    def binding(self) -> tuple[int, ...]:
        """The resources that hold no more blocks than any other: usually one."""
        return tuple(at for at, fit in enumerate(self.fits) if fit == self.blocks)

    @property
    def fails(self) -> bool:
        """Whether not even one block fits: the launch is refused."""
        return self.blocks == 0

    @property
    def binding_names(self) -> list[str]:
        return [RESOURCES[at] for at in self.binding]

    @property
    def resident(self) -> int:
        """Warps on the SM."""
        return self.blocks * self.warps

    @property
    def occupancy(self) -> float:
        """Percent."""
        return 100 * self.resident / WARP_SLOTS

    def unrounded(self, registers: int | None = None) -> float:
        """The occupancy if nothing were rounded [%], with as many registers for each thread."""
        asked = self.registers if registers is None else registers
        return 100 * float(unrounded(self.threads, asked, self.shared * KIB, self.gpu))

    @cached_property
    def left(self) -> tuple[int, ...]:
        """What is left of each resource."""
        return tuple(has - self.blocks * takes for has, takes in zip(self.has, self.takes, strict=True))

    @property
    def asked_registers(self) -> int:
        """Registers that the threads on the SM asked for, without what rounding adds."""
        return self.blocks * self.threads * self.registers

    @cached_property
    def treads(self) -> list[tuple[int, int, float]]:
        """The staircase: first and last number of registers, and occupancy [%]."""
        found = treads(self.threads, self.shared * KIB, self.gpu, FEWEST_REGISTERS, MOST_REGISTERS)
        return [(first, last, 100 * height) for first, last, height in found]

    @cached_property
    def tread(self) -> int:
        """The step of the staircase on which the launch stands."""
        return next(at for at, (_, last, _) in enumerate(self.treads) if self.registers <= last)


@dataclass(frozen=True)
class State:
    """A launch at one of the four steps."""

    launch: Launch
    step: int

    def shown(self, resource: int) -> int:
        """Blocks that are drawn in a resource: one, as many as it holds alone, as many as the SM holds."""
        if self.step == NEEDS:
            return min(1, self.launch.fits[resource])
        return self.launch.fits[resource] if self.step == ALONE else self.launch.blocks
