"""From a folder to a site: the only module that sees every stage."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from loom.address import page_url, relative
from loom.assets import fingerprint, read_assets
from loom.blocks import Page
from loom.cache import Cache, scene_key
from loom.check import check_site
from loom.claims import claim_problems
from loom.compute import compute_part, compute_scene, joined, parts
from loom.discover import Found, discover, load_scene, scene_folders
from loom.errors import LoomError, Problem, attempt, report
from loom.figure import Figure, figure, table_csv
from loom.frames import SceneData
from loom.gallery import gallery_page
from loom.load import load_site
from loom.model import Config, Output, Site
from loom.parse import parse_page
from loom.render import entry, environment, render_page
from loom.weave import weave
from loom.web import Web, unused

OWN = Path(__file__).resolve().parent.parent  # Loom's own templates, static files and scenes
Say = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What the command line can change."""

    root: Path = OWN
    jobs: int = 1
    drafts: bool = False
    gallery: bool = False
    cache: Path | None = None  # a folder for what was computed before; none: everything is computed anew

    def folders(self, name: str) -> list[Path]:
        """Where to look for `name`: in the site's folder, then in Loom's own."""
        return list(dict.fromkeys([self.root / name, OWN / name]))

    @property
    def scenes(self) -> Path:
        return next((folder for folder in self.folders("scenes") if folder.is_dir()), OWN / "scenes")


def build_site(options: Options, say: Say = lambda _: None) -> Output:
    """Return every file of the site, or raise LoomError with every problem found."""
    return written(gather(load_site(options.root, drafts=options.drafts), options, say), options, say)


def checked_site(options: Options, say: Say = lambda _: None) -> tuple[Output, Counter[str]]:
    """The same, with its prose held to its sources if the site asks for that: what its figures rest on, counted."""
    web = gather(load_site(options.root, drafts=options.drafts), options, say)
    counts: Counter[str] = Counter()
    if web.site.config.claims:
        problems, counts = claim_problems(web.pages.values(), web.site.config.units)
        web.problems += problems
    output = written(web, options, say)
    report(unused(web))
    return output, counts


def written(web: Web, options: Options, say: Say) -> Output:
    """Every file of the site."""
    site, woven = web.site, weave(web)
    assets = read_assets(options.folders("static"))
    jinja = environment(options.folders("templates"))
    entries = [entry(page, site.config) for page in web.pages.values()]
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


def gather(site: Site, options: Options, say: Say) -> Web:
    """Pages parsed and scenes computed, as far as they can be, and the problems so far."""
    parsed = [parse_page(source) for source in site.sources]
    pages = [page for page, _ in parsed]
    problems = [problem for _, found in parsed for problem in found] + shared_addresses(pages, site.config)
    founds, unreadable = discover(options.scenes)
    wanted = founds if options.gallery else _shown(founds, pages)
    computed, failed = compute_all(wanted, options, say)
    data = {one.id: one for one in computed}
    broken = frozenset(scene_folders(options.scenes).keys() - founds.keys() | wanted.keys() - data.keys())
    return Web(
        site, {page.id: page for page in pages}, founds, data, broken, problems=[*problems, *unreadable, *failed]
    )


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


def compute_all(founds: Mapping[str, Found], options: Options, say: Say) -> tuple[list[SceneData], list[Problem]]:
    """Every scene, as it was computed before or computed now; and what went wrong."""
    if not options.cache:
        return compute_missing(founds, options, say)
    cache = Cache(options.cache)
    keys = {name: scene_key(found.folder) for name, found in founds.items()}
    known: dict[str, SceneData] = {name: data for name, key in keys.items() if (data := cache.recall(key))}
    missing = {name: found for name, found in founds.items() if name not in known}
    computed, problems = compute_missing(missing, options, say)
    for data in computed:
        cache.keep(keys[data.id], data)
        known[data.id] = data
    return [known[name] for name in founds if name in known], problems


def compute_missing(founds: Mapping[str, Found], options: Options, say: Say) -> tuple[list[SceneData], list[Problem]]:
    """Compute scenes, on several cores if there are several."""
    if options.jobs < 2 or not founds:
        return attempt(lambda found: _said(compute_scene(found), say), founds.values())
    with ProcessPoolExecutor(options.jobs) as executor:
        return compute_on(executor, founds, say)


def compute_on(executor: Executor, founds: Mapping[str, Found], say: Say) -> tuple[list[SceneData], list[Problem]]:
    """Compute every scene on an executor of any kind, a large one in parts."""
    futures = {
        name: [executor.submit(compute_there, str(found.folder), name, part) for part in parts(found)]
        for name, found in founds.items()
    }
    return attempt(lambda name: _said(joined(Future.result, futures[name]), say), founds)


def compute_there(folder: str, name: str, part: list[dict[str, Any]]) -> SceneData:
    """Some variants of a scene, in a worker: a scene's functions can't travel, its folder's name can."""
    return compute_part(load_scene(name, Path(folder)), part)


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
        files[PurePosixPath(folder) / figures[name].csv] = table_csv(figures[name].variant)
    return figures, files
