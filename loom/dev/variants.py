"""`loom data` and `loom export`: one variant of a scene, computed without the rest of its grid and without a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from loom.build.computing import outcome
from loom.build.executor import Workers
from loom.build.pool import FIRST
from loom.build.process_pool import scene_pool
from loom.build.scene_work import SceneRef, one_variant, outline_scene, print_variant
from loom.errors import LoomError, Problem
from loom.options import Options
from loom.render.assets import read_assets
from loom.render.export import FORMATS, ExportRequest, exported, lacking
from loom.render.rasterize import card_tools
from loom.scene import Column
from loom.scenes.discover import scene_folder
from loom.scenes.parameters import chosen_params
from loom.scenes.results import SceneData

Work = Callable[..., Any]


def printed_variant(options: Options, name: str, pairs: list[str]) -> dict[str, Any]:
    """The table and the values of one variant, as `loom data` prints them."""
    with _worker(options, SceneRef(name, str(scene_folder(options.scenes, name)))) as call:
        found: dict[str, Any] = call(print_variant, pairs)
        return found


def table_rows(data: Mapping[str, Any]) -> list[list[Any]]:
    """Its table as rows of a CSV file, with a header of labels and units."""
    return [[Column(**one).heading for one in data["columns"]], *data["rows"]]


def export_scene(options: Options, name: str, pairs: list[str], request: ExportRequest, theme: str, out: Path) -> str:
    """Write the file; return the line to print."""
    if out.suffix[1:].lower() != request.format:
        hint = f"call it {out.stem or name}.{request.format}"
        raise LoomError(Problem("--out", 0, 0, f"'{out.name}' does not end with '.{request.format}'", hint))
    if not out.parent.is_dir():  # refused before the work is done
        raise LoomError(Problem("--out", 0, 0, f"there is no folder '{out.parent}'", "make it, or name another"))
    if missing := lacking(request.format):
        message = f"{request.format} needs packages that are not there: {', '.join(missing)}"
        raise LoomError(Problem("--format", 0, 0, message, "pip install '.[export]' in Loom's folder"))
    data, params = compute_variant(options, name, pairs)
    tools = card_tools(read_assets(options.folders("static")), theme=theme)
    assert tools  # `lacking` has checked that the packages are installed
    raw = exported(data, params, request, tools)
    try:
        out.write_bytes(raw)
    except OSError as error:
        message = f"it can't be written: {error.strerror}"
        raise LoomError(Problem(str(out), 0, 0, message, "name another file")) from None
    return f"{out}  {len(raw):,} bytes"


def format_of(wanted: str | None, out: Path | None) -> str:
    """The format, by its name or by the suffix of the file; LoomError if neither names one."""
    if wanted or not out:
        return wanted or "svg"
    suffix = out.suffix[1:].lower()
    if suffix not in FORMATS:
        hint = f"end it with {', '.join(f'.{one}' for one in FORMATS)}, or give --format"
        raise LoomError(Problem("--out", 0, 0, f"'{out.name}' does not tell a format that can be written", hint))
    return suffix


def compute_variant(options: Options, name: str, pairs: list[str]) -> tuple[SceneData, dict[str, str]]:
    """The results of the variant that `name=value` texts name, as those of a scene without others; its parameters."""
    ref = SceneRef(name, str(scene_folder(options.scenes, name)))
    with _worker(options, ref) as call:
        info = call(outline_scene).result.info
        params = chosen_params(info, pairs)
        return msgspec.msgpack.decode(call(one_variant, info.indices(params)), type=SceneData), params


@contextmanager
def _worker(options: Options, ref: SceneRef) -> Iterator[Callable[..., Any]]:
    """A function that calls others with the scene, in a process with a time limit."""
    with Workers(1) as workers:
        pool = scene_pool(options, workers)

        def call(work: Work, *given: object) -> Any:
            pool.wait(job := pool.submit((FIRST,), work, ref, *given))
            return outcome(job, ref, options.scene_timeout)

        try:
            yield call
        finally:
            pool.close()
