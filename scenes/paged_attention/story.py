"""The story: which requests come, how long they are, and what happens to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .slots import Ints

SLOTS = 256  # a slot holds the keys and values of one token
BLOCKS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class Request:
    """A sequence to come: lengths in tokens, and which prompt it has. Requests of one `text` have the same prompt."""

    name: str
    prompt: int
    output: int
    most: int
    text: int

    @property
    def final(self) -> int:
        """How long it will be: only the teller of the story knows."""
        return self.prompt + self.output

    def prompt_tokens(self) -> Ints:
        return 1000 * self.text + np.arange(self.prompt)

    def output_token(self, place: int) -> int:
        """The token at `place`, which is after the prompt: no two requests say the same."""
        return 1_000_000 * ord(self.name[0]) + place


@dataclass(frozen=True)
class Event:
    """Requests arrive or end, or all that run write `tokens` tokens each."""

    kind: str
    names: str = ""
    tokens: int = 0


REQUESTS = (
    Request("A", prompt=21, output=12, most=64, text=1),
    Request("B", prompt=37, output=27, most=96, text=2),
    Request("C", prompt=11, output=17, most=64, text=3),
    Request("D", prompt=66, output=20, most=96, text=4),
    Request("E", prompt=41, output=10, most=96, text=5),
    Request("F", prompt=41, output=10, most=96, text=5),
)
STORY = (
    Event("arrive", "A"), Event("arrive", "BC"), Event("write", tokens=12), Event("end", "A"), Event("arrive", "D"),
    Event("write", tokens=5), Event("end", "C"), Event("arrive", "EF"), Event("write", tokens=1),
    Event("write", tokens=5),
)  # fmt: skip
TELLING = 5  # the step at which one memory makes a request wait, and the other does not
