"""Build into a folder, and do only what is left to do since the last time."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

from loom.compress import compressed
from loom.ledger import Ledger, Stamp, outputs
from loom.load import load_source
from loom.model import Output
from loom.options import Options, Say
from loom.page_cache import PageCache
from loom.patch import Memory, patched
from loom.write import staging

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
    from loom.pipeline import build_into  # an edited page alone does without it

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
    """The folder with a few plain pages written anew; None if more than that is left to do."""
    content = options.root / "content"
    changed = _edited_pages(content, record, now)
    if not changed or not options.cache:
        return None
    cache = PageCache(options.cache)
    sources = [load_source(Path(path), content) for path in changed]
    patch = patched(pickle.loads(record["memory"]), sources, cache.recall, options.templates)
    if patch is None:
        return None
    cache.keep((patch.memory.keys[one.face.id], one) for one in patch.parsed)
    written = _replaced(_shipped(patch.output, options), out, record["outputs"])
    return (patch.memory, written) if written else None


def _replaced(output: Output, out: Path, before: Stamps) -> Stamps | None:
    """The folder's files once those of an output are in it: the smallest folder that holds them all is exchanged.

    None if that can't be done, or if others wrote there since `before`.
    """
    changed = {path: raw for path, raw in output.items() if not _holds(out / path, raw)}
    if not changed:
        return before if outputs(out) == before else None
    part = os.path.commonpath([path.parent for path in changed])
    with staging(out, part) as stage:
        adopted = stage.adopt(out / part, {path.relative_to(part): raw for path, raw in changed.items()})
        stage.still = lambda: adopted and outputs(out) == before
        fresh = {f"{part}/{path}".lstrip("/"): stamp for path, stamp in outputs(stage.fresh).items()}
    return {**before, **fresh} if stage.took_place else None


def _holds(path: Path, raw: bytes) -> bool:
    try:
        return path.read_bytes() == raw
    except OSError:
        return False


def _edited_pages(content: Path, record: dict[str, Any], now: Stamps) -> list[str]:
    """The pages whose text has changed, or may have just now, if nothing else has."""
    before = record.get("inputs", {})
    if before.keys() != now.keys():
        return []
    changed = [path for path in now if before[path] != now[path] or not now[path]]
    pages = all(path.startswith(f"{content}/") and path.endswith(".md") for path in changed)
    return sorted(changed) if pages else []


def _shipped(output: Output, options: Options) -> Output:
    """Files as they are written: with their compressed forms, if those are wanted."""
    return output | compressed(output) if options.compress else output
