"""Build into a folder, and do only what is left to do since the last time."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from loom.assets import Assets
from loom.compress import compressed
from loom.easel import Easel
from loom.errors import report
from loom.face import Face
from loom.layout import Layout
from loom.ledger import Ledger, Stamp, outputs
from loom.load import load_source
from loom.model import Output, Site
from loom.page_cache import PageCache, page_key
from loom.pipeline import Built, Options, Say, build_into
from loom.web import Leans, Web
from loom.work import Parsed, fill_pages, parse_there
from loom.write import Staging, replace_files, staging

Stamps = dict[str, Stamp]


@dataclass(frozen=True)
class Memory:
    """What a build knows and the next one can use: everything but the files."""

    site: Site
    assets: Assets
    easel: Easel | None
    faces: Mapping[str, Face]
    scenes: frozenset[str]
    leans: Mapping[str, Leans]
    keys: Mapping[str, bytes]  # of the parsed pages, in the cache
    weights: Mapping[str, tuple[int, int]]  # page → bytes of its HTML and of its scenes' data
    totals: tuple[int, int]  # bytes of scripts and of style sheets
    files: int


def update(options: Options, out: Path, ledger: Ledger, record: dict[str, Any], now: Stamps, say: Say) -> list[str]:
    """Bring the folder up to date; what the build says of itself."""
    memory = _patched(options, out, record, now)
    if memory is None:
        with staging(out) as stage:
            built = build_into(options, lambda more: stage.put(_shipped(more, options)), say)
            memory = _remembered(built, stage)
    lines = [*summary(memory), f"{memory.files} files in {out}/"]
    ledger.write(now, lines, pickle.dumps(memory, pickle.HIGHEST_PROTOCOL))
    return lines


def summary(memory: Memory) -> list[str]:
    """One line per page: the bytes that its first view fetches, by kind."""
    script, style = memory.totals
    urls = {name: f"/{face.url(memory.site.config)}" for name, face in memory.faces.items()}
    widest = max(map(len, urls.values()), default=0)
    return [
        f"{urls[name]:<{widest}}  HTML {html:>8,}  JS {script:>7,}  CSS {style:>7,}  JSON {scenes:>10,}"
        for name, (html, scenes) in memory.weights.items()
    ]


def _remembered(built: Built, stage: Staging) -> Memory:
    web, assets = built.layout.web, replace(built.layout.assets, output={})
    weights = {}
    for name, face in web.faces.items():
        scenes = sum(len(raw) for scene in face.embeds for raw in web.data[scene].files.values())
        weights[name] = stage.sizes[face.file(web.site.config)], scenes
    return Memory(
        site=replace(web.site, files=dict.fromkeys(web.site.files, b"")),
        assets=assets,
        easel=built.layout.easel,
        faces=web.faces,
        scenes=web.scenes,
        leans=built.leans,
        keys=built.stock.keys,
        weights=weights,
        totals=(stage.total(".js"), stage.total(".css")),
        files=len(stage.sizes),
    )


def _patched(options: Options, out: Path, record: dict[str, Any], now: Stamps) -> Memory | None:
    """The folder with a few plain pages written anew; None if more than that is left to do."""
    changed = _edited_pages(options.root / "content", record, now)
    if not changed or not options.cache or record["outputs"] != outputs(out):
        return None
    memory: Memory = pickle.loads(record["memory"])
    sources = [load_source(Path(path), options.root / "content") for path in changed]
    if any(source.meta.draft or source.id not in memory.faces for source in sources):
        return None
    parsed = parse_there(sources)
    report(problem for one in parsed for problem in one.problems)
    if not all(_looks_alike(one.face, memory.faces[one.face.id]) for one in parsed):
        return None
    keys = {**memory.keys, **{source.id: page_key(source) for source in sources}}
    cache = PageCache(options.cache)
    cache.keep((keys[one.face.id], one) for one in parsed)
    faces = {**memory.faces, **{one.face.id: one.face for one in parsed}}
    return _written(replace(memory, faces=faces, keys=keys), memory.faces, parsed, cache, options, out)


def _edited_pages(content: Path, record: dict[str, Any], now: Stamps) -> list[str]:
    """The pages whose text has changed, if nothing else has."""
    before = record.get("inputs", {})
    changed = [path for path in before.keys() | now.keys() if before.get(path) != now.get(path)]
    pages = all(path.startswith(f"{content}/") and path.endswith(".md") for path in changed)
    return sorted(changed) if pages and before.keys() == now.keys() else []


def _looks_alike(new: Face, old: Face) -> bool:
    """Whether nothing but the page itself, and the pages that link to it, can show the difference."""
    return new.plain and old.plain and replace(new, anchors=old.anchors) == old


def _written(
    memory: Memory, before: Mapping[str, Face], parsed: list[Parsed], cache: PageCache, options: Options, out: Path
) -> Memory | None:
    """Fill the pages, and those that link to a place in them, and put them in their places."""
    packed = {one.face.id: one.packed for one in parsed}
    moved = {one.face.id for one in parsed if one.face.anchors != before[one.face.id].anchors}
    around = {name for name, leans in memory.leans.items() if leans.pages & moved} - packed.keys()
    known = cache.recall([memory.keys[name] for name in around])
    if len(known) < len(around) or not all(memory.faces[name].plain for name in around):
        return None
    packed |= {one.face.id: one.packed for one in known.values()}
    web = Web(memory.site, memory.faces, {}, {}, memory.scenes)
    layout = Layout(options.templates, web, memory.assets, memory.easel)
    filled = fill_pages(list(packed.values()), layout)
    report(problem for one in filled for problem in one.problems)
    if any(_told(one.leans) != _told(memory.leans[one.id]) for one in filled):
        return None  # lists of other pages show it
    output = _shipped({path: raw for one in filled for path, raw in one.output.items()}, options)
    replace_files({path: raw for path, raw in output.items() if _differs(out / path, raw)}, out)
    weights = {one.id: (len(one.output[memory.faces[one.id].file(memory.site.config)]), 0) for one in filled}
    leans = {one.id: one.leans for one in filled}
    return replace(memory, leans={**memory.leans, **leans}, weights={**memory.weights, **weights})


def _shipped(output: Output, options: Options) -> Output:
    """Files as they are written: with their compressed forms, if those are wanted."""
    return output | compressed(output) if options.compress else output


def _told(leans: Leans) -> tuple[Any, ...]:
    """What other pages may show of a page's leaning."""
    return leans.citations, leans.uses, leans.states


def _differs(path: Path, raw: bytes) -> bool:
    return path.read_bytes() != raw
