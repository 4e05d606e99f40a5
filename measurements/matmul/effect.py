"""One matrix product from the naive kernel to the library's, and what else its speed hangs on."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

SIDE = 4096
LANES, WAVEFRONT, SECTOR = 32, 128, 32  # of a warp; what L1 or shared memory hands over in a cycle; what L1 asks L2 for
TENSOR_CLOCK = 1.83e9  # [Hz], at which the data sheet counts the tensor cores
FRAGMENT = 16 * 16 * 2 // WAVEFRONT  # wavefronts of 16 x 16 numbers in BF16
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"

# In the order of `ladder count`: the rungs in float, the rows and columns of a block's tile, what a warp needs of L1
# or shared memory for one multiplication of each lane [wavefronts], and the sectors of a load.
FLOAT_RUNGS = {
    "strided": (None, 32 + 1, (32 + 1) / 2),  # 32 lines of A and one number of B
    "coalesced": (None, 1 + 1, (1 + 4) / 2),
    "shared 16": (16, 1 + 1, 4),
    "shared 32": (32, 1 + 1, 4),
    "registers 4x4": (64, (4 + 4) / 16, 16),
    "registers 8x8": (128, (8 + 8) / 64, 16),
}
WMMA_RUNGS = {"wmma 16x16": 1, "wmma 64x64": 4}  # fragments of a warp, each way


def speed(gpu: Gpu, rung: str) -> float:
    """The peak, unless L1 or shared memory holds it up at a wavefront a cycle, or the last wave isn't full."""
    sheet, cycles = gpu.sheet, gpu.sms * gpu.sheet.clock
    if rung in FLOAT_RUNGS:
        return min(sheet.fp32, cycles * 2 * LANES / FLOAT_RUNGS[rung][1])
    if rung in WMMA_RUNGS:
        each = WMMA_RUNGS[rung]
        return min(sheet.bf16, cycles * 2 * 16**3 * each**2 / (2 * each * FRAGMENT))
    if rung.startswith("cuBLAS"):
        return float(getattr(sheet, rung.split()[1]))
    return sheet.bf16 * filled(gpu, SIDE, *sides(rung.split()[1]))


def sides(tile: str) -> tuple[int, int]:
    """Rows and columns of "128x256"."""
    rows, columns = map(int, tile.split("x"))
    return rows, columns


def filled(gpu: Gpu, side: int, rows: int, columns: int) -> float:
    """The share of the work that is wanted, if whole tiles are computed in whole waves of one on each SM."""
    tiles = ceil(side / rows) * ceil(side / columns)
    return side**2 / (ceil(tiles / gpu.sms) * gpu.sms * rows * columns)


def staged(gpu: Gpu, tile: str, stages: float) -> float:
    """A step costs max(C, (L + C) / S) cycles if one block is on an SM: C to multiply, L until a load arrives."""
    rows, columns = sides(tile)
    compute = rows * columns * 64 * 2 / (gpu.sheet.bf16 / gpu.sms / TENSOR_CLOCK)
    step = max(compute, (gpu.sheet.l2_far_cycles + compute) / stages)
    return gpu.sheet.bf16 * compute / step * filled(gpu, SIDE, rows, columns)


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """What the textbook says: data don't matter, and nothing is said of power."""
    if series == "speed":
        return speed(gpu, str(at["rung"]))
    if series == "l1_bytes":
        tile = FLOAT_RUNGS[str(at["rung"])][0]
        return SIDE**3 * (1 / tile + 1 / tile) * 4 if tile else None
    if series == "sectors":
        return FLOAT_RUNGS[str(at["rung"])][2]
    if series == "stages":
        return staged(gpu, str(at["tile"]), float(at["stages"]))
    if series == "off_grid":
        return gpu.sheet.bf16 * filled(gpu, int(at["side"]), 128, 256)
    return {"burst": gpu.sheet.bf16, "sustained": gpu.sheet.bf16, "clock": gpu.clock_sm_max}.get(series)


def measure(machine: Machine) -> Iterator[Sample]:
    """Lower rungs by hand, counters of theirs, then what Triton and the library do."""
    yield from machine.program("ladder.cu")
    kernels = "strided|coalesced|shared_tile|registers"
    launches = machine.counters("ladder.cu", "count", metrics=(SECTORS, REQUESTS), kernels=kernels)
    for rung, launch in zip(FLOAT_RUNGS, launches, strict=False):  # no launches where counters can't be read
        sectors = launch.values[SECTORS]
        yield Sample("sectors", {"rung": rung}, [sectors / launch.values[REQUESTS]], True)
        if FLOAT_RUNGS[rung][0]:
            yield Sample("l1_bytes", {"rung": rung}, [sectors * SECTOR], True)
    yield from machine.program("library.py")


EFFECT = Effect(
    title="One matrix product, from four lines to the library",
    question="What does each rung of the ladder bring, and what held it up?",
    series=(
        Series("speed", "speed at 4,096 rows and columns", "FLOP/s", ("rung",), ("name",)),
        Series("sectors", "sectors for each request of a warp", "sectors", ("rung",), ("name",), counted=True),
        Series("l1_bytes", "bytes loaded into L1", "B", ("rung",), ("name",), counted=True),
        Series("stages", "speed in Triton", "FLOP/s", ("tile", "stages"), ("name", "stages")),
        Series("off_grid", "speed of cuBLAS, BF16", "FLOP/s", ("side",), ("elements",)),
        Series("burst", "speed of cuBLAS, BF16, in short bursts", "FLOP/s", ("data",), ("name",)),
        Series("sustained", "speed of cuBLAS, BF16, without a pause", "FLOP/s", ("data",), ("name",)),
        Series("clock", "clock without a pause", "Hz", ("data",), ("name",), counted=True),
        Series("power", "power without a pause", "W", ("data",), ("name",), counted=True),
    ),
    predicted_from=(
        "The data sheet's peak, or one wavefront of 128 bytes a cycle from L1 or shared memory if that is less; stages "
        "by max(C, (L + C) / S) with one block on an SM; sides by whole tiles of 128 by 256 in whole waves."
    ),
    predict=predict,
    measure=measure,
    modules=("torch", "triton"),
)
