"""What a rule finds in the results of a scene."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

DIGITS = re.compile(r"\d+")
Kind = tuple[str, str]


class Finding(NamedTuple):
    """A mistake: what it is, and what to do about it.

    `variant` and `step` are the first place that has it; None for a mistake of the scene as a whole. `marks` counts the
    further marks that have it there, `states` the other states that have it.
    """

    message: str
    hint: str
    variant: str | None = None
    step: int = 0
    marks: int = 0
    states: int = 0


class Alike:
    """Mistakes in pictures. Those at one width whose keys differ only in their numbers are told once."""

    def __init__(self) -> None:
        self._first: dict[Kind, tuple[str, str, int]] = {}
        self._marks: defaultdict[Kind, set[str]] = defaultdict(set)
        self._states: defaultdict[Kind, set[tuple[str, int]]] = defaultdict(set)

    def add(self, width: str, keys: str, variant: str, step: int, describe: Callable[[], str]) -> None:
        """A mistake of the marks with some keys."""
        kind = width, DIGITS.sub("", keys)
        if kind not in self._first:
            self._first[kind] = f"{describe()}, in the {width} picture", variant, step
        self._marks[kind].add(keys)
        self._states[kind].add((variant, step))

    def findings(self, hint: str) -> list[Finding]:
        """Each kind with the place where it shows first."""
        return [
            Finding(message, hint, variant, step, len(self._marks[kind]) - 1, len(self._states[kind]) - 1)
            for kind, (message, variant, step) in sorted(self._first.items())
        ]
