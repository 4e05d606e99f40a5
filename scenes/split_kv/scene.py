"""Split keys and values: idle SMs in decoding, the parts of a cache, and their merge."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import SPLITS, draw
from .model import BANDWIDTH, EXACT, Case
from .narration import PHASES

SEQUENCES = (1, 2, 4, 8, 16)
KEYS = {8192: "8,192 keys", 131072: "131,072 keys"}  # the rings are of the longer


def table(case: Case) -> Table:
    columns = (
        Column("parts", "parts"),
        Column("blocks", "blocks"),
        Column("waves", "waves"),
        Column("busy", "SMs busy", "%", digits=1),
        Column("reading", "reading", "µs", digits=1),
        Column("merging", "merging", "µs", digits=1),
        Column("total", "together", "µs", digits=1),
        Column("measured", f"measured on an {measured.PART}", "µs", digits=1),
    )
    seen = measured.measured(case.sequences, case.keys)
    cases = [Case(splits, case.sequences, case.keys) for splits in (1, 2, 4, 8, 15, 16, 17, 32)]
    return Table(columns, [(one.splits, one.blocks, len(one.waves), 100 * one.busy,
                            1e6 * one.reading, 1e6 * one.merging, 1e6 * one.total,
                            1e6 * seen[one.splits].median if one.splits in seen else "–")
                           for one in cases])  # fmt: skip


def values(case: Case) -> dict[str, Value]:
    return {
        "blocks": Value(case.blocks),
        "waves": Value(len(case.waves)),
        "busy": Value(100 * case.busy, "%"),
        "kv": Value(case.bytes, "B"),
        "reading": Value(case.reading, "s"),
        "merging": Value(case.merging, "s"),
        "total": Value(case.total, "s"),
        "times": Value(case.times_faster, "×"),
        "floor": Value(case.bytes / BANDWIDTH, "s"),
        "chosen": Value(case.chosen),
        "merged": Value(case.merged[2], digits=5),
        "exact": Value(EXACT, digits=5),
        "error": Value(abs(case.merged[2] - EXACT)),
        "mean": Value(case.mean, digits=5),
        **measured.values(),
    }


SCENE = Scene(
    title="How can one query fill a GPU?",
    summary="A step of decoding gives attention one block of work for each KV head, and most of a GPU’s SMs have none. "
    "Keys and values cut into parts give work to all of them; a merge by log-sum-exp makes the parts exactly whole.",
    params=(
        Choice("sequences", "Conversations", {number: count(number, "conversation") for number in SEQUENCES}),
        Choice("keys", "Keys in the cache", KEYS),
        Range("splits", "Parts", {splits: count(splits, "part") for splits in SPLITS}, default=15),
    ),
    sentence="Cut {sequences} with {keys} into {splits}.",
    solve=Case,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("flash-decoding", "flashinfer-merge", "fa-repo", "llama-3", "h100-whitepaper"),
    leaves_out="One layer of Llama 3 8B on an H100, in BF16: 8 KV heads, each with the 4 query heads that share it in "
    "one block, and one block on an SM at a time. An SM by itself reads 60 GB/s here and a second kernel takes 3 µs; "
    "our own measurement on an H100 gave 63 GB/s and 3.0 µs, and a total up to half as long again for many blocks, "
    "because memory does not reach its peak within 10 µs. Engines that merge in the same kernel, or launch "
    "the merge ahead, pay less. Kernels cut at whole tiles of keys, so parts are not quite equal, and a choice "
    "of 15 for 64 tiles leaves two parts empty. The rings are of a kernel of ours in Triton, for one conversation with "
    "131,072 keys: four warps that wait for 64 keys at a time get less out of an SM than 60 GB/s, so that few blocks "
    "take longer than the model says; from 16 parts on memory rules, and gives a tenth less than its peak. "
    "The merge is shown for a toy of 64 keys and values of one number.",
)
