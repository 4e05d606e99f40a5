"""Apply the rules on the results of scenes. What they find is kept as long as the results are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from loom.errors import Problem
from loom.lint.contrast_rules import faint_words
from loom.lint.finding import Finding
from loom.lint.narration_rules import narration
from loom.lint.order_rules import painting_order
from loom.lint.overlap_rules import overlaps
from loom.lint.start_rules import late_start
from loom.render.assets import Once
from loom.scenes.results import KnownScene, SceneData
from loom.scenes.validate import context

Rule = Callable[[SceneData], list[Finding]]
RULES: dict[str, Rule] = {
    "overlap": overlaps, "contrast": faint_words, "narration": narration, "order": painting_order, "start": late_start,
}  # fmt: skip


def scene_problems(scenes: Iterable[KnownScene], once: Once) -> Iterator[Problem]:
    """What the rules find in some scenes."""
    for known in scenes:
        info = known.summary.info
        for name, rule in RULES.items():
            found = once(f"rule {name}", partial(_applied, rule, known), known.summary.digest)
            for message, hint, variant, step, marks, states in msgspec.convert(found, list[Finding]):
                state = context(info.params_of(variant), step) if variant is not None else ""
                yield Problem(info.path, 0, 0, message, hint, name, state=state, others=states, marks=marks)


def _applied(rule: Rule, known: KnownScene) -> list[Finding]:
    return rule(known.data)
