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


@dataclass(frozen=True)
class KnownScene:
    """A scene that could be computed, as pages ask for it."""

    found: Any
    data: SceneData

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def path(self) -> str:
        return str(self.found.path)

    @property
    def scene(self) -> Any:
        return self.found.scene

    @property
    def digest(self) -> bytes:
        import hashlib

        found = hashlib.blake2b(repr([(v.say, v.table.rows, v.values) for v in self.data.variants.values()]).encode())
        for name, raw in sorted(self.data.files.items()):
            found.update(name.encode() + raw)
        return found.digest() + self.scene.title.encode() + self.scene.summary.encode() + self.scene.leaves_out.encode()

    def read(self, pairs: Any) -> dict[str, str]:
        from loom.scene import spelling
        from loom.scenes.parameters import read_params

        params, _ = read_params(self.scene, pairs, self.id)
        return {name: spelling(value) for name, value in params.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        return len(self.data.variants[self.scene.key(params)].say)

    def values(self, params: Mapping[str, Any]) -> Mapping[str, Value]:
        return self.data.variants[self.scene.key(params)].values
