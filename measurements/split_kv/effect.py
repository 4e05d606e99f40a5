"""Decoding: keys split among SMs, and heads that share keys."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

KV_HEADS, DIM, BF16 = 8, 128, 2
SEQUENCES, SHARED_KEYS = 4, 32768


def size(heads: float, keys: float) -> float:
    """Keys and values [B]."""
    return 2 * heads * keys * DIM * BF16


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """All keys and values once; each SM gets its share of the bandwidth, and idle ones lend theirs to nobody."""
    if series == "shared":
        return size(SEQUENCES * float(at["kv_heads"]), SHARED_KEYS) / gpu.sheet.bandwidth
    whole = size(KV_HEADS, float(at["keys"])) / gpu.sheet.bandwidth
    if series == "library":
        return whole
    blocks = KV_HEADS * float(at["splits"])
    return whole * ceil(blocks / gpu.sms) * gpu.sms / blocks


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("decode.py")


EFFECT = Effect(
    title="Decoding with the keys in parts",
    question="Into how many parts should one step's keys be split?",
    series=(
        Series("time", "a step of one sequence, 8 KV heads, 32 query heads", "s", ("keys", "splits"),
               ("keys", "splits")),
        Series("library", "the same by PyTorch's own attention", "s", ("keys",), ("keys",)),
        Series("shared", "a step of 4 sequences with 32,768 keys", "s", ("kv_heads",), ("heads",)),
    ),
    predicted_from=(
        "Keys and values once at the data sheet's bandwidth, of which each SM has its share, in whole waves of one "
        "block on each SM; merging the parts costs nothing."
    ),
    predict=predict,
    measure=measure,
    modules=("torch", "triton"),
)  # fmt: skip
