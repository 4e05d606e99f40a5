"""Check that variants of scenes can share files: that their marks lie over each other in one order."""

from __future__ import annotations

from loom.lint.finding import Finding
from loom.scenes.results import SceneData

SHOWN = 3  # keys that are named


def painting_order(data: SceneData) -> list[Finding]:
    """Whether no painting order fits all variants. A variant on its own always has one."""
    if not data.cycle:
        return []
    keys = ", ".join(f"'{key}'" for key in dict.fromkeys(data.cycle[: SHOWN + 1]))
    message = f"{keys} are painted now over, now under each other, so that variants can't share files"
    return [Finding(message, f"yield marks in one order, wherever they stand: there are {len(data.files)} files")]
