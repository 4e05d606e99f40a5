"""The three chapters, what is said in each, and how times and rates are read."""

from __future__ import annotations

from loom.draw import count, quantity, significant
from loom.scene import Moment, Phase

from .model import Load
from .pace import joining, passing, stepping

MODELS = {
    "8B": "Llama 3 8B, BF16",
    "70B": "Llama 3 70B, BF16",
    "gpt-oss": "gpt-oss-120b",
    "V3": "DeepSeek-V3",
}


def clock(seconds: float) -> str:
    return quantity(float(seconds), "s")


def size(value: float) -> str:
    return quantity(float(value), "B")


def rate(tokens: float) -> str:
    """Tokens in a second, to three digits."""
    return significant(float(f"{tokens:.3g}"))


def users(number: int) -> str:
    return count(number, "user")


def gpus(number: int, name: str) -> str:
    """GPUs at the beginning of a sentence."""
    return f"One {name}" if number == 1 else f"{number:,} {name}s"


def say_alone(moment: Moment) -> str:
    load: Load = moment.result
    one, served = load.alone, load.served
    weights = f"{size(served.weights(1))} of weights in {clock(one.read_weights)}"
    cache = f"{size(served.cache(load.context))} of cache in {clock(one.read_cache)}"
    work = clock(one.multiply + one.attend)
    return f"A step for one user reads {weights} and {cache}. The arithmetic takes {work}."


def say_shared(moment: Moment) -> str:
    load: Load = moment.result
    alone = rate(1 / float(load.alone.time))
    if load.batch == 1:  # the chapter is there all the same: the knob of users stays in hand
        return f"One user shares the weights with nobody, and gets {alone} tokens/s. One more adds {clock(load.more)}."
    shared = f"{users(load.batch)} share the weights"
    if load.served.experts.layers:
        shared = f"{users(load.batch)} touch {significant(load.experts)} of {load.served.experts.number} experts"
    told = f"{shared}: {rate(load.user)} tokens/s each, {rate(load.everyone)} for all"
    worth = ", as from one GPU" if load.gpus > 1 else ""
    return f"{told}{worth}. Alone, one gets {alone}."


def say_limits(moment: Moment) -> str:
    load: Load = moment.result
    one = load.limits
    reading = f"Caches take longer than weights from {users(one.overtaking)} on, arithmetic from {one.balance:,.0f}"
    return f"{reading}. {gpus(one.least, load.gpu)} {'holds' if one.least == 1 else 'hold'} {one.fits:,}."


PHASES = (
    Phase("alone", say_alone, beats=stepping),
    Phase("shared", say_shared, beats=joining),
    Phase("limits", say_limits, beats=passing),
)
