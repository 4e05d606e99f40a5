"""From a folder to a site: the only module that sees every stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from sys import intern

from loom.addresses import base_path
from loom.build.executor import Crew
from loom.build.patch import Memory, remembered
from loom.build.scenes import gather_scenes
from loom.build.stock import Stock
from loom.content.load import read_site
from loom.errors import LoomError, Problem, attempt, named, report
from loom.model import Output, Site, Source
from loom.options import Options, Say
from loom.render.assets import read_assets
from loom.render.context import Layout
from loom.render.extras import beside_pages
from loom.render.gallery import gallery_page
from loom.render.page_files import page_files
from loom.render.rasterize import easel
from loom.render.search import can_search, noting, search_files
from loom.render.templates import environment
from loom.scenes.discover import scene_folders
from loom.site.conflicts import shared_addresses, taken_folders
from loom.site.index import Backlinks, Leans, Web, backlinks, term_problems
from loom.site.resolve import weave

Put = Callable[[Output], None]


@dataclass
class Gathered:
    """Everything known before the first page is woven."""

    web: Web
    stock: Stock
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """What is known of a site when it is finished, but for its files."""

    layout: Layout
    stock: Stock
    leans: Mapping[str, Leans]
    links: Backlinks
    sources: tuple[Source, ...]  # for a review only: they are large
    problems: list[Problem]

    def memory(self, sizes: Mapping[PurePosixPath, int]) -> Memory:
        """What the next build can use; `sizes` are those of the site's files."""
        return remembered(self.layout, self.leans, self.stock.keys, sizes)

    @property
    def web(self) -> Web:
        return self.layout.web


def build_site(options: Options, say: Say = lambda _: None) -> Output:
    """Return every file of the site, or raise LoomError with every problem found."""
    output: Output = {}
    build_into(options, lambda more: merge(output, more), say)
    return dict(sorted(output.items()))


def build_into(options: Options, put: Put, say: Say, *, strict: bool = True) -> Built:
    """Put every file of the site somewhere as soon as it is made; raise LoomError with every problem found.

    What is not `strict` builds on as far as it can, for the sake of what is to be found there, and tells the problems.
    """
    environment.cache_clear()  # the templates may have changed since the last build of this process
    site, mistakes = read_site(options.root, drafts=options.drafts)
    say("load")
    if strict:
        report(mistakes)
    with Crew(options.jobs, options.executor) as crew:
        gathered = gather(site, options, crew, say, every=not strict)
        gathered.problems += mistakes
        sources, site = () if strict else site.sources, gathered.web.site  # the texts are large, and have been read
        assets = read_assets(options.folders("static"))
        put(assets.output)
        gathered.problems += taken_folders(gathered.web.faces.values(), site.config, [*assets.output, *site.files])
        base = base_path(options.base, site.config.url)
        cards = easel(assets, options.cache) if site.config.url else None
        search = site.config.search and can_search(say)
        indexed = search and options.indexed
        layout = Layout(options.templates, gathered.web, assets, cards, base, search)
        pages: Output = {}
        leans, links = fill(gathered, layout, crew, noting(put, pages) if indexed else put, say, strict=strict)
    put(beside_pages(layout))
    if search:
        put(search_files(layout, pages if indexed else None))
    if options.gallery:
        put(gallery_page(layout))
    return Built(layout, gathered.stock, leans, links, sources, gathered.problems)


def gather(site: Site, options: Options, crew: Crew, say: Say, *, every: bool) -> Gathered:
    """Pages parsed and scenes computed, as far as they can be, and the problems so far.

    Scenes that no page shows are computed if `every` one of the site's own is to be.
    """
    stock = Stock(options.cache)
    faces, problems = stock.parse(site.sources, crew, say)
    problems = [*named("markup", problems), *shared_addresses(faces.values(), site.config)]
    own = options.scenes.parent == options.root
    shown = {name for face in faces.values() for name in face.scenes}
    wanted = None if options.gallery or (every and own) else shown
    data, lost, failed = gather_scenes(options.scenes, wanted, crew, options.cache, say, own=own)
    bare = replace(site, sources=())  # the pages' texts have been read
    web = Web(bare, faces, data, frozenset(scene_folders(options.scenes)), lost)
    return Gathered(web, stock, [*problems, *named("scene", failed), *term_problems(web)])


def fill(
    gathered: Gathered, layout: Layout, crew: Crew, put: Put, say: Say, *, strict: bool
) -> tuple[Mapping[str, Leans], Backlinks]:
    """Weave and render every page: the plain ones apart from each other, then those that lean on all the others."""
    web, stock, problems = gathered.web, gathered.stock, gathered.problems
    leans: dict[str, Leans] = {}
    for one in stock.fill([face.id for face in web.faces.values() if face.plain], layout, crew):
        # Names come back from the workers as copies; thousands of pages that link to each other would hold many.
        leans[one.id] = replace(one.leans, pages=tuple(map(intern, one.leans.pages)))
        problems += named("template", one.problems)
        if not (strict and problems):
            put(one.output)
        say(f"page {one.id}")
    woven = [weave(web, stock.page(face.id)) for face in web.faces.values() if not face.plain]
    for late in woven:
        leans[late.page.id] = late.leans
        problems += late.problems
    if strict:
        report(problems)
    links = backlinks(web, (leans[name] for name in web.faces))
    doubtful = bool(problems)  # a template may fail for what is told already
    for late in woven:
        if late.page.embeds.keys() <= web.data.keys():
            outputs, failed = attempt(lambda one: page_files(layout, one, links), [late])
            problems += [] if doubtful else named("template", failed)
            put({path: raw for output in outputs for path, raw in output.items()})
        say(f"page {late.page.id}")
    if strict:
        report(problems)
    put({PurePosixPath(name): raw for name, raw in web.site.files.items()})
    return leans, links


def merge(output: Output, more: Output) -> None:
    """Add files; two that claim one path are a problem."""
    for path, raw in more.items():
        if path in output and output[path] != raw:
            raise LoomError(Problem(str(path), 0, 0, "two sources claim this path", "rename one of them", "address"))
        output[path] = raw
