"""Bring a finished site up to an edit of a few pages, while everything else stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from loom.addresses import finds
from loom.build.page_cache import page_key
from loom.build.work import Filled, Parsed, finished, parse_there, unpacked
from loom.errors import report
from loom.model import Output, Site, Source
from loom.options import Templates
from loom.render.assets import Assets
from loom.render.context import Layout
from loom.render.page_files import page_files
from loom.render.rasterize import Easel
from loom.site.index import Leans, Web, Woven, backlinks
from loom.site.page_info import Face
from loom.site.resolve import weave

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


def patched(
    memory: Memory, sources: Sequence[Source], recall: Recall, templates: Templates, last: Web | None = None
) -> Patch | None:
    """The edited sources put into a finished site; None if more is to be made than they and a few others.

    `recall` gives parsed pages by their keys. `last` is the web of the last build, where it is still at hand: without
    its scenes, and who leans on what, only plain pages can be made. Raises LoomError with what is wrong with any page.
    """
    if any(source.meta.draft or source.id not in memory.faces for source in sources):
        return None
    parsed = parse_there(sources)
    report(problem for one in parsed for problem in one.problems)
    if not all(_looks_alike(one.face, memory.faces[one.face.id]) for one in parsed):
        return None
    faces = {**memory.faces, **{one.face.id: one.face for one in parsed}}
    keys = {**memory.keys, **{source.id: page_key(source) for source in sources}}
    web = replace(last, site=memory.site, faces=faces) if last else Web(memory.site, faces, {}, memory.scenes)
    edit = _Edit(replace(memory, faces=faces, keys=keys), web, recall, whole=last is not None)
    woven = edit.weave({one.face.id: one.packed for one in parsed}) and edit.weave_others(_around(memory, parsed))
    told = [one.page.id for one in edit.woven if _told(one.leans) != _told(memory.leans[one.page.id])]
    if woven and told:  # lists on other pages show it
        woven = edit.whole and edit.weave_others(_showing(memory, edit.leans, told))
    return (
        edit.patch(parsed, Layout(templates, web, memory.assets, memory.easel, search=memory.search)) if woven else None
    )


class _Edit:
    """The pages that an edit makes anew."""

    def __init__(self, memory: Memory, web: Web, recall: Recall, *, whole: bool) -> None:
        self.memory, self.web, self.recall, self.whole = memory, web, recall, whole
        self.leans = dict(memory.leans)
        self.woven: list[Woven] = []

    def weave(self, packed: Mapping[str, bytes]) -> bool:
        """Weave some pages; whether that can be done with what is known."""
        faces = [self.web.faces[name] for name in packed]
        if not all(face.plain or (self.whole and face.scenes <= self.web.data.keys()) for face in faces):
            return False
        woven = [weave(self.web, unpacked(raw)) for raw in packed.values()]
        self.woven += woven
        self.leans |= {one.page.id: one.leans for one in woven}
        return True

    def weave_others(self, names: Collection[str]) -> bool:
        """Weave pages that were not edited."""
        missing = sorted(set(names) - {one.page.id for one in self.woven})
        keys = [self.memory.keys[name] for name in missing if name in self.memory.keys]
        known = self.recall(keys) if keys else {}
        return len(known) == len(missing) and self.weave({one.face.id: one.packed for one in known.values()})

    def patch(self, parsed: Sequence[Parsed], layout: Layout) -> Patch:
        """The finished pages."""
        report(problem for one in self.woven for problem in one.problems)
        plain = all(self.web.faces[one.page.id].plain for one in self.woven)
        links = None if plain else backlinks(self.web, (self.leans[name] for name in self.web.faces))
        filled = [finished(one, partial(page_files, layout, links=links)) for one in self.woven]
        report(problem for one in filled for problem in one.problems)
        output = {path: raw for one in filled for path, raw in one.output.items()}
        return Patch(_with(self.memory, filled), parsed, output)


def _looks_alike(new: Face, old: Face) -> bool:
    """Whether nothing but the page itself, and the pages that lean on it, can show the difference."""
    return replace(new, anchors=old.anchors, embeds=old.embeds, scenes=old.scenes) == old and _opens(new) == _opens(old)


def _opens(face: Face) -> list[tuple[str, dict[str, str]]]:
    """The scenes that a page shows, and how they begin, wherever on it that is."""
    return [
        (name, {option: text for option, (text, _) in embed.options.items()}) for name, embed in face.embeds.items()
    ]


def _around(memory: Memory, parsed: Sequence[Parsed]) -> set[str]:
    """The pages that link to one whose headings have changed: a link of theirs may lead nowhere now."""
    moved = {one.face.id for one in parsed if one.face.anchors != memory.faces[one.face.id].anchors}
    return {name for name, leans in memory.leans.items() if not moved.isdisjoint(leans.pages)} if moved else set()


def _told(leans: Leans) -> tuple[Any, ...]:
    """What other pages may show of a page's leaning."""
    return leans.citations, leans.uses, leans.states


def _showing(memory: Memory, now: Mapping[str, Leans], told: Collection[str]) -> set[str]:
    """The pages that show what such pages lean on: lists, and scenes that are linked to in other states than before."""
    states = {scene for name in told for scene, _ in now[name].states ^ memory.leans[name].states}
    return {name for name, face in memory.faces.items() if face.lists or not states.isdisjoint(face.embeds)}


def _with(memory: Memory, filled: Sequence[Filled]) -> Memory:
    html = {one.id: memory.faces[one.id].file(memory.site.config) for one in filled}
    weights = {one.id: (len(one.output[html[one.id]]), memory.weights[one.id][1]) for one in filled}
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
