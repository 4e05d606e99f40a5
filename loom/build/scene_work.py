"""The work of computing scenes: functions of plain data, which any process can run.

All but `pack_scene` and `summary_of` run an author's code; they report before each import and each variant.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from loom.digest import digest
from loom.draw.marks import spelling
from loom.errors import raise_any
from loom.render.assets import fingerprint
from loom.scenes.combine import combine, key_problems
from loom.scenes.dependencies import Dependencies, resume_recording
from loom.scenes.draw_variants import DrawnBatch, Report, draw, first_few, sketch, variant_results
from loom.scenes.importer import loading, recording
from loom.scenes.info import SceneInfo, describe
from loom.scenes.load import LoadedScene, load_scene
from loom.scenes.parameters import chosen_params
from loom.scenes.results import SceneData, SceneSummary, Variant
from loom.scenes.run import VariantRun, count_variants

encode = msgspec.msgpack.Encoder().encode


class SceneRef(NamedTuple):
    """Where a scene lies. A worker imports it again when `generation` is another."""

    name: str
    folder: str
    generation: str = ""

    @property
    def path(self) -> str:
        """Its file, as messages call it."""
        return f"scenes/{Path(self.folder).name}/scene.py"


class Part(NamedTuple):
    """A partial result of a scene, with all dependencies recorded so far."""

    result: Any
    dependencies: Dependencies


class _Loaded(threading.local):
    """The scene that this thread loaded last."""

    ref: SceneRef | None = None
    found: LoadedScene
    dependencies: Dependencies


_loaded = _Loaded()


@contextmanager
def _scene(ref: SceneRef, report: Report) -> Iterator[tuple[LoadedScene, Dependencies]]:
    """A scene, imported once in a generation; what it reads is recorded."""
    with redirect_stdout(sys.stderr):  # what a scene prints is not part of the command's output
        if _loaded.ref != ref:
            report("while it is imported")
            _loaded.ref = None
            with loading, recording() as dependencies:
                _loaded.found = load_scene(ref.name, Path(ref.folder))
            _loaded.ref, _loaded.dependencies = ref, dependencies
        with resume_recording(_loaded.dependencies):
            yield _loaded.found, _loaded.dependencies


def _silent(where: str) -> None:
    """The report function of callers that need none."""


def import_scene(ref: SceneRef, report: Report = _silent) -> Dependencies:
    """Import a scene that no page shows, to find mistakes in it."""
    with _scene(ref, report) as (_, dependencies):
        return dependencies


def draw_first(ref: SceneRef, report: Report = _silent) -> Part:
    """The number of variants, and the first variant, drawn: most mistakes show in it."""
    with _scene(ref, report) as (found, dependencies):
        count = count_variants(found)
        first = draw(found, islice(found.scene.grid(), 1), report)
        raise_any(first_few(key_problems([first])))
        return Part((count, encode(first)), dependencies)


def draw_batch(ref: SceneRef, start: int, end: int, report: Report = _silent) -> Part:
    """The variants `start` to `end` of a scene's grid, drawn."""
    with _scene(ref, report) as (found, dependencies):
        return Part(encode(draw(found, islice(found.scene.grid(), start, end), report)), dependencies)


class SceneOutline(NamedTuple):
    """The description of a scene that is not computed, and the numbers of its variants."""

    info: SceneInfo
    numbers: tuple[int, ...]


def outline_scene(ref: SceneRef, report: Report = _silent) -> Part:
    """Import a scene, and describe it without computing it."""
    with _scene(ref, report) as (found, dependencies):
        count_variants(found)
        info = describe(found.id, found.path, found.scene)
        numbers = tuple(info.number(found.scene.key(params)) for params in found.scene.grid())
        return Part(SceneOutline(info, numbers), dependencies)


def one_variant(ref: SceneRef, indices: tuple[int, ...], report: Report = _silent) -> bytes:
    """The results of one variant, given by the indices of its values, as those of a scene without others."""
    with _scene(ref, report) as (found, _):
        return encode(combine([draw(found, [_params(found, indices)], report)]))


def sketch_variant(ref: SceneRef, indices: tuple[int, ...], shown: Sequence[int], report: Report = _silent) -> bytes:
    """A variant of which only some steps are drawn."""
    with _scene(ref, report) as (found, _):
        report("")
        return encode(combine([sketch(found, _params(found, indices), shown)]))


def undrawn_variant(ref: SceneRef, indices: tuple[int, ...], report: Report = _silent) -> Variant:
    """The table and values of a variant."""
    with _scene(ref, report) as (found, _):
        report("")
        return variant_results(found, _params(found, indices))


def _params(found: LoadedScene, indices: Sequence[int]) -> dict[str, Any]:
    return {param.name: param.values[index] for param, index in zip(found.scene.params, indices, strict=True)}


def print_variant(ref: SceneRef, pairs: Sequence[str], report: Report = _silent) -> dict[str, Any]:
    """The table and the values of one choice of parameters, as `loom data` prints them."""
    with _scene(ref, report) as (found, _):
        report("")
        return variant_data(found, pairs)


def variant_data(found: LoadedScene, pairs: Sequence[str]) -> dict[str, Any]:
    """The table and the values of one choice of parameters of a loaded scene, at full precision."""
    info = describe(found.id, found.path, found.scene)
    settled = _params(found, info.indices(chosen_params(info, pairs)))
    told = VariantRun(found, settled).outcome()
    return {
        "scene": found.id,
        "params": {
            key: value if isinstance(value, (int, float, str)) else spelling(value) for key, value in settled.items()
        },
        "columns": [{"name": one.name, "label": one.label, "unit": one.unit} for one in told.table.columns],
        "rows": [[_as_python(cell) for cell in row] for row in told.table.rows],
        "values": {key: {"value": _as_python(one.value), "unit": one.unit} for key, one in told.values.items()},
    }


def _as_python(cell: Any) -> Any:
    """A cell as a plain Python value; whole numbers as int."""
    if isinstance(cell, str):
        return cell
    number = float(cell)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def pack_scene(name: str, drawn: Sequence[bytes], report: Report = _silent) -> tuple[SceneSummary, bytes]:
    """The results of a scene from its drawn batches."""
    data = combine([msgspec.msgpack.decode(one, type=DrawnBatch) for one in drawn])
    raw = encode(data)
    return summary_of(name, data, digest(raw)), raw


def summary_of(name: str, data: SceneData, identity: bytes) -> SceneSummary:
    """The summary of a scene's results."""
    folder = f"assets/data/{name}.{fingerprint(data.files)}/"
    manifest = {folder + path: digest(one) for path, one in data.files.items()}
    steps = {key: len(data.named(key).say) for key in data.variants}
    return SceneSummary(data.info, steps, identity, folder, manifest, data.scaled)
