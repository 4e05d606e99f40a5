"""The phases: a state is filled, a key comes again, the state is asked, and a model's memory is counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .model import Memory
from .shapes import LATENT
from .toy import ADDS, DELTA, SIDE, VALUES, WORDS, Toy

FILLED = SIDE  # tokens until every key is taken
PARTS = ("fade", "erase", "write")
LEAST = 256  # tokens: where a conversation begins to grow
BEATS = 4


@dataclass(frozen=True)
class Case:
    """A conversation with a model, and a small state under one rule."""

    memory: Memory
    rule: str

    @cached_property
    def toy(self) -> Toy:
        return Toy(self.rule)


def vector(entries: list[float]) -> str:
    """Numbers in a sentence: (0, 1, 0, 2)."""
    return f"({', '.join(number(entry) for entry in entries)})"


def say_fill(moment: Moment) -> str:
    case: Case = moment.result
    fades = "lets the state fade a little and " if case.rule == DELTA else ""
    return (
        f"Each token {fades}adds its value times its key. After {count(FILLED, 'token')} the state has "
        f"{SIDE * SIDE} numbers, as many as after one."
    )


def say_again(moment: Moment) -> str:
    case: Case = moment.result
    same = f"“{WORDS[FILLED]}” has the key of “{WORDS[0]}”"
    if case.rule == ADDS:
        return f"{same}, and its value is added on top: both lie in one column now."
    return f"{same}. The state fades by 0.9, loses what it holds under this key, and gets the new value there."


def say_ask(moment: Moment) -> str:
    case: Case = moment.result
    found, wanted = case.toy.answer.tolist(), VALUES[-1].tolist()
    words = f"Asked with this key, the state gives {vector(found)}"
    if found == wanted:
        return f"{words}: the value of “{WORDS[-1]}”, and nothing of “{WORDS[0]}”."
    return f"{words}, where “{WORDS[-1]}” wrote {vector(wanted)}: the two values can’t be told apart."


def say_count(moment: Moment) -> str:
    memory: Memory = moment.result.memory
    shape = memory.shape
    what = "latents" if shape.token == LATENT else "keys"
    words = (
        f"{shape.linear} layers keep a state and {shape.full} keep {what}: {quantity(memory.states, 'B')} and "
        f"{quantity(memory.keys, 'B')} for {memory.tokens:,} tokens."
    )
    if memory.ratio >= 1:
        return f"{words} {what.capitalize()} in all layers would take {quantity(memory.everywhere, 'B')}."
    return f"{words} Below {memory.even:,.0f} tokens, a state is larger than what it replaces."


PHASES = (
    Phase("fill", say_fill, beats=lambda _: evenly(2 * FILLED - 1, 4.9, lead=0.25)),
    Phase("again", say_again, beats=lambda moment: evenly(3, 3.6) if moment.result.rule == DELTA else evenly(2, 1.6)),
    Phase("ask", say_ask, beats=lambda _: evenly(1, 0.8, lead=0.4)),
    Phase("count", say_count, beats=lambda moment: evenly(BEATS if moment.result.memory.tokens > LEAST else 1, 2.4)),
)


def so_far(moment: Moment) -> Memory:
    """What a conversation takes that grows from beat to beat, each as many times longer."""
    memory: Memory = moment.result.memory
    if moment.progress == 1:
        return memory
    return replace(memory, tokens=round(LEAST * (memory.tokens / LEAST) ** moment.progress))
