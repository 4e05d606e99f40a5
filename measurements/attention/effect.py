"""Attention: what it costs to keep the scores in memory."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

HEADS, DIM, LONGEST, BF16 = 16, 128, 8192, 2
METHODS = ("materialised", "flash", "cudnn", "math")  # in the order of `methods.py count`
BYTES = ("dram__bytes_read.sum", "dram__bytes_write.sum")
PARTING = "spin_kernel"  # between the methods


def moved(method: str, tokens: float) -> float:
    """Queries, keys, values and the output once [B]; materialised, the scores and the weights out and in as well."""
    through = BF16 * HEADS * 4 * tokens * DIM
    return through + BF16 * HEADS * 4 * tokens**2 if method == "materialised" else through


def shortest(gpu: Gpu, method: str, tokens: float) -> float:
    """Each kernel takes as long as its multiplications or its bytes, whichever is more [s]."""
    sheet = gpu.sheet
    product = 2 * HEADS * tokens**2 * DIM / sheet.bf16  # one of the two
    scores, rows = BF16 * HEADS * tokens**2 / sheet.bandwidth, BF16 * HEADS * tokens * DIM / sheet.bandwidth
    if method == "materialised":
        return max(product, 2 * rows + scores) + 2 * scores + max(product, scores + 2 * rows)
    return max(2 * product, 4 * rows)


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """The textbook's; of the `math` backend, which works in float32, it says nothing."""
    method, tokens = str(at["method"]), float(at["tokens"])
    if method == "math":
        return None
    if series == "time":
        return shortest(gpu, method, tokens)
    if series == "bytes":
        return moved(method, tokens)
    output = BF16 * HEADS * tokens * DIM
    return max(2 * BF16 * HEADS * tokens**2, output) if method == "materialised" else output


def measure(machine: Machine) -> Iterator[Sample]:
    """Time and memory at every length, and bytes of HBM at the greatest."""
    yield from machine.program("methods.py")
    seen: list[float] = []  # bytes of the method behind each parting kernel
    for launch in machine.counters("methods.py", "count", metrics=BYTES):
        if PARTING in launch.kernel:
            seen.append(0)
        elif seen:
            seen[-1] += sum(launch.values[metric] for metric in BYTES)
    for method, total in zip(METHODS, seen, strict=False):  # none where counters can't be read
        yield Sample("bytes", {"method": method, "tokens": LONGEST}, [total], True)


EFFECT = Effect(
    title="Attention with its scores in memory, and fused",
    question="What does it cost to write the scores down?",
    series=(
        Series("time", "time of one layer's attention, 16 heads of 128", "s", ("method", "tokens"), ("name", "1")),
        Series("extra_memory", "memory beside queries, keys and values", "B", ("method", "tokens"), ("name", "1")),
        Series("bytes", "bytes from and to HBM", "B", ("method", "tokens"), ("name", "1"), counted=True),
    ),
    predicted_from=(
        "The data sheet's BF16 peak and bandwidth: each kernel by its multiplications or its bytes, whichever take "
        "longer; 4 n² numbers move if the scores are written down, and 4 n d if not."
    ),
    predict=predict,
    measure=measure,
    modules=("torch",),
)
