"""What the beats of a chapter show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loom.draw import Mark
from loom.scene import WIDTHS, Scene


def drawn_beats(scene: Scene, states: Iterable[Any], width: str = "wide") -> list[dict[str, Mark]]:
    """The marks of each state, by key."""
    return [{mark.key: mark for mark in scene.draw(state, WIDTHS[width])} for state in states]
