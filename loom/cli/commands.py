"""What each command of the command line does."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # the stages are slow to import: `--help` and an unchanged site do without them
    from loom.options import Options
    from loom.progress import OnProgress

Result = TypeVar("Result")


def build(options: argparse.Namespace) -> int:
    """Build the site into its folder, or find that nothing is left to do."""
    from loom.build.record import Records

    cache, root = _cache(options), _root(options)
    settings = [options.gallery, options.base_path, options.compress]
    records = Records(cache, root, options.out, settings)
    record = records.read()
    if record and records.unchanged(record):
        lines = list(record.lines)
    else:
        from loom.build.folder import build_folder

        with redirect_stdout(sys.stderr):  # what scenes print is not part of the command's output
            lines = _run(lambda chosen, on_progress: build_folder(chosen, options.out, records, on_progress), options)
    print(*lines, sep="\n")
    if options.timings and "progress" in options:  # not set if the site was unchanged
        print(*options.progress.table(), sep="\n")
    return 0


def check(options: argparse.Namespace) -> int:
    """Build in memory as far as that goes, and report everything that is wrong."""
    from loom.lint.external import LinkChecker
    from loom.lint.run import lint
    from loom.reporting import as_json, print_problems

    checker = None
    if options.external:
        cache = _cache(options)
        checker = LinkChecker(cache_file=cache / "external.json" if cache else None, max_age=options.max_age * 86400)
    with redirect_stdout(sys.stderr):
        found = _run(lambda chosen, on_progress: lint(chosen, on_progress, checker), options)
    if options.format == "json":
        print(as_json(found.problems, found.counts))
    elif found.problems:
        print_problems(found.problems, options.format, writes=False)
    else:
        for line in found.summary:
            print(line)
    return 1 if found.problems else 0


def serve(options: argparse.Namespace) -> int:
    """Serve the site as it is edited."""
    from loom.dev.live import Live
    from loom.dev.serve import run_server

    options.base_path = options.base_path or "/"
    return _run(
        lambda chosen, on_progress: run_server(Live(chosen, on_progress), options.base_path, options.port, options.out),
        options,
        drafts=True,
    )


def scene(options: argparse.Namespace) -> int:
    """Serve a small site around one scene, with its sheet."""
    from loom.dev.single_scene import scene_site

    options.root = scene_site(_root(options), options.scene)
    options.gallery, options.out = True, options.root / "site"
    print(f"every key step, at both widths: {options.base_path or '/'}gallery/")
    return serve(options)


def data(options: argparse.Namespace) -> int:
    """Print a scene's table and values for some parameters."""
    import csv
    import json

    from loom.build.process_pool import time_limit
    from loom.dev.variants import printed_variant, table_rows
    from loom.options import Options

    chosen = Options(_root(options), scene_timeout=time_limit(options.scene_timeout))
    found = printed_variant(chosen, options.scene, options.pairs)
    if options.format == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows(table_rows(found))
    else:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    return 0


def export(options: argparse.Namespace) -> int:
    """Write a scene as a picture or a film."""
    from loom.build.process_pool import time_limit
    from loom.dev.variants import export_scene, format_of
    from loom.options import Options
    from loom.render.export import ExportRequest

    chosen = Options(_root(options), scene_timeout=time_limit(options.scene_timeout))
    kind = format_of(options.format, options.out)
    request = ExportRequest(kind, options.step, options.drawing, options.width, options.transparent)
    out = options.out or Path(f"{options.scene}.{kind}")
    print(export_scene(chosen, options.scene, options.pairs, request, options.theme, out))
    return 0


def new(options: argparse.Namespace) -> int:
    """Begin a page, a scene or a site."""
    from loom.dev.new import new_page, new_scene, new_site

    if options.kind == "site":
        lines = new_site(Path(options.name))
    else:
        lines = (new_page if options.kind == "page" else new_scene)(_root(options), options.name)
    for line in lines:
        print(line)
    return 0


def schema(options: argparse.Namespace) -> int:
    """Print a JSON Schema, with which editors complete and check YAML files."""
    import json

    from loom.content.schema import schema

    print(json.dumps(schema(options.kind), indent=1))
    return 0


def _root(options: argparse.Namespace) -> Path:
    return Path(options.root).resolve()


def _cache(options: argparse.Namespace) -> Path | None:
    return None if options.no_cache else _root(options) / ".cache" / "loom"


def _run(
    stage: Callable[[Options, OnProgress], Result], options: argparse.Namespace, *, drafts: bool = False
) -> Result:
    """Build with the options of the command line, showing in a terminal how far it is."""
    import gc

    from loom.build.executor import default_jobs, read_factory
    from loom.build.process_pool import time_limit
    from loom.build.worker import GC_THRESHOLD
    from loom.dev.progress import ProgressDisplay
    from loom.options import Options

    gc.set_threshold(GC_THRESHOLD)
    progress = ProgressDisplay(sys.stderr)
    jobs = options.jobs or default_jobs()
    gallery, compress = getattr(options, "gallery", False), getattr(options, "compress", False)
    chosen = Options(_root(options), jobs, drafts=drafts, gallery=gallery, base=options.base_path,
                     compress=compress, cache=_cache(options), executor=read_factory(options.executor),
                     scene_timeout=time_limit(options.scene_timeout))  # fmt: skip
    if "out" in options:
        chosen.refuse_input_folders(options.out)
    try:
        return stage(chosen, progress)
    finally:
        progress.end()
        options.progress = progress
