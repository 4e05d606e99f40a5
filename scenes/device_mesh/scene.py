"""A device mesh: which GPUs talk to which, and over which wire."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._clusters.links import NODE
from .drawing import draw
from .model import NVLINK, POD, PODS, RACK
from .narration import PHASES, crossings
from .places import RANKS
from .traffic import DIMENSIONS, RUNS, Placed

PRESETS = {
    "stage-2": "16,384 GPUs",
    "stage-1": "8,192 GPUs",
    "long": "long texts",
    "paper": "16 GPUs",
}
ORDERS = {
    "tp-cp-pp-dp": "Llama 3: TP, CP, PP, DP",
    "tp-cp-dp-pp": "Megatron: TP, CP, DP, PP",
    "dp-pp-cp-tp": "in reverse: DP, PP, CP, TP",
}


def solve(preset: str, order: str, rank: int, early: int, gpu: int) -> Placed:
    if preset not in RUNS:
        raise ValueError(f"preset is one of {tuple(RUNS)}, not {preset!r}")
    chosen = {"paper": gpu, "stage-1": early}.get(preset, rank)
    placed = Placed(RUNS[preset], tuple(order.split("-")), chosen)
    if not 0 <= chosen < placed.mesh.gpus:
        raise ValueError(f"ranks are 0 to {placed.mesh.gpus - 1:,}, not {chosen:,}")
    return placed


def table(placed: Placed) -> Table:
    columns = (
        Column("dimension", "dimension"),
        Column("size", "GPUs of a group"),
        Column("stride", "stride"),
        Column("at", "this GPU’s place"),
        Column("sent", "sent in a step", "GB", digits=2),
        Column("nvlink", "over NVLink", "%", digits=1),
        Column("pods", "between pods", "%", digits=1),
        Column("time", "alone it takes", "s", digits=3),
    )
    mesh = placed.mesh
    return Table(columns, [(name.upper(), mesh.sizes[name], mesh.strides[name], placed.at(name),
                            placed.sent(name) / 1e9, *(100 * mesh.hops[name][wire] for wire in (NVLINK, PODS)),
                            placed.seconds(name)) for name in placed.order])  # fmt: skip


def values(placed: Placed) -> dict[str, Value]:
    mesh, found = placed.mesh, {}
    for name in DIMENSIONS:
        found |= {
            name: Value(placed.at(name)),
            f"{name}_stride": Value(mesh.strides[name]),
            f"{name}_bytes": Value(placed.sent(name), "B"),
            f"{name}_time": Value(placed.seconds(name), "s", 2),
        }
    return found | {
        "rank": Value(placed.rank),
        "node": Value(placed.rank // NODE),
        "rack": Value(placed.rank // RACK),
        "pod": Value(placed.rank // POD),
        "gpus": Value(mesh.gpus),
        "replica": Value(placed.replica),
        "bytes": Value(placed.total, "B"),
        "nvlink": Value(placed.shares[NVLINK], "%"),
        "network": Value(100 - placed.shares[NVLINK], "%"),
        "dp_crossings": Value(crossings(placed, "dp")),
        "crossing": Value(placed.shares[PODS], "%"),
    }


SCENE = Scene(
    title="Who talks to whom, over which wire?",
    summary="Thousands of GPUs stand in nodes, racks and pods. The order in which they are numbered decides who is in "
    "a GPU’s groups, and whether what a group sends stays in a node or crosses the whole cluster.",
    params=(
        Choice("preset", "Job", PRESETS),
        Choice("order", "Numbered by", ORDERS, when={"preset": ("stage-1", "stage-2", "long")}),
        Range(
            "rank",
            "GPU",
            {rank: f"{rank:,}" for rank in RANKS["rank"]},
            default=1000,
            when={"preset": ("stage-2", "long")},
        ),
        Range(
            "early", "GPU", {rank: f"{rank:,}" for rank in RANKS["early"]}, default=1000, when={"preset": ("stage-1",)}
        ),
        Range("gpu", "GPU", RANKS["gpu"], default=5, when={"preset": ("paper",)}),
    ),
    sentence="{preset}[; GPU {rank}][; GPU {early}][; GPU {gpu}][ numbered by {order}].",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(1, -1),
    limits={"bytes": 27_400},  # two files hold all variants of a width, and both are within the usual limit
    sources=("llama-3", "megatron-repo", "torchtitan"),
    leaves_out="Bytes are those of the collectives, each as one ring, averaged over all stages; times are at the peak "
    "of each wire, 450 GB/s over NVLink and 50 GB/s over a network card. Embeddings, losses and layers that are "
    "computed again send more. A pipeline here hands each microbatch over once at each boundary; interleaved stages do "
    "so once for each chunk of layers. Data parallelism gathers weights once a step, as Llama 3 does; GPUs along CP "
    "hold the same weights, and adding up their gradients is not counted. Jobs fill pods from number 0 on; a real "
    "scheduler works round broken nodes. Links between pods are shared: when all GPUs send, each gets a seventh of its "
    "card’s rate. The long job has DP 8, which multiplies to 16,384 GPUs. The example of 16 GPUs is put on two nodes "
    "of one rack, and sends what Llama 3 8B would in a step of 16 sequences; its experts are made up, and what they "
    "would send is left out.",
)
