"""What is done for scenes where they are computed: functions of plain data, so that any process can carry them out.

All but the last run an author's code. They tell what they are at before each part of it: an import, or a variant.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from loom.digest import digest
from loom.errors import raise_any
from loom.render.assets import fingerprint
from loom.scenes.compute import key_problems, put_together
from loom.scenes.discover import LoadedScene, load_scene
from loom.scenes.drawn import Drawn, draw, first_few, sketch, variant_results
from loom.scenes.export import scene_data
from loom.scenes.importer import loading, taking_notes
from loom.scenes.info import SceneInfo, describe
from loom.scenes.notes import Notes, going_on
from loom.scenes.results import SceneData, Variant
from loom.scenes.run import count_variants
from loom.scenes.summary import SceneSummary

Tell = Callable[[str], object]
encode = msgspec.msgpack.Encoder().encode


class SceneRef(NamedTuple):
    """Where a scene lies. What was loaded is good for as long as `turn` is the same."""

    name: str
    folder: str
    scenes: str
    turn: str = ""

    @property
    def path(self) -> str:
        """Its file, as messages call it."""
        return f"scenes/{Path(self.folder).name}/scene.py"


class Part(NamedTuple):
    """Something of a scene, and everything that was read for it so far."""

    result: Any
    notes: Notes


class _Loaded(threading.local):
    """The scene that this thread has loaded last."""

    place: SceneRef | None = None
    found: LoadedScene
    notes: Notes


_loaded = _Loaded()


@contextmanager
def _scene(place: SceneRef, tell: Tell) -> Iterator[tuple[LoadedScene, Notes]]:
    """A scene, imported once in a turn; what it reads is noted."""
    with redirect_stdout(sys.stderr):  # what a scene prints is no part of what a command prints
        if _loaded.place != place:
            tell("while it is imported")
            _loaded.place = None
            with loading, taking_notes() as notes:
                _loaded.found = load_scene(place.name, Path(place.folder))
            _loaded.place, _loaded.notes = place, notes
        with going_on(_loaded.notes):
            yield _loaded.found, _loaded.notes


def _silent(where: str) -> None:
    """Nobody listens."""


def look_at(place: SceneRef, tell: Tell = _silent) -> Notes:
    """Import a scene that no page shows, to see whether it can be."""
    with _scene(place, tell) as (_, notes):
        return notes


def begin_scene(place: SceneRef, tell: Tell = _silent) -> Part:
    """How many variants a scene has, and the first of them, drawn: most mistakes show in it."""
    with _scene(place, tell) as (found, notes):
        count = count_variants(found)
        first = draw(found, islice(found.scene.grid(), 1), tell)
        raise_any(first_few(key_problems([first])))
        return Part((count, encode(first)), notes)


def draw_part(place: SceneRef, start: int, end: int, tell: Tell = _silent) -> Part:
    """The variants from one place of a scene's grid to another, drawn."""
    with _scene(place, tell) as (found, notes):
        return Part(encode(draw(found, islice(found.scene.grid(), start, end), tell)), notes)


class Opened(NamedTuple):
    """What a scene says of itself, without having been computed, and the numbers of its variants."""

    info: SceneInfo
    numbers: tuple[int, ...]


def open_scene(place: SceneRef, tell: Tell = _silent) -> Part:
    """Import a scene that is to be shown before it is computed."""
    with _scene(place, tell) as (found, notes):
        count_variants(found)
        info = describe(found.id, found.path, found.scene)
        numbers = tuple(info.number(found.scene.key(params)) for params in found.scene.grid())
        return Part(Opened(info, numbers), notes)


def one_variant(place: SceneRef, at: tuple[int, ...], tell: Tell = _silent) -> bytes:
    """A variant by the places of its parameters, with its files: a scene's results as if it had no other."""
    with _scene(place, tell) as (found, _):
        return encode(put_together([draw(found, [_params(found, at)], tell)]))


def sketch_variant(place: SceneRef, at: tuple[int, ...], shown: Sequence[int], tell: Tell = _silent) -> bytes:
    """A variant of which only some steps are drawn."""
    with _scene(place, tell) as (found, _):
        tell("")
        return encode(put_together([sketch(found, _params(found, at), shown)]))


def undrawn_variant(place: SceneRef, at: tuple[int, ...], tell: Tell = _silent) -> Variant:
    """What a variant says and quotes."""
    with _scene(place, tell) as (found, _):
        tell("")
        return variant_results(found, _params(found, at))


def _params(found: LoadedScene, at: Sequence[int]) -> dict[str, Any]:
    return {param.name: param.values[place] for param, place in zip(found.scene.params, at, strict=True)}


def scene_numbers(place: SceneRef, root: str, pairs: list[str], tell: Tell = _silent) -> dict[str, Any]:
    """The table and the values of one choice of parameters."""
    tell("")
    with redirect_stdout(sys.stderr):
        return scene_data(Path(root), place.name, pairs)


def finish_scene(name: str, drawn: Sequence[bytes], tell: Tell = _silent) -> tuple[SceneSummary, bytes]:
    """A scene's results from all that was drawn of it."""
    data = put_together([msgspec.msgpack.decode(one, type=Drawn) for one in drawn])
    raw = encode(data)
    return summary_of(name, data, digest(raw)), raw


def summary_of(name: str, data: SceneData, identity: bytes) -> SceneSummary:
    """What the site keeps at hand of a scene's results."""
    folder = f"assets/data/{name}.{fingerprint(data.files)}/"
    manifest = {folder + path: digest(one) for path, one in data.files.items()}
    steps = {key: len(data.named(key).say) for key in data.variants}
    return SceneSummary(data.info, steps, identity, folder, manifest)
