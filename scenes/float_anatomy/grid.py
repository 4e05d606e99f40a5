"""A scene whose grid leaves resting parameters out from the start: 700 choices, not 26 million to sift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from loom.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Pruned(Scene):
    """A `Scene` of the same choices in the same order; here a parameter stands behind those that its `when` names."""

    def grid(self) -> Iterator[dict[str, Any]]:
        """Every distinct choice of parameters, in a fixed order."""
        choices: list[dict[str, Any]] = [{}]
        for param in self.params:
            choices = [
                {**choice, param.name: value}
                for choice in choices
                for value in (
                    param.values
                    if all(choice[other] in wanted for other, wanted in param.when.items())
                    else (param.start,)
                )
            ]
        yield from choices
