"""The phases of the product, what is said of each, and sizes as they are read."""

from __future__ import annotations

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .._serving.models import MODELS
from .._serving.shapes import LATENT, POSITION, Shape
from .compressed import EVERY
from .model import CAPACITIES, Cache, Case, kv_heads

SMALL = CAPACITIES[0]
SHOWN = ("BF16", "FP8", "NVFP4", "2-bit")  # formats in the picture
BEATS = 4
STACKED = 3  # pictures of a token in ever more layers
MANY = 2**20  # tokens
LEAST = 1024  # tokens: where a conversation begins to grow
WEIGHTS = {MODELS[name].shape.name: MODELS[name].stored for name in ("8B", "gpt-oss")}  # of those that fit in one GPU


def amount(size: int) -> str:
    """Bytes: in full below a million, then to three digits."""
    return f"{size:,}\u00a0B" if size < 10**6 else quantity(size, "B")


def share(part: float, whole: float) -> str:
    """A percentage with one decimal, or two where it is small."""
    percent = 100 * part / whole
    if percent < 0.01:
        return "less than 0.01%"
    return f"{percent:.1f}%" if percent >= 0.1 else f"{percent:.2f}%"


def numbers(cache: Cache) -> str:
    """What one token leaves in one layer, as a product."""
    heads, shape = kv_heads(cache.shape, cache.scheme), cache.shape
    if cache.scheme == "CSA":
        return f"({shape.head_dim} + {shape.index}) × {cache.element} B"
    if not heads:
        index = f" + {shape.index}" if shape.index else ""
        return f"({LATENT} + {POSITION}{index}) numbers × {cache.element} B"
    return f"2 × {heads} heads × {cache.shape.head_dim} × {cache.element} B"


def bits(cache: Cache, form: str) -> str:
    """Bits that a number of the cache takes in a format, with its share of scales and offsets."""
    moving = cache.total(MANY) - cache.states
    return number(16 * (cache.stored(MANY, form) - cache.states) / moving, 3)


def say_layer(moment: Moment) -> str:
    case: Case = moment.result
    cache, shape = case.cache, case.cache.shape
    heads, size = kv_heads(shape, cache.scheme), amount(cache.layer_token)
    layer = "a layer with attention" if shape.stateful else "a layer"
    if cache.scheme == "CSA":
        return (
            f"In {shape.name}, one layer in two keeps an entry for every {EVERY['c']} tokens, {shape.head_dim} numbers "
            f"that are key and value, and an indexer’s key of {shape.index}: {size}."
        )
    if not heads:
        key = f"a key of {POSITION}" + ("" if shape.stateful else " for its position")  # Kimi Linear turns no key
        key = f"{key}, and an indexer’s of {shape.index}" if shape.index else f"and {key}"
        words = f"In {shape.name}, {layer} keeps one latent of {LATENT} numbers for a token, {key}: {size}"
        return f"{words}. All {shape.heads} heads read the same."
    return (
        f"In {shape.name}, {layer} keeps {count(heads, 'key')} and as many values of {shape.head_dim} numbers for a "
        f"token: {size}. Its {shape.heads} query heads share them and leave nothing."
    )


def say_token(moment: Moment) -> str:
    case: Case = moment.result
    shape = case.cache.shape
    if shape.stateful:
        return (
            f"{shape.kept} of its {shape.layers} layers do so: a token leaves {amount(case.cache.token)} behind. The "
            f"other {shape.stateful} keep a state of {amount(shape.state)} each, however long the text."
        )
    if shape.compressed:
        csa, hca = (shape.kinds.count(kind) for kind in "ch")
        return (
            f"{csa} layers do so, and {hca} keep an entry for every {EVERY['h']} tokens: a token leaves "
            f"{amount(case.cache.token)} behind on average. All {shape.layers} also hold the last {shape.window}."
        )
    words = f"Every one of the {shape.layers} layers keeps its own: a token leaves {amount(case.cache.token)} behind."
    if not shape.windowed:
        return words
    which = f"{shape.windowed} of them keep" if shape.kept else "All of them keep"
    return f"{words} {which} only the last {count(shape.window, 'token')}."


def say_length(moment: Moment) -> str:
    case: Case = moment.result
    cache, total = case.cache, case.cache.total(case.tokens)
    limit, name = cache.fits(SMALL), cache.shape.name
    words = f"{case.tokens:,} tokens of {name} leave {amount(total)}, {share(total, SMALL)} of a GPU of 80 GB"
    if total > SMALL:
        words = f"{case.tokens:,} tokens of {name} leave {amount(total)} and take {cache.gpus(case.tokens, SMALL)} GPUs"
    if limit is None:
        return f"{words}, and never more than {share(cache.total(cache.shape.window), SMALL)}. Weights come on top."
    return f"{words}. One is full at {limit:,} tokens, before any weight lies there."


def say_format(moment: Moment) -> str:
    case: Case = moment.result
    sizes = {form: amount(round(case.cache.stored(case.tokens, form))) for form in SHOWN}
    words = f"Stored in FP8, {sizes['BF16']} become {sizes['FP8']}; in NVFP4 {sizes['NVFP4']}, and with 2 bits"
    words += f" {sizes['2-bit']}. Scales take room, too"
    if case.cache.shape.stateful:
        return f"{words}, and the states stay in FP32."
    if case.cache.shape.compressed:
        return f"{words}, and its FP8 has {POSITION} numbers of an entry in BF16."
    return f"{words}." if case.cache.shape.kv_heads else f"{words}, and MLA’s FP8 keeps {POSITION} numbers in BF16."


PHASES = (
    Phase("layer", say_layer, beats=lambda _: (0.0, 0.25)),  # heads that share go together
    Phase("token", say_token, beats=lambda _: evenly(STACKED, 2.1)),  # layers add up
    Phase(
        "length", say_length, beats=lambda moment: evenly(BEATS if moment.result.tokens > LEAST else 1, 3.0)
    ),  # the conversation grows
    Phase("format", say_format, beats=lambda _: (0.0, 0.25)),  # numbers get narrower
)


def so_far(moment: Moment) -> int:
    """The tokens of the conversation at a moment: while it grows, each beat adds as many, and none is off the axis."""
    case: Case = moment.result
    if not moment.since("length"):
        return 1
    if moment.phase == "format":
        return case.tokens
    return max(LEAST, round(case.tokens * moment.progress))


def layers_so_far(moment: Moment) -> int:
    """Up to which layer the token is seen to be kept: the first that keeps tokens, then ever more, then all."""
    shape: Shape = moment.result.cache.shape
    first = len(shape.kinds) - len(shape.kinds.lstrip("s")) + 1
    if moment.phase == "layer":
        return first
    share = moment.beat / (STACKED - 1) if moment.phase == "token" else 1.0
    return max(first, round(shape.layers * share))


def weights(cache: Cache) -> int:
    """What the model itself takes of a GPU, to compare its cache with; 0 if it is larger, or not counted here [B]."""
    return WEIGHTS.get(cache.shape.name, 0)


def gpus(size: int) -> str:
    """How many GPUs a size takes, where that is more than one."""
    number = -(-size // SMALL)
    return f"{amount(size)} = {number:,} GPUs" if number > 1 else amount(size)
