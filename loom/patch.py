"""Bring a finished site up to an edit of a few plain pages, while everything else stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from loom.address import finds
from loom.assets import Assets
from loom.easel import Easel
from loom.errors import report
from loom.face import Face
from loom.layout import Layout
from loom.model import Output, Site, Source
from loom.page_cache import page_key
from loom.templates import Templates
from loom.web import Leans, Web
from loom.work import Filled, Parsed, fill_pages, parse_there

Recall = Callable[[Sequence[bytes]], Mapping[bytes, Parsed]]


@dataclass(frozen=True)
class Memory:
    """What a build knows and the next one can use: everything but the files."""

    site: Site
    assets: Assets
    easel: Easel | None
    faces: Mapping[str, Face]
    scenes: frozenset[str]
    leans: Mapping[str, Leans]
    keys: Mapping[str, bytes]  # of the parsed pages
    weights: Mapping[str, tuple[int, int]]  # page → bytes of its HTML and of its scenes' data
    totals: tuple[int, int]  # bytes of scripts and of style sheets
    files: int
    search: bool  # whether there is a page to search on


@dataclass(frozen=True)
class Patch:
    """What an edit came to."""

    memory: Memory
    parsed: Sequence[Parsed]  # the edited pages
    output: Output  # the files that may differ


def patched(memory: Memory, sources: Sequence[Source], recall: Recall, templates: Templates) -> Patch | None:
    """The edited sources put into a finished site; None if more pages than they and their neighbours can show it.

    `recall` gives parsed pages by their keys. Raises LoomError with what is wrong with any of the pages.
    """
    if any(source.meta.draft or source.id not in memory.faces for source in sources):
        return None
    parsed = parse_there(sources)
    report(problem for one in parsed for problem in one.problems)
    if not all(_looks_alike(one.face, memory.faces[one.face.id]) for one in parsed):
        return None
    around = _around(memory, parsed)
    known = recall([memory.keys[name] for name in around])
    if len(known) < len(around) or not all(memory.faces[name].plain for name in around):
        return None
    after = replace(
        memory,
        faces={**memory.faces, **{one.face.id: one.face for one in parsed}},
        keys={**memory.keys, **{source.id: page_key(source) for source in sources}},
    )
    web = Web(memory.site, after.faces, {}, {}, memory.scenes)
    packed = [one.packed for one in (*parsed, *known.values())]
    filled = fill_pages(packed, Layout(templates, web, memory.assets, memory.easel, search=memory.search))
    report(problem for one in filled for problem in one.problems)
    if any(_told(one.leans) != _told(memory.leans[one.id]) for one in filled):
        return None  # lists on other pages show it
    return Patch(_with(after, filled), parsed, {path: raw for one in filled for path, raw in one.output.items()})


def _looks_alike(new: Face, old: Face) -> bool:
    """Whether nothing but the page itself, and the pages that link to it, can show the difference."""
    return new.plain and old.plain and replace(new, anchors=old.anchors) == old


def _around(memory: Memory, parsed: Sequence[Parsed]) -> set[str]:
    """The pages that link to one whose headings have changed: a link of theirs may lead nowhere now."""
    moved = {one.face.id for one in parsed if one.face.anchors != memory.faces[one.face.id].anchors}
    around = {name for name, leans in memory.leans.items() if not moved.isdisjoint(leans.pages)} if moved else set()
    return around - {one.face.id for one in parsed}


def _told(leans: Leans) -> tuple[Any, ...]:
    """What other pages may show of a page's leaning."""
    return leans.citations, leans.uses, leans.states


def _with(memory: Memory, filled: Sequence[Filled]) -> Memory:
    html = {one.id: memory.faces[one.id].file(memory.site.config) for one in filled}
    weights = {one.id: (len(one.output[html[one.id]]), 0) for one in filled}
    leans = {one.id: one.leans for one in filled}
    return replace(memory, leans={**memory.leans, **leans}, weights={**memory.weights, **weights})


def remembered(
    layout: Layout, leans: Mapping[str, Leans], keys: Mapping[str, bytes], sizes: Mapping[PurePosixPath, int]
) -> Memory:
    """What a build leaves for the next one; `sizes` are those of the site's files."""
    web = layout.web
    weights = {}
    for name, face in web.faces.items():
        scenes = sum(len(raw) for scene in face.embeds for raw in web.data[scene].files.values())
        weights[name] = sizes[face.file(web.site.config)], scenes
    ordinary = [(path, n) for path, n in sizes.items() if not finds(path)]
    script, style = (sum(n for path, n in ordinary if path.suffix == kind) for kind in (".js", ".css"))
    return Memory(
        site=replace(web.site, files=dict.fromkeys(web.site.files, b"")),
        assets=replace(layout.assets, output=dict.fromkeys(layout.assets.output, b"")),
        easel=layout.easel,
        faces=web.faces,
        scenes=web.scenes,
        leans=leans,
        keys=keys,
        weights=weights,
        totals=(script, style),
        files=len(sizes),
        search=layout.search,
    )
