"""What a stride and an offset cost: loads of 4, 8 and 16 bytes, timed and counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

SECTOR, LANES = 32, 32
MIB = 2**20
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
HBM = "dram__bytes_read.sum"
FROM_L2 = "lts__t_sectors_srcunit_tex_op_read.sum"
COPIES, OFFSETS, COPIED = ("blocks", "persistent", "rows"), (0, 1, 4, 8, 16), 2**26  # as the program launches them
COUNTED = [  # element [B], stride, offset [elements]
    *((4, stride, offset) for stride in (1, 2, 3, 5, 8, 9, 32) for offset in (0, 1, 7, 8)),
    *((element, stride, offset) for element in (8, 16) for stride in (1, 2, 3, 4) for offset in (0, 1)),
]
FROM_HBM = [(4, stride, 0) for stride in (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64)]


def sectors(element: float, stride: float, offset: float = 0) -> int:
    """How many sectors the 32 lanes of a warp touch; a warp's first element lies at a sector's beginning but for the
    offset, in elements.
    """
    first = [int((lane * stride + offset) * element) for lane in range(LANES)]
    return len({byte // SECTOR for start in first for byte in (start, start + int(element) - 1)})


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """The textbook moves whole sectors of 32 bytes, and nothing but these."""
    element, offset = float(at.get("element", 4)), float(at.get("offset", 0))
    if series == "copied":  # reads at an offset, and whole sectors written
        least = sectors(element, 1)
        return gpu.sheet.bandwidth * 2 * least / (least + sectors(element, 1, offset))
    if series == "read":  # of a sector that two warps need, HBM knows nothing: L2 has it
        shared = at["level"] == "HBM" and at["kernel"] != "rows"
        return SECTOR * sectors(4, 1, 0 if shared else offset) / LANES
    touched = sectors(element, float(at["stride"]), offset)
    if series == "sectors":
        return touched
    if series == "hbm":
        return touched * SECTOR / LANES
    return gpu.sheet.bandwidth * LANES * element / (touched * SECTOR)


def measure(machine: Machine) -> Iterator[Sample]:
    """Times first; then small launches are counted, one for each place."""
    yield from machine.program("coalescing.cu", "time")
    for granularity in (32, 64, 128):
        yield from machine.program("coalescing.cu", "granularity", granularity)
    places = [(*place, MIB) for place in COUNTED] + [(*place, 256 * MIB) for place in FROM_HBM]
    metrics = (REQUESTS, SECTORS, HBM)
    launches = machine.counters("coalescing.cu", "count", *chain(*places), metrics=metrics, kernels="load_strided")
    for (element, stride, offset, size), launch in zip(places, launches, strict=bool(launches)):
        if size == MIB:
            touched = launch.values[SECTORS] / launch.values[REQUESTS]
            yield Sample("sectors", {"element": element, "stride": stride, "offset": offset}, [touched], False)
        else:
            yield Sample("hbm", {"stride": stride}, [launch.values[HBM] / (size // (element * stride))], False)
    yield from count_copies(machine)


def count_copies(machine: Machine) -> Iterator[Sample]:
    """What the copies read of L2 and of HBM, for each word."""
    metrics = (FROM_L2, HBM)
    launches = machine.counters("coalescing.cu", "count_copies", *OFFSETS, metrics=metrics, kernels="copy_.*")
    for (offset, kernel), launch in zip(product(OFFSETS, COPIES), launches, strict=bool(launches)):
        for level, size in (("L2", launch.values[FROM_L2] * SECTOR), ("HBM", launch.values[HBM])):
            yield Sample("read", {"level": level, "kernel": kernel, "offset": offset}, [size / COPIED], False)


EFFECT = Effect(
    title="Strides and offsets",
    question="What does a warp pay for loads that do not lie side by side?",
    series=(
        Series("useful", "bytes used a second", "B/s", ("element", "stride"), ("B", "elements")),
        Series("knee", "bytes used a second, by L2's fetch", "B/s", ("granularity", "stride"), ("B", "elements")),
        Series("copied", "bytes read and written a second", "B/s", ("kernel", "offset"), ("name", "elements")),
        Series(
            "sectors", "sectors a request", "sectors", ("element", "stride", "offset"), ("B", "elements", "elements"),
            counted=True,
        ),
        Series("hbm", "bytes of HBM for each word of 4", "B", ("stride",), ("elements",), counted=True),
        Series(
            "read", "bytes that a copy reads for each word of 4", "B", ("level", "kernel", "offset"),
            ("name", "name", "elements"), counted=True,
        ),
    ),
    predicted_from="Whole 32-byte sectors, as many as a warp touches, at the data sheet's bandwidth.",
    predict=predict,
    measure=measure,
)  # fmt: skip
