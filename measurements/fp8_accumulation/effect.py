"""What Hopper's FP8 tensor cores keep of a sum: answers to random probes, long dot products, promotion's price."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurements.harness.effect import NAME, Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine
from scenes._formats.tensor_core import dot

Numbers = NDArray[np.float64]

ROWS, COLUMNS, WIDTH = 64, 8, 32  # as in wgmma.cuh
TILES = {"e4m3": 16, "e5m2": 16, "f16": 4, "bf16": 4}  # as in probes.cu
STALL = 2**14  # 1 more would have to be a fraction of 13 bits below it
SMALLEST_NORMAL = 2.0**-6  # of E4M3
LARGEST = 448.0
MOST, TERMS = 1024, 2**24  # sums of which a prediction is the mean, and terms of all of them
SETTLED = 2048  # terms


def near(numbers: Numbers) -> Numbers:
    """The nearest values of E4M3, ties to even."""
    step = 2.0 ** (np.maximum(np.frexp(numbers)[1] - 1, -6) - 3)
    return np.asarray(np.clip(np.rint(numbers / step) * step, -LARGEST, LARGEST))


@cache
def operands(kind: str, length: int) -> tuple[Numbers, Numbers]:
    """Factors of fresh sums, other than the program's; each row is a factor of two of them."""
    sums = min(MOST, TERMS // length)
    random = np.random.default_rng(2)
    draw = random.standard_normal if kind == "gaussian" else random.random
    a = near(draw((sums, length)))
    return a, np.roll(a, 1, axis=0)


@cache
def by_rule(kind: str, length: int, promote: int) -> float:
    """The error that cutting at 13 fraction bits makes: the share lost on average, or beside the size of all sums."""
    a, b = operands(kind, length)
    exact, found = (a * b).sum(axis=1), dot(a, b, SMALLEST_NORMAL, promote)
    if kind == "gaussian":
        return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
    return float(((exact - found) / exact).mean())


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """The rule's number."""
    if series in ("uniform", "gaussian"):
        length, promote = int(at["length"]), int(at["promote"])
        # Promoted sums start afresh again and again: after a while their error no longer depends on the length.
        return by_rule(series, min(length, SETTLED) if promote else length, promote)
    if series in ("ones", "library_ones"):
        never = at.get("promote") == 0 or at.get("accumulation") == "fast"
        return min(float(at["length"]), STALL) if never else float(at["length"])
    return gpu.sheet.fp8 if series == "rate" else None


def arrays(file: Path) -> dict[str, Any]:
    """What `probes` has written: for each format factors a and b as bytes, accumulators c and answers d as bits."""
    bytes_, found, at = np.frombuffer(file.read_bytes(), dtype=np.uint8), {}, 0
    for name, tiles in TILES.items():
        sums = (tiles, ROWS, COLUMNS)
        shapes = {"a": (tiles, ROWS, WIDTH), "b": (tiles, COLUMNS, WIDTH), "c": sums, "d": sums}
        for part, shape in shapes.items():
            kind = np.dtype("u1" if part in "ab" else "<u4")
            size = int(np.prod(shape)) * kind.itemsize
            found[f"{name}_{part}"] = bytes_[at : at + size].view(kind).reshape(shape)
            at += size
    return found


def measure(machine: Machine) -> Iterator[Sample]:
    """Probes into the vectors' file, then sums, then what promotion costs a library."""
    file = machine.folder / "probes"
    yield from machine.program("probes.cu", file)
    np.savez_compressed(machine.vectors, **arrays(file))
    yield from machine.program("sums.cu")
    yield from machine.program("price.py")


LENGTHS = (("length", "promote"), ("elements", "elements"))  # promote 0 is never
EFFECT = Effect(
    title="What an FP8 tensor core keeps of a sum",
    question="How many bits does the sum of FP8 products have, and what does promotion to FP32 save and cost?",
    series=(
        Series("probes", "random probes answered alike twice", "probes", ("format",), (NAME,)),
        Series("ones", "sum of ones", "1", *LENGTHS),
        Series("uniform", "share lost of uniform numbers' dot product", "1", *LENGTHS),
        Series("gaussian", "error of Gaussian numbers' dot products, all together", "1", *LENGTHS),
        Series("greatest", "greatest error of a Gaussian dot product, in root mean squares", "1", *LENGTHS),
        Series("rate", "8192 × 8192 × 8192 by the library", "FLOP/s", ("accumulation",), (NAME,)),
        Series("library_ones", "sum of ones by the library", "1", ("length", "accumulation"), ("elements", NAME)),
    ),
    predicted_from="Products and accumulator are aligned to the greatest exponent and cut toward zero at 13 fraction "
    "bits, on other random numbers; the rate is the data sheet's.",
    predict=predict,
    measure=measure,
    modules=("torch",),
    limit=90.0,
    vectors=True,
)
