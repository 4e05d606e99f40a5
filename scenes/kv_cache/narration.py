"""The four phases of the product, each with the two or three sentences that it says, and sizes as they are read."""

from __future__ import annotations

from loom.draw import count, plain, quantity
from loom.scene import Moment, Phase

from .model import CAPACITIES, GB, LATENT, POSITION, Case, kv_heads


def amount(size: int) -> str:
    """Bytes: in full below a million, then to three digits."""
    return f"{size:,}\u00a0B" if size < 10**6 else quantity(size, "B")


def share(part: float, whole: float) -> str:
    """A percentage with one decimal, or two where it is small."""
    percent = 100 * part / whole
    if percent < 0.01:
        return "less than 0.01%"
    return f"{percent:.1f}%" if percent >= 0.1 else f"{percent:.2f}%"


def _if(case: Case, subject: str, verb: str, rest: str) -> str:
    """A sentence about this scheme: as a fact, or as what would have been."""
    name, scheme = case.cache.shape.name, case.cache.scheme
    if case.hypothetical:
        return f"If {name} had used {scheme}, {subject} would {verb.removesuffix('s')} {rest}"
    return f"In {name}, {subject} {verb} {rest}"


def _layer(moment: Moment) -> str:
    case, cache, shape = moment.result, moment.result.cache, moment.result.cache.shape
    heads, size, width = kv_heads(shape, cache.scheme), amount(cache.layer_token), count(cache.element, "byte")
    if not heads:
        latent = f"one latent of {LATENT} numbers and a position key of {POSITION} for a token"
        kept = _if(case, "a layer", "keeps", f"{latent}: ({LATENT} + {POSITION}) × {width} = {size}")
        return f"{kept}. Keys and values both come from the latent, so nothing is doubled."
    each = "its only KV head" if heads == 1 else f"each of {heads} KV heads"
    product = f"2 × {heads} × {shape.head_dim} numbers of {width} are {size}"
    kept = _if(case, "a layer", "keeps", f"a key and a value of a token for {each}: {product}")
    return f"{kept}. {_readers(shape.heads, heads)}"


def _readers(queries: int, heads: int) -> str:
    if heads == queries:
        return f"Every one of the {queries} query heads has its own."
    if heads == 1:
        return f"All {queries} query heads read the same one, and their queries are not kept."
    return f"Each of them is read by {queries // heads} query heads, and queries are not kept."


def _token(moment: Moment) -> str:
    case, cache, shape = moment.result, moment.result.cache, moment.result.cache.shape
    product = f"{shape.layers} × {amount(cache.layer_token)} = {amount(cache.token)}"
    every = _if(case, f"all {shape.layers} layers", "keep", f"their own: {product}")
    if not shape.windowed:
        return f"{every} for each token of a conversation."
    if not shape.kept:
        return f"{every} for a token. Each of them looks back {shape.window:,} tokens and no further."
    return f"{every} for a token. {shape.windowed} of them look back no more than {shape.window:,} tokens."


def _length(moment: Moment) -> str:
    case, cache, shape = moment.result, moment.result.cache, moment.result.cache.shape
    total, tokens = amount(cache.total(case.tokens) // cache.batch), f"{case.tokens:,} tokens"
    if not case.cut:
        start = _if(case, f"{tokens} of {amount(cache.token)} each", "take", total)
        if not shape.windowed:
            return f"{start}. The cache grows with every token."
        return f"{start}. The windows of {shape.window:,} have dropped nothing yet."
    start = _if(case, tokens, "take", f"{total} and not {amount(cache.token * case.tokens)}")
    who = f"{shape.windowed} layers" if shape.kept else f"all {shape.layers} layers"
    return f"{start}: {who} stop growing at {shape.window:,} tokens and write over their oldest."


def _gpus(moment: Moment) -> str:
    case, cache, small = moment.result, moment.result.cache, CAPACITIES[0]
    total, limit, name, one = cache.total(case.tokens), cache.fits(small), f"{small // GB} GB", cache.batch == 1
    whose = f"{'one conversation' if one else count(cache.batch, 'conversation')} of {case.tokens:,} tokens"
    full = f"{'would be' if case.hypothetical else 'is'} full at {limit or 0:,} tokens{'' if one else ' each'}"
    if limit is None:
        most, ever = cache.total(cache.shape.window), "it gets" if one else "they get"
        end = f"{share(total, small)} of a GPU of {name}, "
        end += f"however long {ever}" if total == most else f"and never more than {share(most, small)}"
    elif total <= small:
        end = f"{share(total, small)} of a GPU of {name}, which {full}"
    else:
        end = f"as much as {plain(total / small)} GPUs of {name} hold; a single one {full}"
    start = _if(case, whose, "takes" if one else "take", f"{amount(total)}, {end}")
    return f"{start}. The weights come on top: they are not counted here."


PHASES = (Phase("layer", _layer), Phase("token", _token), Phase("length", _length), Phase("gpus", _gpus))
