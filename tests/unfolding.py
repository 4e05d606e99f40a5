"""What the player does with a scene's data, in Python: frames from differences, and the order of painting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from loom.draw.marks import Mark
from loom.scenes.encode import encoded

Marks = dict[str, dict[str, Any]]


def unfold(base: Marks, differences: Iterable[Mapping[str, Any]]) -> list[Marks]:
    """All frames of a variant, each whole: `unfold` of static/player/paint.js, line by line."""
    frames, frame = [], base
    for difference in differences:
        frame = dict(frame)
        for key, change in difference.items():
            if change is None:
                del frame[key]
                continue
            past = frame.get(key, {})
            if change.get("t", past.get("t")) != past.get("t"):
                past = {}
            frame[key] = {name: value for name, value in {**past, **change}.items() if value is not None}
        frames.append(frame)
    return frames


def drawn(frame: Iterable[Mark]) -> Marks:
    """A frame as the player should have it."""
    return {mark.key: encoded(mark) for mark in frame}
