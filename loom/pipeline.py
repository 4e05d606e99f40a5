"""From a folder to a site: the only module that sees every stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from loom.address import page_url, relative
from loom.assets import fingerprint, read_assets
from loom.check import check_site
from loom.claims import claim_problems
from loom.crew import Crew, Factory
from loom.discover import scene_folders
from loom.errors import LoomError, Problem, report
from loom.face import Face
from loom.figure import Figure, figure, table_csv
from loom.frames import SceneData
from loom.gallery import gallery_page
from loom.load import load_site
from loom.model import Config, Output, Site
from loom.parse import parse_page
from loom.render import Layout, environment, render_page
from loom.scenes import gather_scenes
from loom.weave import weave
from loom.web import Backlinks, Leans, Web, Woven, backlinks, term_problems, unused
from loom.work import fill_there, pack_world, parse_there, unpacked

OWN = Path(__file__).resolve().parent.parent  # Loom's own templates, static files and scenes
Say = Callable[[str], None]
Put = Callable[[Output], None]


@dataclass(frozen=True)
class Options:
    """What the command line can change."""

    root: Path = OWN
    jobs: int = 1
    drafts: bool = False
    gallery: bool = False
    cache: Path | None = None  # a folder for what was computed before; none: everything is computed anew
    executor: Factory | None = None  # who does the work; none: processes on this machine

    def folders(self, name: str) -> list[Path]:
        """Where to look for `name`: in the site's folder, then in Loom's own."""
        return list(dict.fromkeys([self.root / name, OWN / name]))

    @property
    def scenes(self) -> Path:
        return next((folder for folder in self.folders("scenes") if folder.is_dir()), OWN / "scenes")


@dataclass
class Gathered:
    """Everything known before the first page is woven."""

    web: Web
    packed: Mapping[str, bytes]  # parsed pages, by id
    problems: list[Problem] = field(default_factory=list)


def build_site(options: Options, say: Say = lambda _: None) -> Output:
    """Return every file of the site, or raise LoomError with every problem found."""
    output: Output = {}
    build_into(options, lambda more: merge(output, more), say)
    return dict(sorted(output.items()))


def checked_site(options: Options, say: Say = lambda _: None) -> tuple[Output, Counter[str]]:
    """The same, read as a browser reads it, and its prose held to its sources if the site asks for that.

    What its figures rest on is counted.
    """
    output: Output = {}
    web, links, counts = build_into(options, lambda more: merge(output, more), say, claims=True)
    report([*check_site(output, web.site.config), *unused(web, links)])
    return dict(sorted(output.items())), counts


def build_into(options: Options, put: Put, say: Say, *, claims: bool = False) -> tuple[Web, Backlinks, Counter[str]]:
    """Put every file of the site somewhere as soon as it is made; raise LoomError with every problem found."""
    site = load_site(options.root, drafts=options.drafts)
    with Crew(options.jobs, options.executor) as crew:
        gathered = gather(site, options, crew, say)
        counts: Counter[str] = Counter()
        if claims and site.config.claims:
            problems, counts = claim_problems(
                (parse_page(one, stated=True)[0] for one in site.sources), site.config.units
            )
            gathered.problems += problems
        links = fill(gathered, options, crew, put, say)
    return gathered.web, links, counts


def gather(site: Site, options: Options, crew: Crew, say: Say) -> Gathered:
    """Pages parsed and scenes computed, as far as they can be, and the problems so far."""
    faces: dict[str, Face] = {}
    packed: dict[str, bytes] = {}
    problems: list[Problem] = []
    for one in crew.spread(parse_there, site.sources):
        faces[one.face.id], packed[one.face.id] = one.face, one.packed
        problems += one.problems
        say(f"read {one.face.id}")
    problems += shared_addresses(faces.values(), site.config)
    wanted = None if options.gallery else {name for face in faces.values() for name in face.scenes}
    founds, data, failed = gather_scenes(
        options.scenes, wanted, crew, options.cache, say, own=options.scenes.parent == options.root
    )
    web = Web(site, faces, founds, data, frozenset(scene_folders(options.scenes)))
    return Gathered(web, packed, [*problems, *failed, *term_problems(web)])


def fill(gathered: Gathered, options: Options, crew: Crew, put: Put, say: Say) -> Backlinks:
    """Weave and render every page: the plain ones apart from each other, then those that lean on all the others."""
    web, problems = gathered.web, gathered.problems
    assets = read_assets(options.folders("static"))
    put(assets.output)
    leans: dict[str, Leans] = {}
    plain = [gathered.packed[face.id] for face in web.faces.values() if face.plain]
    world = pack_world(web, assets, options.folders("templates"))
    for one in crew.spread(fill_there, plain, world):
        leans[one.id] = one.leans
        problems += one.problems
        if not problems:
            put(one.output)
        say(f"page {one.id}")
    woven = [weave(web, unpacked(gathered.packed[face.id])) for face in web.faces.values() if not face.plain]
    for late in woven:
        leans[late.page.id] = late.leans
        problems += late.problems
    report(problems)
    links = backlinks(web, (leans[name] for name in web.faces))
    layout = Layout(environment(options.folders("templates")), web, assets)
    for late in woven:
        put(rendered(late, layout, links))
        say(f"page {late.page.id}")
    if options.gallery:
        put(gallery_page(layout))
    put({PurePosixPath(name): raw for name, raw in web.site.files.items()})
    return links


def rendered(woven: Woven, layout: Layout, links: Backlinks) -> Output:
    """A page that shows scenes or lists, and the files that its scenes fetch."""
    web, page = layout.web, woven.page
    figures: dict[str, Figure] = {}
    output: Output = {}
    for name, embed in page.embeds.items():
        data = web.data[name]
        folder = data_folder(data)
        here = relative(page_url(page.id, web.site.config.home), folder)
        figures[name] = figure(web.founds[name], embed, data, page.source.path, here)
        output |= {PurePosixPath(folder) / file: raw for file, raw in data.files.items()}
        output[PurePosixPath(folder) / figures[name].csv] = table_csv(figures[name].variant)
    return output | render_page(layout, woven, links, figures)


def shared_addresses(faces: Iterable[Face], config: Config) -> list[Problem]:
    """Pages that would be written to the same place."""
    first: dict[str, Face] = {}
    problems = []
    for face in faces:
        other = first.setdefault(face.url(config), face)
        if other is not face:
            problems.append(
                Problem(face.path, 0, 0, f"this page has the address of {other.path}", "rename one of them")
            )
    return problems


def merge(output: Output, more: Output) -> None:
    """Add files; two that claim one path are a problem."""
    for path, raw in more.items():
        if path in output and output[path] != raw:
            raise LoomError(Problem(str(path), 0, 0, "two sources claim this path", "rename one of them"))
        output[path] = raw


def data_folder(data: SceneData) -> str:
    """Where a scene's files lie in the site."""
    return f"assets/data/{data.id}.{fingerprint(data.files)}/"
