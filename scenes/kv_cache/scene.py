"""The KV cache: one product, four ways to share heads, and the memory of a GPU."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import CAPACITIES, ELEMENT_BYTES, GB, SCHEMES, Cache, Case, kv_heads
from .narration import PHASES
from .shapes import SHAPES

SOURCES = (
    "mqa", "gqa", "deepseek-v2", "deepseek-v3", "mistral-7b", "gemma-3", "gemma-repo", "gpt-oss", "llama-3",
    "torchtitan", "flashmla", "modular-mla", "h200-datasheet",
)  # fmt: skip
SHIPPED = "as shipped"
LABELS = {name: name for name in SHAPES} | {"Mistral 7B": "Mistral 7B v0.1 (window in every layer)"}


def solve(tokens: int, model: str, variant: str, precision: str, batch: int) -> Case:
    shape = SHAPES[model]
    scheme = shape.shipped if variant == SHIPPED else variant
    return Case(Cache(shape, scheme, ELEMENT_BYTES[precision], batch), tokens)


def table(case: Case) -> Table:
    columns = (
        Column("variant", "variant"),
        Column("kv_heads", "KV heads"),
        Column("cache_gb", "cache GB", digits=1),
        Column("times_smaller_than_mha", "times smaller than MHA", digits=1),
    )
    sizes = {rival.scheme: rival.total(case.tokens) for rival in case.rivals}
    heads = {scheme: kv_heads(case.cache.shape, scheme) or "latent" for scheme in sizes}
    return Table(columns, [(name, heads[name], size / GB, sizes["MHA"] / size) for name, size in sizes.items()])


def values(case: Case) -> dict[str, Value]:
    cache, tokens = case.cache, case.tokens
    kept, windowed = (float(part) for part in cache.parts(tokens))
    total, small, large = cache.total(tokens), *CAPACITIES
    return {
        "cache": Value(total / GB, "GB"),
        "per_token": Value(cache.token, "B"),
        "elements": Value(cache.elements),
        "times": Value(case.rivals[0].total(tokens) / total, "×"),
        "local": Value(windowed / GB, "GB"),
        "global": Value(kept / GB, "GB"),
        "full": Value(cache.full(tokens) / GB, "GB"),
        "grows": Value(cache.grows(tokens), "B"),
        "fits_80": Value(cache.holds(small), "tokens"),
        "fits_141": Value(cache.holds(large), "tokens"),
        "conversations_80": Value(small // (total // cache.batch)),
        "gpus_80": Value(cache.gpus(tokens, small)),
        "gpus_141": Value(cache.gpus(tokens, large)),
        "share_80": Value(100 * total / small, "%"),
    }


SCENE = Scene(
    title="How much memory do the keys and values of one conversation take?",
    summary="The cache is a product: numbers for one token in one layer, times layers, tokens and conversations. "
    "Sharing heads and windows make it smaller, and a GPU shows how much is left.",
    params=(
        Range("tokens", "Tokens", (1024, 8192, 32768, 131072, 1048576), default=131072, unit="tokens"),
        Choice("model", "Model", LABELS),
        Choice("variant", "Heads", (SHIPPED, *SCHEMES)),
        Choice("precision", "Precision", tuple(ELEMENT_BYTES)),
        Choice("batch", "Conversations", {1: "1 conversation", 16: "16 conversations"}),
    ),
    sentence="Hold {batch} with {model}, {variant}, in {precision}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(3, 4),
    sources=SOURCES,
    leaves_out="Only the cache: the weights of the model lie in the same memory and are there first, and so are "
    "activations. Every conversation has the same length, and no block of memory is partly empty. "
    "FP8 is one byte for a number; the kernels of DeepSeek store 656 bytes for the 576 numbers of MLA, with scales and "
    "a position key in BF16. A model's training may end before the length chosen here. "
    "Rows marked hypothetical are arithmetic about models that ship otherwise, and quality is not shown. "
    "On several GPUs, KV heads are divided among them, but the latent of MLA is copied to each.",
)
