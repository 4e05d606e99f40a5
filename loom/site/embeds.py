"""The state in which an embedded scene begins."""

from __future__ import annotations

from loom.content.blocks import Embed
from loom.errors import Problem
from loom.scenes.parameters import from_end, read_step
from loom.scenes.results import SceneData


def opening(data: SceneData, embed: Embed, path: str) -> tuple[dict[str, str], int, list[Problem]]:
    """The state that an embed begins in, all parameters named, and what is wrong with its options."""
    params, mistakes = data.read(embed.pairs)
    problems = [Problem(path, embed.options[wrong.name][1], 0, wrong.message, wrong.hint) for wrong in mistakes]
    settled = data.info.settled(params)
    count = data.steps(settled)
    if "step" not in embed.options:
        return settled, from_end(data.info.opening, count), problems
    text, line = embed.options["step"]
    step, wrong_step = read_step(text, count)
    if wrong_step:
        problems.append(Problem(path, line, 0, wrong_step, f"steps are counted from 1 to {count}"))
    return settled, step, problems
