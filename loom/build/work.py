"""The work that is spread over processes: functions of plain data, so that any executor can carry it."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from loom.content.blocks import Page
from loom.errors import Problem, attempt
from loom.markdown.parse import parse_page
from loom.model import Output, Source
from loom.render.context import Layout
from loom.render.page_files import page_files, painted
from loom.scenes.compute import compute_part
from loom.scenes.discover import load_scene
from loom.scenes.results import SceneData
from loom.site.index import Leans, Web, Woven
from loom.site.page_info import Face, face
from loom.site.resolve import weave


@dataclass(frozen=True)
class Parsed:
    """A page as it waits for the others: its face to be seen, all of it packed."""

    face: Face
    packed: bytes
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Filled:
    """A finished page."""

    id: str
    output: Output
    leans: Leans
    problems: tuple[Problem, ...]


def parse_there(sources: Sequence[Source]) -> list[Parsed]:
    """Parse some pages."""
    parsed = []
    for source in sources:
        page, problems = parse_page(source)
        parsed.append(Parsed(face(page), pickle.dumps(page, pickle.HIGHEST_PROTOCOL), tuple(problems)))
    return parsed


def pack_world(layout: Layout) -> bytes:
    """All that plain pages are filled and rendered with, made once for all workers."""
    web = layout.web
    site = replace(web.site, sources=(), files=dict.fromkeys(web.site.files, b""))
    plain = Web(site, web.faces, {}, web.scenes)
    world = layout.templates, plain, replace(layout.assets, output={}), layout.easel
    return pickle.dumps(world, pickle.HIGHEST_PROTOCOL)


def unpacked(raw: bytes) -> Page:
    """A parsed page again."""
    page: Page = pickle.loads(raw)
    return page


@lru_cache(1)
def _layout(world: bytes) -> Layout:
    return Layout(*pickle.loads(world))


def fill_there(packed: Sequence[bytes], world: bytes) -> list[Filled]:
    """Weave and render some plain pages."""
    return fill_pages(packed, _layout(world))


def paint_there(packed: Sequence[bytes], world: bytes) -> list[Filled]:
    """Of some plain pages, what templates make."""
    return fill_pages(packed, _layout(world), lambda layout, woven: painted(layout, woven, None, {}))


def fill_pages(
    packed: Sequence[bytes], layout: Layout, files: Callable[[Layout, Woven], Output] = page_files
) -> list[Filled]:
    """Weave and render some plain pages in this process."""
    return [finished(weave(layout.web, unpacked(raw)), partial(files, layout)) for raw in packed]


def finished(woven: Woven, files: Callable[[Woven], Output]) -> Filled:
    """A woven page with its files, and everything that is wrong with it."""
    outputs, problems = attempt(files, [woven])
    return Filled(woven.page.id, outputs[0] if outputs else {}, woven.leans, (*woven.problems, *problems))


def compute_there(folder: str, name: str, part: tuple[int, int]) -> SceneData:
    """Some variants of a scene, in a worker: a scene's functions can't travel, its folder's name can."""
    with redirect_stdout(sys.stderr):  # what a scene prints is no part of what a command prints
        return compute_part(load_scene(name, Path(folder)), part)
