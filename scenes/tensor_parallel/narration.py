"""The phases: what each GPU makes, the sum over all of them, where it stands in a layer, and what it costs."""

from __future__ import annotations

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .model import GPUS, TOKENS, Split
from .toy import EXACT

LEAD = 0.25  # that the picture before anything sets out stands [s]
OVER = {"nvlink": "NVLink", "network": "the network"}


def say_middle(moment: Moment) -> str:
    one: Split = moment.result
    if one.gpus == 1:
        return "One GPU holds both matrices. Between the two products, ReLU makes every negative number 0."
    if one.order == "columns":
        return (
            "A GPU holds some columns of A, and makes those of the middle whole. So it can apply ReLU without asking "
            "anyone."
        )
    return (
        "Cut by rows, A gives each GPU a part of every number. ReLU of parts is not ReLU of their sum: negative parts "
        "are gone before they count."
    )


def say_sum(moment: Moment) -> str:
    one: Split = moment.result
    if one.gpus == 1:
        return "The middle meets B, and the result is there. Nothing has to be sent."
    if one.order == "columns":
        return (
            "These columns meet the same rows of B. Each GPU gets a part of every result, and one sum over all GPUs "
            "makes them whole."
        )
    width = 2 * one.shape.ffn
    return (
        f"Summed at the end, {one.toy.wrong} of {EXACT.size} are wrong. A second sum, before ReLU, would mend it: in "
        f"{one.shape.name} of {width:,} numbers a token, not {one.shape.hidden:,}."
    )


def say_layer(moment: Moment) -> str:
    one: Split = moment.result
    if one.gpus == 1:
        return f"Alone, a GPU takes {quantity(one.compute, 's')} for the forward pass of a layer of {one.shape.name}."
    heads, keys = count(round(one.heads), "query head"), count(max(1, one.shape.kv_heads // one.gpus), "KV head")
    return (
        f"Attention is cut alike, by heads: {heads} and {keys} a GPU. For each of two sums it sends "
        f"{quantity(one.each, 'B')}, and nobody computes."
    )


def say_sequence(moment: Moment) -> str:
    one: Split = moment.result
    return (
        "Sequence parallelism opens each all-reduce in its middle, where a GPU needs "
        f"{TOKENS // one.gpus:,} tokens, not {TOKENS:,}. The bytes are the same."
    )


def say_cost(moment: Moment) -> str:
    one: Split = moment.result
    if one.gpus == 1:
        return "Nothing is sent, but one GPU has to hold every layer and compute it alone."
    gain = one.over(1).total / one.total
    how = f"{number(gain)} times as fast as one" if gain > 1 else "slower than one"
    return (
        f"{quantity(one.compute, 's')} of arithmetic, {quantity(one.communication, 's')} of sums over "
        f"{OVER[one.link]}: {one.gpus} GPUs are {how}, with any number of tokens."
    )


def whole(one: Split) -> tuple[int, ...]:
    """A wrong order is not taken further."""
    return (0,) if one.order == "columns" else ()


def cut(one: Split) -> tuple[int, ...]:
    """One GPU has nothing to sum."""
    return whole(one) if one.gpus > 1 else ()


def turns(moment: Moment) -> int:
    """How many columns a GPU of the small example makes, one after the other."""
    return 8 // int(moment.result.toy.gpus)


def summing(moment: Moment) -> tuple[float, ...]:
    """Parts come, meet and are summed; beside a right order the wrong one is seen a while."""
    one: Split = moment.result
    if one.gpus == 1:
        return evenly(2, 2.8, lead=LEAD)
    return evenly(8, 4.8, lead=LEAD) if one.order == "columns" else evenly(5, 3.0, lead=LEAD)


def dividing(_: Moment) -> tuple[float, ...]:
    """One GPU's time is divided among two, among four and so on, and then the other link's times are seen."""
    return evenly(len(GPUS), 0.55 * len(GPUS), lead=LEAD)


PHASES = (
    Phase("middle", say_middle, beats=lambda moment: evenly(turns(moment), 0.7 * turns(moment), lead=LEAD)),
    Phase("sum", say_sum, beats=summing),
    Phase("layer", say_layer, whole, lambda moment: evenly(4 if moment.result.gpus > 1 else 2, 3.2)),
    Phase("sequence", say_sequence, cut, lambda _: evenly(2, 1.2)),
    Phase("cost", say_cost, whole, dividing),
)
