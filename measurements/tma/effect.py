"""The copy engine of an SM (TMA): copies without threads, and one read of L2 for all blocks of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

SIZE, PAGE = 2**30, 4096  # bytes that the programs copy; bytes for which instructions are told
SECTOR, REQUEST, STAGES = 32, 512, 4  # bytes; of a warp's load, 16 for each lane; buffers of a block
IN_FLIGHT = tuple(4096 * 2**doubled for doubled in range(6))  # [B] on each SM, as the programs go through them
BY, HOW, BLOCKS = ("loads", "bulk"), ("each for itself", "multicast"), (1, 2, 4, 8)
INSTRUCTIONS = "smsp__inst_executed.sum"
COUNTERS = {"SMs": "lts__t_sectors_srcunit_tex_op_read.sum", "all": "lts__t_sectors_op_read.sum"}


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """Who copies is no matter for memory; a tile that is sent to all is read once, and takes two instructions."""
    sheet = gpu.sheet
    if series == "copied":  # reads and writes: what comes in by Little's law goes out again
        return min(sheet.bandwidth, 2 * float(at["in_flight"]) * gpu.sms / sheet.latency)
    if series == "instructions":
        return 2 * PAGE / (REQUEST if at["by"] == "loads" else float(at["in_flight"]) / STAGES)
    if series == "delivered":  # from HBM once, wherever a cluster's other blocks have it from
        return sheet.bandwidth * float(at["blocks"])
    return 1 if at["how"] == "multicast" else float(at["blocks"])


def measure(machine: Machine) -> Iterator[Sample]:
    """Times, then counters."""
    yield from machine.program("copies.cu")
    yield from machine.program("multicast.cu")
    launches = machine.counters("copies.cu", "count", metrics=(INSTRUCTIONS,), kernels="copy_.*")
    for (in_flight, by), launch in zip(product(IN_FLIGHT, BY), launches, strict=bool(launches)):
        issued = launch.values[INSTRUCTIONS] / (SIZE / PAGE)
        yield Sample("instructions", {"by": by, "in_flight": in_flight}, [issued], False)
    launches = machine.counters("multicast.cu", "count", metrics=tuple(COUNTERS.values()), kernels="gather")
    for (blocks, how), launch in zip(product(BLOCKS, HOW), launches, strict=bool(launches)):
        for asking, metric in COUNTERS.items():
            sectors = launch.values[metric] / (SIZE / SECTOR)
            yield Sample("sectors", {"asking": asking, "how": how, "blocks": blocks}, [sectors], False)


EFFECT = Effect(
    title="The copy engine",
    question="What does a copy cost that no thread makes, and one that all blocks of a cluster share?",
    series=(
        Series("copied", "bytes read and written a second", "B/s", ("by", "in_flight"), ("name", "B")),
        Series("instructions", "a warp's instructions for each 4,096 bytes copied", "instructions",
               ("by", "in_flight"), ("name", "B"), counted=True),
        Series("delivered", "bytes a second into the shared memory of all blocks", "B/s", ("how", "blocks"),
               ("name", "blocks")),
        Series("sectors", "sectors read from L2 for each sector that a cluster wants", "sectors",
               ("asking", "how", "blocks"), ("name", "name", "blocks"), counted=True),
    ),
    predicted_from=(
        "Little's law with the data sheet's bandwidth and the latency that gpu-benches found on a GH200, a load and a "
        "store for each piece or tile, and one read of L2 for whoever asks."
    ),
    predict=predict,
    measure=measure,
)  # fmt: skip
