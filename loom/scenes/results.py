"""What computing a scene gives: variants, their frames, and the files that the player fetches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from loom.draw.marks import Mark
from loom.scene import Table, Value

Frame = tuple[Mark, ...]
Key = tuple[int, ...]


@dataclass(frozen=True)
class Variant:
    """One choice of parameters: what is said at each step, the data table, the values."""

    params: Mapping[str, Any]
    say: tuple[str, ...]
    table: Table
    values: Mapping[str, Value]


@dataclass(frozen=True)
class Drawn:
    """A variant with the frames of every width, one frame a step."""

    variant: Variant
    frames: Mapping[str, tuple[Frame, ...]]


@dataclass(frozen=True)
class SceneData:
    """A computed scene. `heights` are those of the stage, the same for all its states."""

    id: str
    variants: Mapping[Key, Variant]
    heights: Mapping[str, float]
    files: Mapping[str, bytes]
