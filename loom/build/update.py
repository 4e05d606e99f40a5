"""Build into a folder, and do only what is left to do since the last time."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from loom.build.compress import compressed
from loom.build.page_cache import PageCache
from loom.build.patch import Memory, patched
from loom.build.record import Ledger, Stamp, outputs
from loom.build.repaint import can_repaint, repainted
from loom.build.write import holds, staging
from loom.content.load import load_source
from loom.model import Output
from loom.options import Options, Say

Stamps = dict[str, Stamp]


def update(options: Options, out: Path, ledger: Ledger, record: dict[str, Any], now: Stamps, say: Say) -> list[str]:
    """Bring the folder up to date; what the build says of itself."""
    memory, written = _patched(options, out, record, now) or _built(options, out, say)
    say("write")
    lines = [*summary(memory), f"{memory.files} files in {out}/"]
    ledger.write(now, written, lines, pickle.dumps(memory, pickle.HIGHEST_PROTOCOL))
    return lines


def _built(options: Options, out: Path, say: Say) -> tuple[Memory, Stamps]:
    """The folder written anew as a whole."""
    from loom.build.pipeline import build_into  # an edited page alone does without it

    with staging(out) as stage:
        built = build_into(options, lambda more: stage.put(_shipped(more, options)), say)
        written = outputs(stage.fresh)  # later, another build may have taken the folder's place
    return built.memory(stage.sizes), written


def summary(memory: Memory) -> list[str]:
    """One line per page: the bytes that its first view fetches, by kind."""
    script, style = memory.totals
    urls = {name: f"/{face.url(memory.site.config)}" for name, face in memory.faces.items()}
    widest = max(map(len, urls.values()), default=0)
    return [
        f"{urls[name]:<{widest}}  HTML {html:>8,}  JS {script:>7,}  CSS {style:>7,}  JSON {scenes:>10,}"
        for name, (html, scenes) in memory.weights.items()
    ]


def _patched(options: Options, out: Path, record: dict[str, Any], now: Stamps) -> tuple[Memory, Stamps] | None:
    """The folder with what an edit of some plain pages, or of templates, can show; None if more is left to do."""
    changed = _edited(record.get("inputs", {}), now)
    if not changed or not options.cache:
        return None
    if all(path.endswith(".md") and Path(path).is_relative_to(options.root / "content") for path in changed):
        return _some_pages(options, out, record, sorted(changed))
    templates = options.folders("templates")
    if all(path.endswith(".html") and any(map(Path(path).is_relative_to, templates)) for path in changed):
        return _every_page(options, out, record)
    return None


def _edited(before: Stamps, now: Stamps) -> set[str]:
    """The files that were edited, or may have been just now; those that came and went, too."""
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path) or not now[path]}


def _some_pages(
    options: Options, out: Path, record: dict[str, Any], edited: Sequence[str]
) -> tuple[Memory, Stamps] | None:
    """Some pages, and those that can show their edit."""
    assert options.cache
    cache, content = PageCache(options.cache), options.root / "content"
    sources = [load_source(Path(path), content) for path in edited if Path(path).exists()]
    if len(sources) < len(edited):
        return None
    memory: Memory = pickle.loads(record["memory"])
    if memory.search:  # every edit is to be found
        return None
    patch = patched(memory, sources, cache.recall, options.templates)
    if patch is None:
        return None
    cache.keep((patch.memory.keys[one.face.id], one) for one in patch.parsed)
    written = _replaced(_shipped(patch.output, options), out, record["outputs"])
    return (patch.memory, written) if written else None


def _replaced(output: Output, out: Path, before: Stamps) -> Stamps | None:
    """The folder's files once those of an output are in it: the smallest folder that holds them all is exchanged.

    None if that can't be done, or if others wrote there since `before`.
    """
    changed = {path: raw for path, raw in output.items() if not holds(out / path, raw)}
    if not changed:
        return before if outputs(out) == before else None
    part = os.path.commonpath([path.parent for path in changed])
    with staging(out, part) as stage:
        adopted = stage.adopt(out / part)
        stage.renew({path.relative_to(part): raw for path, raw in changed.items()})
        stage.still = lambda: adopted and outputs(out) == before
        fresh = {f"{part}/{path}".lstrip("/"): stamp for path, stamp in outputs(stage.fresh).items()}
    return {**before, **fresh} if stage.took_place else None


def _every_page(options: Options, out: Path, record: dict[str, Any]) -> tuple[Memory, Stamps] | None:
    """Every page, if all are plain: of what is written, templates make only HTML."""
    memory: Memory = pickle.loads(record["memory"])
    if not can_repaint(memory, options):
        return None
    names = {face.file(memory.site.config): name for name, face in memory.faces.items()}
    weights, whole = dict(memory.weights), False
    with staging(out) as stage:
        stage.still = lambda: whole and outputs(out) == record["outputs"]
        if stage.adopt(out):
            for output in repainted(memory, options):
                stage.renew(_shipped(output or {}, options))
                weights |= {names[path]: (len(raw), 0) for path, raw in (output or {}).items() if path in names}
                whole = output is not None
        written = outputs(stage.fresh)
    return (replace(memory, weights=weights), written) if stage.took_place else None


def _shipped(output: Output, options: Options) -> Output:
    """Files as they are written: with their compressed forms, if those are wanted."""
    return output | compressed(output) if options.compress else output
