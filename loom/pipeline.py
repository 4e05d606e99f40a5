"""From a folder to a site: the only module that sees every stage."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar, cast

from loom.address import page_url, relative
from loom.assets import fingerprint, read_assets
from loom.blocks import Page
from loom.check import check_site
from loom.compute import compute_part, compute_scene, joined, parts
from loom.discover import Found, discover, load_scene
from loom.errors import LoomError, Problem, map_all, report
from loom.figure import Figure, figure, table_csv
from loom.frames import SceneData
from loom.gallery import gallery_page
from loom.load import load_site
from loom.model import Config, Output
from loom.parse import parse_page
from loom.render import entry, environment, render_page
from loom.weave import weave
from loom.web import Web

OWN = Path(__file__).resolve().parent.parent  # Loom's own templates, static files and scenes
Say = Callable[[str], None]
First = TypeVar("First")
Second = TypeVar("Second")


@dataclass(frozen=True)
class Options:
    """What the command line can change."""

    root: Path = OWN
    jobs: int = 1
    drafts: bool = False
    gallery: bool = False

    def folders(self, name: str) -> list[Path]:
        """Where to look for `name`: in the site's folder, then in Loom's own."""
        return list(dict.fromkeys([self.root / name, OWN / name]))

    @property
    def scenes(self) -> Path:
        return next((folder for folder in self.folders("scenes") if folder.is_dir()), OWN / "scenes")


def build_site(options: Options, say: Say = lambda _: None) -> Output:
    """Return every file of the site, or raise LoomError with every problem found."""
    site = load_site(options.root, drafts=options.drafts)
    pages, founds = both(lambda: map_all(parse_page, site.sources), lambda: discover(options.scenes))
    report(shared_addresses(pages, site.config))
    data = compute_all(founds if options.gallery else _shown(founds, pages), options, say)
    web = Web(site, {page.id: page for page in pages}, founds, data)
    woven = weave(web)
    assets = read_assets(options.folders("static"))
    jinja = environment(options.folders("templates"))
    entries = [entry(page, site.config) for page in pages]
    output: Output = dict(assets.output)
    for one in woven:
        figures, files = _figures(one.page, web)
        say(f"page {one.page.id}")
        merge(output, files)
        merge(output, render_page(jinja, one, web, figures, assets, entries))
    if options.gallery:
        merge(output, gallery_page(jinja, web, assets))
    merge(output, {PurePosixPath(name): raw for name, raw in site.files.items()})
    report(check_site(output, site.config))
    return dict(sorted(output.items()))


def shared_addresses(pages: list[Page], config: Config) -> list[Problem]:
    """Pages that would be written to the same place."""
    first: dict[str, Page] = {}
    problems = []
    for page in pages:
        other = first.setdefault(page_url(page.id, config.home), page)
        if other is not page:
            message = f"this page has the address of {other.source.path}"
            problems.append(Problem(page.source.path, 0, 0, message, "rename one of them"))
    return problems


def compute_all(founds: Mapping[str, Found], options: Options, say: Say) -> dict[str, SceneData]:
    """Compute every scene, on several cores if there are several of both."""
    if min(options.jobs, len(founds)) < 1 or options.jobs == 1:
        return {data.id: data for data in map_all(lambda found: _said(compute_scene(found), say), founds.values())}
    with ProcessPoolExecutor(options.jobs) as executor:
        return compute_on(executor, founds, say)


def compute_on(executor: Executor, founds: Mapping[str, Found], say: Say) -> dict[str, SceneData]:
    """Compute every scene on an executor of any kind, a large one in parts."""
    futures = {
        name: [executor.submit(compute_there, str(found.folder), name, part) for part in parts(found)]
        for name, found in founds.items()
    }
    computed = map_all(lambda name: joined(map_all(lambda future: future.result(), futures[name])), founds)
    return {data.id: _said(data, say) for data in computed}


def compute_there(folder: str, name: str, part: list[dict[str, Any]]) -> SceneData:
    """Some variants of a scene, in a worker: a scene's functions can't travel, its folder's name can."""
    return compute_part(load_scene(name, Path(folder)), part)


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Two stages that do not need each other; the problems of both are reported together."""
    results: list[First | Second] = []
    problems: list[Problem] = []
    for stage in (first, second):
        try:
            results.append(stage())
        except LoomError as error:
            problems += error.problems
    report(problems)
    return cast("tuple[First, Second]", tuple(results))


def merge(output: Output, more: Output) -> None:
    """Add files; two that claim one path are a problem."""
    for path, raw in more.items():
        if path in output and output[path] != raw:
            raise LoomError(Problem(str(path), 0, 0, "two sources claim this path", "rename one of them"))
        output[path] = raw


def default_jobs() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def data_folder(data: SceneData) -> str:
    """Where a scene's files lie in the site."""
    return f"assets/data/{data.id}.{fingerprint(data.files)}/"


def _said(data: SceneData, say: Say) -> SceneData:
    say(f"scene {data.id} ({len(data.variants)} variants)")
    return data


def _shown(founds: Mapping[str, Found], pages: list[Page]) -> dict[str, Found]:
    """Only the scenes that some page shows or quotes."""
    wanted = {name for page in pages for name in page.scenes}
    return {name: found for name, found in founds.items() if name in wanted}


def _figures(page: Page, web: Web) -> tuple[dict[str, Figure], Output]:
    """The page's scenes, drawn in their opening states, and the files that they fetch."""
    figures: dict[str, Figure] = {}
    files: Output = {}
    for name, embed in page.embeds.items():
        data = web.data[name]
        folder = data_folder(data)
        here = relative(page_url(page.id, web.site.config.home), folder)
        figures[name] = figure(web.founds[name], embed, data, page.source.path, here)
        files |= {PurePosixPath(folder) / file: raw for file, raw in data.files.items()}
        files[PurePosixPath(folder) / "table.csv"] = table_csv(figures[name].variant)
    return figures, files
