"""`loom export`: a scene as a picture or a film, in a file."""

from __future__ import annotations

from pathlib import Path

from loom.build.variants import compute_variant
from loom.errors import LoomError, Problem
from loom.options import Options
from loom.render.assets import read_assets
from loom.render.export import FORMATS, ExportRequest, exported, lacking
from loom.render.rasterize import card_tools


def export_scene(options: Options, name: str, pairs: list[str], request: ExportRequest, theme: str, out: Path) -> str:
    """Write the file; return the line to print."""
    if out.suffix[1:].lower() != request.format:
        hint = f"call it {out.stem or name}.{request.format}"
        raise LoomError(Problem("--out", 0, 0, f"'{out.name}' does not end with '.{request.format}'", hint))
    if not out.parent.is_dir():  # told before the work is done, not after it
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
        raise LoomError(
            Problem(str(out), 0, 0, f"it can't be written: {error.strerror}", "name another file")
        ) from None
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
