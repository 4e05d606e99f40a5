"""Build into a folder, and do only what is left to do since the last time."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from loom.compress import compressed
from loom.ledger import Ledger, Stamp, outputs
from loom.load import load_source
from loom.model import Output
from loom.page_cache import PageCache
from loom.patch import Memory, patched
from loom.pipeline import Options, Say, build_into
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
    if not changed or not options.cache or record["outputs"] != outputs(out):
        return None
    cache = PageCache(options.cache)
    sources = [load_source(Path(path), content) for path in changed]
    patch = patched(pickle.loads(record["memory"]), sources, cache.recall, options.templates)
    if patch is None:
        return None
    cache.keep((patch.memory.keys[one.face.id], one) for one in patch.parsed)
    with staging(out) as stage:
        if not stage.adopt(out) or outputs(stage.fresh) != record["outputs"]:  # or another build was here meanwhile
            stage.given_up = True
            return None
        stage.replace(_shipped(patch.output, options))
        return patch.memory, outputs(stage.fresh)


def _edited_pages(content: Path, record: dict[str, Any], now: Stamps) -> list[str]:
    """The pages whose text has changed, if nothing else has."""
    before = record.get("inputs", {})
    changed = [path for path in before.keys() | now.keys() if before.get(path) != now.get(path)]
    pages = all(path.startswith(f"{content}/") and path.endswith(".md") for path in changed)
    return sorted(changed) if pages and before.keys() == now.keys() else []


def _shipped(output: Output, options: Options) -> Output:
    """Files as they are written: with their compressed forms, if those are wanted."""
    return output | compressed(output) if options.compress else output
