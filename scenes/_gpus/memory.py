"""Three GPUs as their memories: how much each holds, how far away it is, and how much it hands over."""

from __future__ import annotations

from dataclasses import dataclass, replace

KB, MB = 1024, 1024**2  # of on-chip memory, and of working sets
GIGA, TERA = 10**9, 10**12  # of HBM, clocks and rates

SUB_PARTITIONS = 4  # of an SM
REGISTERS = 256 * KB  # of an SM, in every part here
THREAD_REGISTERS = 255 * 4  # [B]: the most that one thread can have
WARPS = 64  # that an SM can hold


@dataclass(frozen=True)
class Gpu:
    """One part, and what is known of its memories.

    Cycles are those from a load to its result when nothing else is under way. `far` is the way to the half of L2 that
    is not near by, and 0 where the two have not been told apart. `l2_rate` is 0 where we know of no measurement.
    """

    name: str
    part: str
    sms: int
    clock: float  # [Hz], at which the cycles were counted
    l1: int  # [B] of an SM, shared memory included
    tensor_memory: int  # [B] of an SM
    l2: float  # [B], both halves
    hbm: float  # [B]
    l1_cycles: int
    near: int
    far: int
    hbm_cycles: int
    register_rate: float  # [B/s] of the whole GPU, as all that follow
    l1_rate: float
    l2_rate: float
    hbm_rate: float

    @property
    def on_sm(self) -> int:
        """What one SM holds [B]."""
        return REGISTERS + self.l1 + self.tensor_memory

    @property
    def on_chip(self) -> float:
        """What all SMs and L2 hold [B]."""
        return self.sms * self.on_sm + self.l2

    @property
    def latency(self) -> float:
        """From a load to its result, if it has to come from HBM [s]."""
        return self.hbm_cycles / self.clock


def register_rate(flops: float) -> float:
    """Bytes that the registers hand over at a peak rate of 32-bit FLOPs: three operands for each fused pair [B/s]."""
    return flops / 2 * 3 * 4


def l1_rate(sms: int, clock: float) -> float:
    """128 bytes a cycle from every SM's L1 or shared memory [B/s]."""
    return 128 * sms * clock


# Sizes and SMs: NVIDIA's white papers and compute-capability tables; a B200's as its driver reports them. A100, H100:
# cycles and L2 rates from the raw results of gpu-benches, measured on an A100 with 80 GB, on a GH200, and, for the rate
# of a Hopper's L2, on an H200. B200: L1 and L2 from Chips and Cheese (19.6 and about 150 ns). Its HBM from the
# microbenchmarks of SemiAnalysis: 256 B in flight on each SM bring 87.35 GB/s, which is 434 ns for a copy and its wait.
GPUS = {
    gpu.name: gpu
    for gpu in (
        Gpu("A100", "A100 SXM, 80 GB", 108, 1.41e9, 192 * KB, 0, 40 * MB, 80 * GIGA, 33, 205, 400, 550,
            register_rate(19.5e12), l1_rate(108, 1.41e9), 5.4e12, 2039e9),
        Gpu("H100", "H100 SXM", 132, 1.98e9, 256 * KB, 0, 50 * MB, 80 * GIGA, 32, 280, 500, 690,
            register_rate(66.9e12), l1_rate(132, 1.98e9), 9.8e12, 3352e9),
        Gpu("B200", "B200, HGX", 148, 1.965e9, 256 * KB, 256 * KB, 126.5 * MB, 180 * GIGA, 39, 295, 0, 850,
            register_rate(75e12), l1_rate(148, 1.965e9), 0.0, 7700e9),
    )
}  # fmt: skip
# The same chip with more memory: HBM by its data sheet, L2 as its driver reports it.
H200 = replace(GPUS["H100"], name="H200", part="H200 SXM", l2=60 * MB, hbm=141 * GIGA, hbm_rate=4800e9)
