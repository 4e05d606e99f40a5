"""A step in two or three sentences."""

from __future__ import annotations

from loom.draw import count, plain

from .model import GB, LATENT, POSITION, kv_heads
from .moments import CAPACITIES, GPUS, LAYER, LENGTH, TOKEN, State
from .words import amount, share


def say(state: State) -> str:
    return {LAYER: _layer, TOKEN: _token, LENGTH: _length, GPUS: _gpus}[state.step](state)


def _if(state: State, past: str) -> str:
    """How a sentence about this scheme begins: as a fact, or as what would have been."""
    name, scheme = state.cache.shape.name, state.cache.scheme
    return f"If {name} had used {scheme}, {past}" if state.hypothetical else f"In {name}, {past}"


def _layer(state: State) -> str:
    cache, shape = state.cache, state.cache.shape
    heads, would = kv_heads(shape, cache.scheme), "would keep" if state.hypothetical else "keeps"
    size, width = amount(cache.layer_token), "1 byte" if cache.element == 1 else f"{cache.element} bytes"
    if not heads:
        kept = _if(
            state, f"a layer {would} one latent of {LATENT} numbers and a position key of {POSITION} for a token"
        )
        product = f"({LATENT} + {POSITION}) × {width} = {size}"
        return f"{kept}: {product}. Keys and values both come from the latent, so nothing is doubled."
    kept = _if(state, f"a layer {would} a key and a value of a token for {_each(heads)}")
    return f"{kept}: 2 × {heads} × {shape.head_dim} numbers of {width} are {size}. {_readers(shape.heads, heads)}"


def _each(heads: int) -> str:
    return "its only KV head" if heads == 1 else f"each of {heads} KV heads"


def _readers(queries: int, heads: int) -> str:
    if heads == queries:
        return f"Every one of the {queries} query heads has its own."
    if heads == 1:
        return f"All {queries} query heads read the same one, and their queries are not kept."
    return f"Each of them is read by {queries // heads} query heads, and queries are not kept."


def _token(state: State) -> str:
    cache, shape = state.cache, state.cache.shape
    product = f"{shape.layers} × {amount(cache.layer_token)} = {amount(cache.token)}"
    every = _if(
        state, f"all {shape.layers} layers {'would keep' if state.hypothetical else 'keep'} their own: {product}"
    )
    if not state.window:
        return f"{every} for each token of a conversation."
    if not shape.kept:
        return f"{every} for a token. Each of them looks back {shape.window:,} tokens and no further."
    return f"{every} for a token. {shape.windowed} of them look back no more than {shape.window:,} tokens."


def _length(state: State) -> str:
    cache, shape, tokens = state.cache, state.cache.shape, state.tokens
    total, full = cache.total(tokens) // cache.batch, cache.token * tokens
    takes = "would take" if state.hypothetical else "take"
    if not state.cut:
        start = _if(state, f"{tokens:,} tokens of {amount(cache.token)} each {takes} {amount(total)}")
        if not state.window:
            return f"{start}. The cache grows with every token."
        return f"{start}. The windows of {shape.window:,} have dropped nothing yet."
    start = _if(state, f"{tokens:,} tokens {takes} {amount(total)} and not {amount(full)}")
    who = f"{shape.windowed} layers" if shape.kept else f"all {shape.layers} layers"
    return f"{start}: {who} stop growing at {shape.window:,} tokens and write over their oldest."


def _gpus(state: State) -> str:
    cache, tokens, small, one = state.cache, state.tokens, CAPACITIES[0], state.cache.batch == 1
    total, limit, name = cache.total(tokens), cache.fits(small), f"{small // GB} GB"
    whose = f"{'one conversation' if one else count(cache.batch, 'conversation')} of {tokens:,} tokens"
    takes = "would take" if state.hypothetical else "takes" if one else "take"
    start, full = _if(state, f"{whose} {takes} {amount(total)}"), "would be full" if state.hypothetical else "is full"
    full = f"{full} at {limit or 0:,} tokens{'' if one else ' each'}"
    if limit is None:
        most, ever = cache.total(cache.shape.window), "it gets" if one else "they get"
        end = f"{share(total, small)} of a GPU of {name}, "
        end += f"however long {ever}" if total == most else f"and never more than {share(most, small)}"
    elif total <= small:
        end = f"{share(total, small)} of a GPU of {name}, which {full}"
    else:
        end = f"as much as {plain(total / small)} GPUs of {name} hold; a single one {full}"
    return f"{start}, {end}. The weights come on top: they are not counted here."
