"""Check that variants of scenes can share files: that their marks lie over each other in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from loom.errors import Problem
from loom.render.assets import Once
from loom.scenes.results import KnownScene

SHOWN = 3  # keys that are named


def order_problems(scenes: Iterable[KnownScene], once: Once) -> Iterator[Problem]:
    """Scenes without a painting order that fits all variants. A variant on its own always has one."""
    for known in scenes:
        cycle = once("painting order", partial(_of_scene, known), known.summary.digest)
        if cycle:
            keys = ", ".join(f"'{key}'" for key in dict.fromkeys(cycle[: SHOWN + 1]))
            message = f"{keys} are painted now over, now under each other, so that variants can't share files"
            hint = f"yield marks in one order, wherever they stand: there are {len(known.data.files)} files"
            yield Problem(known.summary.info.path, 0, 0, message, hint, "order")


def _of_scene(known: KnownScene) -> list[str]:
    return list(known.data.cycle)
