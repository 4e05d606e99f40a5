"""States of scenes that links and quoted values name, called as the player calls them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from loom.addresses import fragment
from loom.scenes.known import KnownScene
from loom.scenes.parameters import pairs_of, read_step

Pairs = Iterable[tuple[str, str]]


class State(NamedTuple):
    """The part of an address behind '#', or what is wrong with the state that was named."""

    fragment: str = ""
    mistake: str = ""
    hint: str = ""


def read_state(known: KnownScene, start: Pairs, query: str) -> State:
    """A state named by a link's query, of a scene that its page opens in the state `start`."""
    pairs = pairs_of(query)
    opened, _ = known.read(start)
    params, mistakes = known.read([pair for pair in pairs if pair[0] != "step"])
    if mistakes:
        return State(mistake=mistakes[0].message, hint=mistakes[0].hint)
    count = known.steps({**opened, **params})
    steps = [text for key, text in pairs if key == "step"]
    for text in steps:
        _, wrong = read_step(text, count)
        if wrong:
            return State(mistake=wrong, hint=f"steps are counted from 1 to {count}")
    return State(fragment(known.id, [*params.items(), *(("step", one) for one in steps)]))
