"""The phases: keys built, their matrix absorbed, the same for values, and both counted at the real shape."""

from __future__ import annotations

from loom.draw import count, quantity, times
from loom.scene import Moment, Phase, evenly

from .model import ABSORBED, BUILT, HEADS, Step, break_even
from .pace import counting
from .toy import TOY, WORDS

GIGA = 10**9
TOKENS = len(WORDS)


def work(step: Step, way: str) -> str:
    """What one new token costs, in words."""
    return quantity(step.flops(way) / step.queries, "FLOP")


def each(step: Step) -> str:
    """Whose work that is, where several tokens come at once."""
    return " for each new token" if step.queries > 1 else ""


def say_built(moment: Moment) -> str:
    step: Step = moment.result
    return (
        f"A matrix makes a key of each latent, and the query meets the keys. A layer of DeepSeek-V3 has {HEADS} heads "
        f"and values too: {work(step, BUILT)}{each(step)}, over {step.context:,} latents."
    )


def say_absorbed(moment: Moment) -> str:
    step: Step = moment.result
    return (
        f"The same matrix works on the query instead. The scores are the same, and no key was made. "
        f"Over {step.context:,} latents that takes {work(step, ABSORBED)}{each(step)}."
    )


def say_values(_: Moment) -> str:
    first, second = TOY.output(ABSORBED)[0]
    return (
        "The weights blend latents. Then the matrix for values works on the one blend: "
        f"{first:.2f} and {second:.2f}, as if all {TOKENS} values had been built."
    )


def say_count(moment: Moment) -> str:
    step: Step = moment.result
    even = round(float(break_even(step.context)))
    new = count(step.queries, "new token")
    if step.worse == BUILT:
        return (
            f"With {new}, building costs {times(step.ratio)} the arithmetic: every latent is expanded for so few "
            f"queries. From {even} on, building pays."
        )
    return (
        f"With {new}, absorbing costs {times(step.ratio)} the arithmetic: a score takes 576 products in place of 192. "
        f"Up to {even}, it pays."
    )


PHASES = (
    Phase("built", say_built, beats=lambda _: evenly(TOKENS, 3.2, lead=0.25)),
    Phase("absorbed", say_absorbed, beats=lambda _: evenly(TOKENS + 2, 4.8)),
    Phase("values", say_values, beats=lambda _: evenly(TOKENS + 1, 3.0, lead=0.25)),
    Phase("count", say_count, beats=counting),
)
