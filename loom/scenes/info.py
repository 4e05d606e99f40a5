"""The description of a scene as plain data: all that pages, links and controls need besides its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from loom.draw.marks import spelling
from loom.scene import LIMITS, Column, Scene


class Param(Struct, frozen=True):
    """A parameter: the spelling and the label of each value, and the index of the default."""

    name: str
    label: str
    kind: str  # choice, range or toggle
    unit: str
    values: tuple[str, ...]
    labels: tuple[str, ...]
    start: int
    when: tuple[tuple[int, tuple[int, ...]], ...]  # other parameters, and the values of each for which this one matters

    def matters(self, at: Sequence[int]) -> bool:
        """Whether it matters, the others being at these indices."""
        return all(at[other] in values for other, values in self.when)


class SceneInfo(Struct, frozen=True):
    """A scene without its model, its drawing and its results."""

    id: str
    path: str
    title: str
    summary: str
    sentence: str
    leaves_out: str
    params: tuple[Param, ...]
    sources: tuple[str, ...]
    key_steps: tuple[int, ...]
    opening: int
    columns: tuple[Column, ...] = ()
    still: float = 0.0
    bytes: int = LIMITS["bytes"]

    def indices(self, params: Mapping[str, str]) -> tuple[int, ...]:
        """The index of each parameter's value; that of its default if it is not in `params` or does not matter."""
        given = at = [one.values.index(params[one.name]) if one.name in params else one.start for one in self.params]
        for _ in self.params:  # see Scene.resting
            at = [given[index] if one.matters(at) else one.start for index, one in enumerate(self.params)]
        return tuple(at)

    def key(self, params: Mapping[str, str]) -> str:
        """The key of a variant in the data, by its parameters."""
        return key_text(self.indices(params))

    def params_of(self, key: str) -> dict[str, str]:
        """The inverse of `key`."""
        indices = map(int, key.split(".")) if key else ()
        return {one.name: one.values[index] for one, index in zip(self.params, indices, strict=True)}

    def settled(self, params: Mapping[str, str]) -> dict[str, str]:
        """All parameters, with defaults for those that are not named or do not matter."""
        return {one.name: one.values[at] for one, at in zip(self.params, self.indices(params), strict=True)}

    def number(self, indices: Sequence[int]) -> int:
        """The number of a variant among all combinations of the parameters' values, in the order of the grid."""
        found = 0
        for param, index in zip(self.params, indices, strict=True):
            found = found * len(param.values) + index
        return found

    def indices_of(self, number: int) -> tuple[int, ...]:
        """The inverse of `number`."""
        found: list[int] = []
        for param in reversed(self.params):
            number, index = divmod(number, len(param.values))
            found.insert(0, index)
        return tuple(found)


def key_text(indices: Sequence[int]) -> str:
    """The key of a variant: `0.2.1`."""
    return ".".join(map(str, indices))


def describe(scene_id: str, path: str, scene: Scene) -> SceneInfo:
    """The description of a scene."""
    names = [param.name for param in scene.params]
    params = [
        Param(
            name=str(param.name),  # numpy's strings and numbers can't be encoded
            label=str(param.label),
            kind=param.kind,
            unit=str(param.unit),
            values=tuple([str(spelling(value)) for value in param.values]),
            labels=tuple([str(param.label_of(value)) for value in param.values]),
            start=param.values.index(param.start),
            when=tuple(
                (names.index(other), tuple(map(scene.param(other).values.index, values)))
                for other, values in param.when.items()
            ),
        )
        for param in scene.params
    ]
    return SceneInfo(
        id=scene_id,
        path=path,
        title=str(scene.title),
        summary=str(scene.summary),
        sentence=str(scene.sentence),
        leaves_out=str(scene.leaves_out),
        params=tuple(params),
        sources=tuple(map(str, scene.sources)),
        key_steps=tuple(map(int, scene.key_steps)),
        opening=int(scene.opening),
        still=float(scene.still),
        bytes=int(scene.limit("bytes")),
    )
