"""The whole build from a folder to a site: the only module that knows every stage."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from msgspec.structs import replace

from loom.addresses import base_path
from loom.build.content import Content, gather_content
from loom.build.engine import Engine, Session
from loom.build.executor import Workers
from loom.build.files import Digests, Files, loom_version
from loom.build.pages import gather_pages
from loom.build.pool import Pool
from loom.build.process_pool import scene_pool
from loom.build.scenes import SceneRequest, gather_scenes
from loom.build.search import offer_search
from loom.build.sink import MemorySink, Sink, put
from loom.build.store import MemoryStore, Store
from loom.content.files import read_bytes
from loom.content.pictures import sizes
from loom.errors import Problem, raise_any, with_rule
from loom.model import Output
from loom.options import Options
from loom.progress import OnProgress, ProgressEvent, Stage, ignore_progress
from loom.render.assets import read_assets
from loom.render.context import RenderContext
from loom.render.extras import extras
from loom.render.gallery import gallery_page
from loom.render.rasterize import card_tools
from loom.render.search import can_search
from loom.render.templates import environment, phrases
from loom.render.words import read_words
from loom.scenes.discover import scene_folders
from loom.site.conflicts import shared_addresses, taken_folders, taken_pages
from loom.site.formulas import macro_problems
from loom.site.index import SiteIndex, term_problems
from loom.site.page_info import embedded_scenes


@dataclass(frozen=True)
class Built:
    """A finished site without its files; the engine keeps what is found out about it."""

    context: RenderContext
    content: Content
    engine: Engine
    problems: list[Problem] = field(default_factory=list)

    @property
    def index(self) -> SiteIndex:
        return self.context.index


class Builder:
    """Builds one site repeatedly, each time only what has changed.

    A `reusable` builder keeps results and the processes that compute scenes for the next build. It must be closed.
    """

    def __init__(self, options: Options, *, reusable: bool = False) -> None:
        self.options, self.reusable = options, reusable
        self.pool: Pool | None = None
        self.files = Files(options.root)
        self.store = Store(options.cache) if options.cache else MemoryStore() if reusable else None

    def build(
        self, sink: Sink, on_progress: OnProgress = ignore_progress, *, strict: bool = True, partial: bool = False
    ) -> Built:
        """Give every file of the site to a sink; raise LoomError with every problem found.

        If not `strict`, the build goes on after problems as far as it can, so that `check` finds more of them. If
        `partial`, of scenes without stored results only the opening states are computed.
        """
        environment.cache_clear()  # the templates may have changed since the last build of this process
        engine, task = Engine(self.store, loom_version()), f"digests {os.path.realpath(self.options.root)}"
        earlier = next((one.result for one in engine.recall([task], Digests)), {})
        self.files.begin(earlier)
        try:
            with Workers(self.options.jobs, self.options.executor) as workers:
                pool = self.pool = self.pool or scene_pool(self.options, workers)
                session = Session(self.options, engine, workers, pool, self.files, on_progress)
                return _build(session, sink, strict=strict, partial=partial)
        finally:
            if self.pool:
                self.pool.clear()
            if not self.reusable or self.options.executor:
                self.close()
            if (digests := self.files.digests) != earlier:
                engine.keep(task, (), digests)
            engine.flush()

    def warm(self) -> None:
        """Start the processes that compute scenes, if the site has scenes."""
        if self.pool and scene_folders(self.options.scenes):
            self.pool.warm()

    def close(self) -> None:
        """End the processes that compute scenes."""
        if self.pool:
            self.pool.close()
            self.pool = None


def build_site(options: Options, on_progress: OnProgress = ignore_progress) -> Output:
    """Return every file of the site, or raise LoomError with every problem found."""
    sink = MemorySink()
    Builder(options).build(sink, on_progress)
    sink.paths.raise_conflicts()
    return dict(sorted(sink.output.items()))


def _build(session: Session, sink: Sink, *, strict: bool, partial: bool) -> Built:
    options, once = session.options, session.engine.once
    content = gather_content(session)
    session.on_progress(ProgressEvent(Stage.LOADED))
    if strict:
        raise_any(one for one in content.problems if one.rule == "content")
    index, problems = gather_index(content, session, every=not strict, partial=partial)
    static = options.folders("static")
    words = read_words(options.templates, index.config.language, phrases(options.templates, static))
    assets = read_assets(static, once, words)
    put(sink, assets.output)
    problems += taken_folders(index.infos.values(), index.config, [*assets.output, *content.files])
    base = base_path(options.base, index.config.url)
    tools = card_tools(assets, once) if index.config.url else None
    search = index.config.search and can_search(session.on_progress)
    problems += taken_pages(index, search=search)
    context = RenderContext(index, options.templates, assets, base, search, tools, words)
    problems += gather_pages(content, context, session, sink, already_failed=bool(problems))
    if strict:
        raise_any(problems)
    offer_rest(context, content, sink)
    if search:
        offer_search(context, session, sink)
    if options.gallery:
        put(sink, gallery_page(context))
    return Built(context, content, session.engine, problems)


def gather_index(content: Content, session: Session, *, every: bool, partial: bool) -> tuple[SiteIndex, list[Problem]]:
    """The index of the site, and the problems so far.

    With `every`, the site's own scenes that no page needs are computed, too.
    """
    options, config, infos = session.options, content.settings.config, content.infos
    problems = [*content.problems, *macro_problems(config, content.folder), *shared_addresses(infos.values(), config)]
    own = options.scenes.parent == options.root
    embedded = embedded_scenes(infos.values())
    needed = {scene for info in infos.values() for name in info.scenes for scene in embedded.get(name, (name,))}
    wanted = None if options.gallery or (every and own) else needed
    openings = [embed for info in infos.values() for embed in info.embeds.values()]
    for still in (still for info in infos.values() for still in info.stills):
        openings += [replace(still, scene=scene) for scene in embedded.get(still.scene, (still.scene,))]
    # A sign of life while scenes are computed: whoever listens may raise an exception to end the build.
    session.pool.on_report = lambda _: session.on_progress(ProgressEvent(Stage.ALIVE))
    known, failed = gather_scenes(session, SceneRequest(wanted, openings if partial else None))
    index = SiteIndex(
        config, infos, content.settings.terms, content.settings.references, frozenset(content.files),
        sizes(content.folder, content.files), content.drafts,
        frozenset(scene_folders(options.scenes)), known,
    )  # fmt: skip
    return index, [*problems, *with_rule("scene", failed), *term_problems(index)]


def offer_rest(context: RenderContext, content: Content, sink: Sink) -> None:
    """Put all files besides the pages: data of scenes, files of `content/`, and generated ones such as the sitemap."""
    index = context.index
    shown = {embed.scene for info in index.infos.values() for embed in info.embeds.values()}
    for name in sorted(shown & index.data.keys()):
        known = index.data[name]
        if sink.holds(known.manifest):
            sink.keep(known.manifest)
        else:
            sink.put(known.output, known.manifest)
    put(sink, extras(context))
    put(sink, context.on_demand)
    put(sink, {PurePosixPath(name): read_bytes(content.folder / name, f"content/{name}") for name in content.files})
