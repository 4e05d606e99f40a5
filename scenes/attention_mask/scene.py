"""Attention masks: which keys a query reads, how far that reaches through the layers, and what must be kept."""

from __future__ import annotations

import numpy as np

from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import model
from .drawing import QUERIES, draw
from .model import LAYERS, PATTERNS, Look, Stack, causal_cells, window_cells
from .narration import STORY

LABELS = dict(zip(PATTERNS, ("full", "causal", "window", "window + first", "interleaved", "top-k"), strict=True))
COLUMNS = (
    Column("layer", "layer"),
    Column("kind", "kind"),
    Column("reads", "read by one query at most", "tokens"),
    Column("sight", "in sight", "tokens"),
    Column("reach", "reach back", "tokens"),
    Column("cells", "cells computed"),
    Column("indexer", "scored by indexer"),
    Column("cache", "cache held", "tokens"),
)


def look(pattern: str, window: int, k: int, query: int) -> Look:
    return Look(Stack(pattern, window, k), query)


def table(look: Look) -> Table:
    stack, layers = look.stack, range(1, LAYERS + 1)
    reads, held = stack.masks.sum(axis=2).max(axis=1).tolist(), np.count_nonzero(stack.held, axis=1).tolist()
    sights, backs = [look.sight(layer) for layer in layers], [look.back(layer) for layer in layers]
    columns = (
        layers,
        map(stack.kind, layers),
        reads,
        sights,
        backs,
        stack.cells.tolist(),
        [stack.indexer] * LAYERS,
        held,
    )
    return Table(COLUMNS, list(zip(*columns, strict=True)))


def values(look: Look) -> dict[str, Value]:
    stack = look.stack
    cells, held = float(stack.cells.mean()), np.count_nonzero(stack.held, axis=1)
    dsa_map = window_cells(model.DSA_CONTEXT, model.DSA_KEYS) / causal_cells(model.DSA_CONTEXT)
    return {
        "cells": Value(cells, digits=3 if (2 * cells).is_integer() else 4),
        "share": Value(100 * cells / stack.n**2, "%"),
        "indexer": Value(stack.indexer),
        "reads": Value(int(stack.masks[0, look.row].sum()), "tokens"),
        "cache": Value(float(held.mean()), "tokens"),
        "cache_all": Value(int(held.sum()), "tokens"),
        "reach1": Value(look.back(1), "tokens"),
        "reach": Value(look.back(LAYERS), "tokens"),
        "sight1": Value(look.sight(1), "tokens"),
        "sight": Value(look.sight(LAYERS), "tokens"),
        "tokens": Value(stack.n, "tokens"),
        "layers": Value(stack.layers),
        "first": Value(stack.first, "tokens"),
        "causal_cells": Value(causal_cells(stack.n)),
        "mistral_span": Value(model.product_span(model.MISTRAL_WINDOW, model.MISTRAL_LAYERS), "tokens"),
        "mistral_back": Value(model.window_reach(model.MISTRAL_WINDOW, model.MISTRAL_LAYERS), "tokens"),
        "dsa_share": Value(100 * model.DSA_KEYS / model.DSA_CONTEXT, "%"),
        "dsa_part": Value(model.DSA_CONTEXT / model.DSA_KEYS),
        "dsa_map_share": Value(100 * dsa_map, "%"),
    }


SCENE = Scene(
    title="How far back can a token see?",
    summary="A map shows which keys each query reads under a mask, and a stack of four layers how word of older tokens "
    "is handed on from layer to layer until it reaches the token that asks.",
    params=(
        Choice("pattern", "Mask", LABELS, default="window"),
        Range("query", "Token that asks", QUERIES, default=16),
        Range(
            "window",
            "Window W",
            (2, 4, 8),
            default=4,
            unit="tokens",
            when={"pattern": ("window", "window+first", "interleaved")},
        ),
        Range("k", "Chosen k", (2, 4, 8), default=4, unit="tokens", when={"pattern": ("top-k",)}),
    ),
    sentence="Token {query}, {pattern}[ of {window}][ with k = {k}].",
    solve=look,
    steps=STORY,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(2, 3),
    sources=("vaswani2017", "mistral-7b", "gpt-oss-repo", "gemma-3", "longformer", "streamingllm", "deepseek-v32-exp"),
    leaves_out="Sixteen tokens and four layers. A mask only says what may be read; how much comes through many hops is "
    "a matter of weights, so the reach is a bound, not a usable context. A token’s own state always passes on beside "
    "attention, also where top-k leaves the token itself out. "
    "A window here has exactly W keys with the query itself, as in gpt-oss’s reference code, so L layers reach "
    "L(W − 1) tokens back; Mistral’s text lets a query read W keys beside itself and says W × L. "
    "Version 0.1 of Mistral 7B had windows of 4,096 tokens; later ones have none. Gemma 3 has 5 local layers to a "
    "global one, gpt-oss 1 to 1. StreamingLLM keeps 4 first tokens beside about a thousand and renumbers positions in "
    "its cache; gpt-oss’s learned sink is something else, a term in the softmax’s denominator that keeps no token. "
    "The indexer’s vectors are random here; DeepSeek’s are trained, can run in FP8, and choose 2,048 keys. "
    "Real kernels skip masked tiles rather than cells.",
)
