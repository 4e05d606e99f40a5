"""Training memory: what fills a GPU, and what ZeRO, splits and recomputation take away."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import GIGA, MEGATRON, STAGES, Training, floor, states
from .stage import RANKS
from .story import NAMES, PHASES

SPLITS = {"none": "not split", "tp8": "TP 8", "tp8pp16": "TP 8 × PP 16"}


def table(one: Training) -> Table:
    columns = (
        Column("stage", "stage"),
        Column("states", "weights, gradients, optimizer", "GB", digits=2),
        Column("floor", "with any number of ranks", "GB", digits=2),
    )
    return Table(columns, [(NAMES[stage], sum(one.states_at(stage)) / GIGA, floor(one.parameters, stage) / GIGA)
                           for stage in STAGES])  # fmt: skip


def values(one: Training) -> dict[str, Value]:
    weights, gradients, optimizer = one.states_at(one.stage)
    return {
        "weights": Value(weights, "B"),
        "gradients": Value(gradients, "B"),
        "optimizer": Value(optimizer, "B"),
        "states": Value(one.states, "B"),
        "states_fp32_gradients": Value(sum(states(one.parameters, one.gpus, one.stage, MEGATRON)), "B"),
        "activations": Value(one.activations, "B"),
        "recomputed": Value(one.recomputed, "B"),
        "total": Value(one.states + one.activations, "B"),
        "total_recomputed": Value(one.states + one.recomputed, "B"),
        "floor": Value(floor(one.parameters, one.stage), "B"),
        "fewest": Value(one.fewest(one.activations), "GPUs"),  # 0: no number is enough
        "fewest_recomputed": Value(one.fewest(one.recomputed), "GPUs"),
    }


SCENE = Scene(
    title="How much must each GPU hold?",
    summary="Weights, gradients and the optimizer’s state take 16 bytes for each parameter, and activations come on "
    "top. ZeRO divides the states among GPUs part by part; splitting the model and computing layers again do the rest.",
    params=(
        Choice("model", "Model", {"8B": "Llama 3 8B", "70B": "Llama 3 70B", "405B": "Llama 3 405B"}, default="405B"),
        Choice("split", "Split", SPLITS, when={"model": ("405B",)}),
        Range("gpus", "Ranks", {ranks: count(ranks, "rank") for ranks in RANKS}, default=128),
        Choice("stage", "ZeRO", NAMES, default=3),
    ),
    sentence="Train {model}[, {split}], with {stage} on {gpus}.",
    solve=Training,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    sources=("zero", "llama-3", "seq-parallel", "megatron-repo", "h100-whitepaper", "h200-datasheet", "b200-pytorch"),
    leaves_out="Sixteen bytes are the count of the ZeRO paper: BF16 for weights and gradients, FP32 for Adam’s copy of "
    "the weights, its mean and its mean square. Megatron’s usual recipe sums gradients in FP32 and takes 18. ZeRO-3 "
    "also holds the layer that it computes and the next one, gathered, for 405B two times 6.4 GB; buffers for "
    "messages, fragments and the software itself come on top, and so do the scores of the vocabulary, 4.2 GB in FP32 "
    "for 8,192 tokens. Activations are those of one text of 8,192 tokens in BF16, with FlashAttention and no dropout. "
    "Who computes again keeps each layer’s input alone, and for a moment one layer’s activations besides; recomputing "
    "a part of each layer is left out. Tensor parallelism divides all activations, as it does where the sequence is "
    "divided in between. Of a pipeline the first stage is shown in plain 1F1B, with one text under way for each "
    "stage, where interleaving would hold more; its layers are rounded up, its parameters are the mean of all stages. "
    "The B200 is that of an HGX board; 192 GB are often quoted for it.",
)
