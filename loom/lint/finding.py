"""What a rule finds in the results of a scene."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """A mistake: what it is, and what to do about it.

    It shows in a step of a variant, of all that have it the first, or in none by itself; `marks` more like it show
    there, and it does in so many other `states`.
    """

    message: str
    hint: str
    variant: str | None = None
    step: int = 0
    marks: int = 0
    states: int = 0
