"""One decode step: weights that all users share, caches that each brings, and the arithmetic behind both."""

from __future__ import annotations

from functools import cache

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import BATCHES, CONTEXTS, Load, load_of, memory_bound_from, overtaking_tokens
from .narration import MODELS, PHASES

SOURCES = (
    "llama-3", "gpt-oss", "deepseek-v2", "deepseek-v3", "h100-whitepaper", "h200-datasheet", "hgx-platform",
)  # fmt: skip
COLUMNS = (
    Column("users", "users"),
    Column("step", "step", "ms", digits=3),
    Column("user", "tokens/s for each", digits=2),
    Column("all", "tokens/s for all", digits=1),
    Column("gpus", "GPUs that hold them"),
)


def table(load: Load) -> Table:
    return Table(COLUMNS, rows(load.model, load.gpu, load.context))


@cache
def rows(model: str, gpu: str, context: int) -> list[tuple[float, ...]]:
    some = [load_of(model, gpu, context, batch) for batch in BATCHES]
    return [(one.batch, 1e3 * one.time, one.user, one.everyone, one.gpus) for one in some]


def values(load: Load) -> dict[str, Value]:
    step, served, limits = load.step, load.served, load.limits
    return {
        "step": Value(load.time, "s"),
        "weights": Value(float(step.read_weights), "s"),
        "arithmetic": Value(float(step.multiply), "s"),
        "cache": Value(float(step.read_cache), "s"),
        "more": Value(load.more, "s"),
        "user": Value(load.user, "tokens/s"),
        "all": Value(load.everyone, "tokens/s"),
        "balance": Value(limits.balance, "users"),
        "overtaking": Value(limits.overtaking, "users"),
        "overtaking_tokens": Value(overtaking_tokens(load.model), "tokens"),
        "memory_bound": Value(memory_bound_from(load.model, load.gpu), "tokens"),
        "read": Value(float(served.weights(load.batch)), "B"),
        "experts": Value(load.experts),
        "cache_token": Value(served.cache_token, "B"),
        "fits": Value(limits.fits, "users"),
        "gpus": Value(load.gpus, "GPUs"),
    }


SCENE = Scene(
    title="What does one more user cost?",
    summary="A step reads the weights once for all users, and for each a cache of its own. So the first users come "
    "nearly free, until caches, arithmetic or the memory of the GPU set the price.",
    params=(
        Choice("model", "Model", MODELS),
        Choice("gpu", "GPU", ("H100", "H200", "B200")),
        Range("context", "Tokens", CONTEXTS, default=8192, unit="tokens"),
        Range("batch", "Users", BATCHES, default=32, unit="users"),
    ),
    sentence="{model} on an {gpu} serves {batch}, each with {context}.",
    solve=load_of,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    sources=SOURCES,
    leaves_out="Times are the least that data sheets allow: full bandwidth, full dense peak, and reading and "
    "arithmetic at the same time, in the linear layers and then in attention. Kernels, their launches, sampling and "
    "the server’s own work take longer. Where one GPU is too small, its time is what several share at best: messages "
    "between them come on top, and what can’t be divided, as MLA’s latent, which GPUs that split its heads would each "
    "keep whole. Nine tenths of the memory count; no block is partly empty, and activations take the rest. "
    "All users have the same number of tokens. In a mixture of experts each is as likely as any other, for every token "
    "by itself; in real batches some are liked better, and fewer are touched. "
    "DeepSeek-V3 has a byte for every weight, its cache and its attention are in BF16, and its module for further "
    "tokens is left out; as released, embedding and head are in BF16, and weights in FP8 have scales. gpt-oss computes "
    "in BF16, for which a B200 has faster formats.",
)
