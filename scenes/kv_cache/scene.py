"""The KV cache: one product, four ways to share heads, and the memory of a GPU."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._serving.shapes import SHAPES
from .drawing import LENGTHS, draw
from .model import BF16, CAPACITIES, GB, Cache, Case, kv_heads
from .narration import PHASES

SOURCES = (
    "mqa", "gqa", "deepseek-v2", "deepseek-v3", "mistral-7b", "gemma-3", "gemma-repo", "gpt-oss", "llama-3",
    "torchtitan",
)  # fmt: skip
LABELS = {name: name for name in SHAPES} | {"Mistral 7B": "Mistral 7B v0.1"}


def solve(tokens: int, model: str) -> Case:
    return Case(Cache(SHAPES[model], SHAPES[model].shipped, BF16), tokens)


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
        **{f"cache_{rival.scheme.lower()}": Value(rival.total(tokens) / GB, "GB") for rival in case.rivals},
        **{
            f"times_{rival.scheme.lower()}": Value(case.rivals[0].total(tokens) / rival.total(tokens), "×")
            for rival in case.rivals
        },
        "local": Value(windowed / GB, "GB"),
        "global": Value(kept / GB, "GB"),
        "full": Value(cache.full(tokens) / GB, "GB"),
        "grows": Value(cache.grows(tokens), "B"),
        "fits_80": Value(cache.holds(small), "tokens"),
        "fits_141": Value(cache.holds(large), "tokens"),
        "gpus_80": Value(cache.gpus(tokens, small)),
        "gpus_141": Value(cache.gpus(tokens, large)),
        "share_80": Value(100 * total / small, "%"),
    }


SCENE = Scene(
    title="How large is the KV cache?",
    summary="The cache is a product: numbers for one token in one layer, times layers, times tokens. It grows with "
    "the conversation until a GPU is full; sharing heads and windows make it smaller.",
    params=(
        Range("tokens", "Tokens", LENGTHS, default=131072, unit="tokens"),
        Choice("model", "Model", LABELS),
    ),
    sentence="Let {model} hold {tokens}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, -1),
    sources=SOURCES,
    leaves_out="Only the cache, in BF16 and of one conversation: the weights of the model lie in the same memory and "
    "are there first, and so are activations. In FP8 it would be about half as large. "
    "No block of memory is partly empty. "
    "A model's training may end before the length chosen here. All rows but that of the model's own scheme are "
    "arithmetic about models that ship otherwise; quality is not shown. Those of DeepSeek-V3 count keys of 128 "
    "numbers; its own have 192, of which 64 tell the position.",
)
