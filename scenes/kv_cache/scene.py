"""The KV cache: one product, four ways to share heads, and the memory of a GPU."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._gpus.rates import GPUS
from .._serving.models import MODELS
from .._serving.shapes import SHAPES
from .._serving.step import Server
from .compressed import Compressed
from .drawing import draw
from .length import LENGTHS
from .model import BF16, CAPACITIES, GB, Cache, Case, kv_heads
from .narration import PHASES

SERVER = Server(MODELS["8B"], GPUS["H100"])
BESIDE = int(SERVER.room() // SERVER.model.cache_token)  # tokens
ALONE = int(SERVER.gpu.capacity // SERVER.model.cache_token)
KEYS = {"fp8": "FP8", "nvfp4": "NVFP4", "mxfp4": "MXFP4", "int4": "INT4", "two_bits": "2-bit"}  # names of values
SOURCES = (
    "mqa", "gqa", "deepseek-v2", "deepseek-v3", "mistral-7b", "gemma-3", "gemma-repo", "gpt-oss", "llama-3",
    "torchtitan", "hf-qwen3-next-config", "hf-kimi-linear-config", "nvfp4-kv", "flashmla",
    "deepseek-v32-exp", "sglang-11309", "hf-deepseek-v4-doc", "hf-deepseek-v4-config", "hf-v4-blog", "sglang-v4",
)  # fmt: skip
LABELS = {name: name for name in SHAPES} | {"Mistral 7B": "Mistral 7B v0.1"}


def solve(tokens: int, model: str) -> Case:
    kind = Compressed if SHAPES[model].compressed else Cache
    return Case(kind(SHAPES[model], SHAPES[model].shipped, BF16), tokens)


def table(case: Case) -> Table:
    columns = (
        Column("variant", "variant"),
        Column("kv_heads", "KV heads"),
        Column("cache_gb", "cache GB", digits=1),
        Column("times_smaller_than_mha", "times smaller than MHA", digits=1),
    )
    sizes = {rival.scheme: rival.total(case.tokens) for rival in case.cache.rivals}
    latent = {"MLA": "latent", "CSA": "entries"}
    heads = {scheme: latent.get(scheme) or kv_heads(case.cache.shape, scheme) for scheme in sizes}
    return Table(columns, [(name, heads[name], size / GB, sizes["MHA"] / size) for name, size in sizes.items()])


def values(case: Case) -> dict[str, Value]:
    cache, tokens = case.cache, case.tokens
    kept, windowed = (float(part) for part in cache.parts(tokens))
    total, small, large = cache.total(tokens), *CAPACITIES
    return {
        "cache": Value(total / GB, "GB"),
        "per_token": Value(cache.token, "B"),
        "elements": Value(cache.elements),
        **{f"cache_{rival.scheme.lower()}": Value(rival.total(tokens) / GB, "GB") for rival in case.cache.schemes},
        **{
            f"times_{rival.scheme.lower()}": Value(case.cache.rivals[0].total(tokens) / rival.total(tokens), "×")
            for rival in case.cache.schemes
        },
        "local": Value(windowed / GB, "GB"),
        "global": Value(kept / GB, "GB"),
        "full": Value(cache.full(tokens) / GB, "GB"),
        "grows": Value(cache.grows(tokens), "B"),
        "fits_80": Value(cache.holds(small), "tokens"),
        "fits_141": Value(cache.holds(large), "tokens"),
        "gpus_80": Value(cache.gpus(tokens, small)),
        "gpus_141": Value(cache.gpus(tokens, large)),
        "states": Value(cache.states, "B"),
        **{f"cache_{key}": Value(cache.stored(tokens, form) / GB, "GB") for key, form in KEYS.items()},
        "share_80": Value(100 * total / small, "%"),
    }


SCENE = Scene(
    title="How large is the KV cache?",
    summary="The cache is a product: numbers for one token in one layer, times layers, times tokens. It grows with "
    "the conversation until a GPU is full; sharing heads, windows and fewer bits make it smaller.",
    params=(
        Choice("model", "Model", LABELS),
        Range("tokens", "Tokens", LENGTHS, default=131072, unit="tokens"),
    ),
    sentence="Let {model} hold {tokens}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(2, 3),
    sources=SOURCES,
    leaves_out="Only the cache of one conversation, in BF16 until the last step. Weights are there first: beside them, "
    f"with a tenth of an H100 kept free, {BESIDE:,} tokens of Llama 3 8B fit, not {ALONE:,}. "
    "States are in FP32. A model’s training may end before the length chosen here. All rows but those of the model’s "
    "own scheme and format are arithmetic; quality is not shown. Those of models with MLA count keys of 128 numbers; "
    "their own have 192. DeepSeek-V4 also holds what it has gathered of the next entry, less than a megabyte. In "
    "FP8, its indexer’s keys take 4 bits, as its authors store them; V3.2’s take 8. Engines round up to pages.",
)
