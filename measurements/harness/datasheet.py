"""What the makers of a GPU promise: the only constants that a prediction may use, beside what the driver reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DataSheet:
    """Peak rates of one part, dense, and the latencies that microbenchmarks had found before ours."""

    bandwidth: float  # [B/s] of HBM
    clock: float  # [Hz], the highest of an SM
    fp32: float  # [FLOP/s] outside the tensor cores, at that clock
    tf32: float  # [FLOP/s] as all that follow: dense, in the tensor cores, at 1.83 GHz
    bf16: float
    fp8: float
    l1_cycles: float  # from a load to its result
    l2_near_cycles: float
    l2_far_cycles: float
    hbm_cycles: float
    l1: float  # [B] of an SM, shared memory included

    @property
    def latency(self) -> float:
        """From a load to its result out of HBM [s]."""
        return self.hbm_cycles / self.clock


# Rates: NVIDIA's data sheets of the H100 SXM (https://www.nvidia.com/en-us/data-center/h100/, bandwidth to the digit:
# 5 stacks of 1,024 bits at 2 × 2,619 MHz) and of the H200 SXM (https://www.nvidia.com/en-us/data-center/h200/), without
# sparsity. Latencies: the raw results of gpu-benches (https://github.com/te42kyfo/gpu-benches), from a GH200.
SHEETS = {
    "h100": DataSheet(3.352e12, 1.98e9, 66.9e12, 494.7e12, 989.4e12, 1978.9e12, 32, 280, 500, 690, 256 * 1024),
    "h200": DataSheet(4.8e12, 1.98e9, 66.9e12, 494.7e12, 989.4e12, 1978.9e12, 32, 280, 500, 690, 256 * 1024),
}
