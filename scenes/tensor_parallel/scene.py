"""Tensor parallelism: one layer over several GPUs, which matrices are cut how, and what the sums cost."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import GPUS, NAMES, Split
from .narration import PHASES

ORDERS = {"columns": "columns first", "rows": "rows first"}
LINK_NAMES = {"nvlink": "NVLink", "network": "a network"}


def solve(gpus: int, order: str, link: str, model: str) -> Split:
    return Split(gpus, order, link, model)


def table(one: Split) -> Table:
    columns = (
        Column("gpus", "GPUs"),
        Column("weights", "weights each", "MB", digits=1),
        Column("sent", "sent each, both ways", "MB", digits=1),
        Column("compute", "arithmetic", "ms", digits=2),
        Column("communication", "sums", "ms", digits=2),
        Column("share", "waiting", "%", digits=1),
    )
    cases = [one.over(gpus) for gpus in GPUS]
    return Table(columns, [(case.gpus, case.weights / 1e6, case.sent / 1e6, 1e3 * case.compute,
                            1e3 * case.communication, case.share) for case in cases])  # fmt: skip


def values(one: Split) -> dict[str, Value]:
    return {
        "sent": Value(one.sent, "B"),
        "each": Value(one.each, "B"),
        "buffer": Value(one.buffer, "B"),
        "compute": Value(one.compute, "s"),
        "communication": Value(one.communication, "s"),
        "total": Value(one.total, "s"),
        "ratio": Value(one.ratio),
        "share": Value(one.share, "%"),
        "times": Value(one.over(1).total / one.total, "×"),
        "weights": Value(one.weights, "B"),
        "heads": Value(one.heads),
        "wrong": Value(one.toy.wrong),
    }


SCENE = Scene(
    title="Why columns first, then rows?",
    summary="Cut by columns and then by rows, two matrices need one sum over the GPUs, behind the nonlinearity. A "
    "layer has two such sums in its forward pass, and nobody computes until they have arrived.",
    params=(
        Choice("model", "Model", NAMES),
        Choice("order", "Cut", ORDERS),
        Choice("link", "Link", LINK_NAMES),
        Range("gpus", "GPUs", {gpus: count(gpus, "GPU") for gpus in GPUS}, default=8),
    ),
    sentence="Cut {model}, {order}, over {gpus} on {link}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    limits={"bytes": 26_000},  # a file holds all variants, and is within the usual limit
    sources=("megatron-tp", "megatron-ptdp", "seq-parallel", "llama-3", "h100-whitepaper"),
    leaves_out="One sequence of 8,192 tokens in BF16, on H100s at their peak of 989.4 TFLOP/s, and links at theirs: "
    "450 and 50 GB/s in one direction. Real kernels and collectives reach less of either. Counted are the products "
    "with matrices, not those of scores, which a GPU does for its own heads. Times are those of the forward pass: "
    "backward computes twice as much and sends as much, so less of it is waiting. Sums go round a ring; a switch "
    "that adds, or a product that is cut up to overlap with its sum, takes less. Over NVLink, 16 GPUs need a rack "
    "that joins more than eight. Llama 3 has 8 heads of keys and values: on 16 GPUs each is held twice. The small "
    "MLP has ReLU between two matrices and is cut over four GPUs at most; a gated one has two matrices in front, "
    "both cut by columns. The norm takes no time here. In backward, sequence parallelism gathers once more, beside "
    "arithmetic.",
)
