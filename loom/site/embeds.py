"""The state in which an embedded scene begins."""

from __future__ import annotations

from typing import Any

from loom.content.blocks import Embed
from loom.errors import Problem
from loom.scenes.parameters import from_end, read_params, read_step
from loom.scenes.results import KnownScene


def opening(known: KnownScene, embed: Embed, path: str) -> tuple[dict[str, Any], int, list[Problem]]:
    """The state that an embed begins in, and what is wrong with its options."""
    found, data = known.found, known.data
    params, mistakes = read_params(found.scene, embed.pairs, found.id)
    problems = [Problem(path, embed.options[wrong.name][1], 0, wrong.message, wrong.hint) for wrong in mistakes]
    settled = found.scene.resting(params)
    count = len(data.variants[found.scene.key(settled)].say)
    if "step" not in embed.options:
        return settled, from_end(found.scene.opening, count), problems
    text, line = embed.options["step"]
    step, wrong_step = read_step(text, count)
    if wrong_step:
        problems.append(Problem(path, line, 0, wrong_step, f"steps are counted from 1 to {count}"))
    return settled, step, problems
