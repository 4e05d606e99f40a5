"""States of scenes: that in which a page shows one, and those that links name, called as the player calls them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from loom.addresses import fragment
from loom.content.blocks import Embed
from loom.errors import Problem
from loom.scenes.parameters import absolute_step, pairs_of, read_step
from loom.scenes.summary import KnownScene

Pairs = Iterable[tuple[str, str]]


class State(NamedTuple):
    """The part of an address behind '#', or what is wrong with the state that was named."""

    fragment: str = ""
    mistake: str = ""
    hint: str = ""


def read_state(known: KnownScene, start: Pairs, query: str, name: str) -> State:
    """A state named by a link's query, of a scene that its page calls `name` and opens in the state `start`."""
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
    return State(fragment(name, [*params.items(), *(("step", one) for one in steps)]))


def stated(known: KnownScene, start: Pairs, query: str) -> tuple[dict[str, str], int]:
    """All parameters of such a state, and its step: the one that the scene opens with where none is named."""
    pairs = pairs_of(query)
    params, _ = known.read([*start, *(pair for pair in pairs if pair[0] != "step")])
    settled = known.info.settled(params)
    count = known.steps(settled)
    number = dict(pairs).get("step")
    return settled, read_step(number, count)[0] if number else absolute_step(known.info.opening, count)


def opening(known: KnownScene, embed: Embed, path: str) -> tuple[dict[str, str], int, list[Problem]]:
    """The state that an embed begins in, and what is wrong with its options."""
    params, mistakes = known.read(embed.pairs)
    problems = [Problem(path, embed.options[wrong.name][1], 0, wrong.message, wrong.hint) for wrong in mistakes]
    settled = known.info.settled(params)
    count = known.steps(settled)
    if "step" not in embed.options:
        return settled, absolute_step(known.info.opening, count), problems
    text, line = embed.options["step"]
    step, wrong_step = read_step(text, count)
    if wrong_step:
        problems.append(Problem(path, line, 0, wrong_step, f"steps are counted from 1 to {count}"))
    return settled, step, problems
