"""States of scenes: the opening state on a page, and those in links; they are spelled as the player spells them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from loom.addresses import fragment
from loom.content.blocks import Embed
from loom.errors import Problem
from loom.scenes.parameters import absolute_step, pairs_of, read_step
from loom.scenes.results import KnownScene

Pairs = Iterable[tuple[str, str]]


class State(NamedTuple):
    """The part of an address behind '#', or the mistake in it."""

    fragment: str = ""
    mistake: str = ""
    hint: str = ""


def read_state(known: KnownScene, start: Pairs, query: str, name: str) -> State:
    """The state in a link's query, for a scene that is called `name` on its page and opens with the pairs `start`."""
    pairs = pairs_of(query)
    opened, _ = known.read_params(start)
    params, mistakes = known.read_params([pair for pair in pairs if pair[0] != "step"], ["step"])
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
    """All parameters of the state in a link's query, and its step; by default that with which the scene opens."""
    pairs = pairs_of(query)
    params, _ = known.read_params([*start, *(pair for pair in pairs if pair[0] != "step")])
    settled = known.info.settled(params)
    count = known.steps(settled)
    number = dict(pairs).get("step")
    return settled, read_step(number, count)[0] if number else absolute_step(known.info.opening, count)


def opening(known: KnownScene, embed: Embed, path: str) -> tuple[dict[str, str], int, list[Problem]]:
    """The opening state of an embed: its parameters and its step; and the problems with its options."""
    params, mistakes = known.read_params(embed.pairs, ["step", "as"])
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
