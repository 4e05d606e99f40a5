"""The content of a site: settings, pages and other files, read now or recalled from an earlier build."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from loom.build.engine import Engine, Session, Trace, digest_of
from loom.build.files import digest_of_file
from loom.build.page_work import ReadPage, read_page, read_pages
from loom.build.preflight import input_problems
from loom.content.blocks import Page
from loom.content.files import PAGE_NAME, SETTINGS, content_folder
from loom.content.load import SITE_FILE, Settings, draft_home, page_names, read_settings
from loom.errors import LoomError, Problem, raise_any, with_rule
from loom.progress import ProgressEvent, Stage
from loom.site.page_info import PageInfo
from loom.site.sections import in_order

# The dependencies of the settings: a few files, and the names of pages, because one of them is the home page.
SETTINGS_READ = [("pages", ""), *(("file", f"content/{name}") for name in SETTINGS)]


@dataclass
class Content:
    """The content of a site as far as it could be read, and the problems in it."""

    folder: Path
    settings: Settings
    infos: dict[str, PageInfo]  # in reading order, without drafts
    files: list[str]  # the paths of all other files in the folder
    drafts: frozenset[str]
    problems: list[Problem]
    packed: dict[str, Trace[PageInfo]] = field(default_factory=dict)
    unkept: dict[str, bytes] = field(default_factory=dict)  # encoded pages with mistakes, which are never stored

    def encoded(self, name: str) -> bytes:
        """A parsed page, encoded."""
        if name in self.unkept:
            return self.unkept[name]
        raw = self.packed[name].files()
        return raw or read_page(name, self.infos[name].file_name, self.folder).page  # the store may be deleted any time

    def page(self, name: str) -> Page:
        """A parsed page."""
        return msgspec.msgpack.decode(self.encoded(name), type=Page)


def gather_content(session: Session) -> Content:
    """Read all of `content/`; raise LoomError if its settings are wrong, because all else depends on them."""
    options, engine, on_progress = session.options, session.engine, session.on_progress
    folder = content_folder(options.root)
    raise_any(with_rule("content", input_problems(options.root)))
    names, others, problems = page_names(folder)
    engine.answer("file", session.files.digest)
    packed: dict[str, Trace[PageInfo]] = {}
    unkept: dict[str, bytes] = {}
    infos: dict[str, PageInfo] = {}
    for known in engine.recall([_task(name) for name in names], PageInfo):
        if known.result.file_name != names[known.result.id]:
            continue  # a new index.md has taken the place of README.md as the folder's page
        infos[known.result.id], packed[known.result.id] = known.result, known
        on_progress(ProgressEvent(Stage.PAGE_KNOWN, known.result.id))
    missing = [(name, file) for name, file in names.items() if name not in infos]
    for one in session.workers.spread(read_pages, missing, len(missing), str(folder)):
        if one.info:
            infos[one.name] = one.info
            if one.problems:
                unkept[one.name] = one.page
            else:
                packed[one.name] = _kept(engine, one)
        problems += one.problems
        on_progress(ProgressEvent(Stage.PAGE_PARSED, one.name))
    settings, mistakes = _settings(folder, [name for name in names if PAGE_NAME.match(name)], engine)
    problems += mistakes
    hidden = {name for name, info in infos.items() if info.meta.draft and not options.drafts}
    if settings.config.home in hidden:  # a problem, but the page is kept: every page links to it
        problems.append(draft_home(folder, names[settings.config.home]))
        hidden.discard(settings.config.home)
    if any(problem.path == SITE_FILE for problem in problems):
        raise LoomError(*(problem for problem in problems if problem.rule != "markup"))
    hidden_paths = {infos[name].path for name in hidden}
    problems = [one for one in problems if one.path not in hidden_paths or one.rule != "markup"]
    listed = _ordered((info for name, info in infos.items() if name not in hidden), settings.config.home)
    return Content(folder, settings, listed, others, frozenset(hidden), problems, packed, unkept)


def _settings(folder: Path, names: list[str], engine: Engine) -> tuple[Settings, list[Problem]]:
    """Settings, references and glossary, recalled if neither their files nor the names of pages have changed."""
    engine.answer("pages", lambda _: digest_of(names))
    for known in engine.recall(["settings"], Settings):
        return known.result, []
    before = {question: engine.ask(*question) for question in SETTINGS_READ}
    settings, problems = read_settings(folder, names)
    if not problems and all(
        digest_of_file(str(folder.parent / name)) == was for (_, name), was in before.items() if name
    ):
        engine.keep("settings", before, settings)
    return settings, problems


def _task(name: str) -> str:
    return f"page {name}"


def _kept(engine: Engine, one: ReadPage) -> Trace[PageInfo]:
    assert one.info
    return engine.keep(_task(one.name), {("file", one.info.path): one.digest}, one.info, one.page)


def _ordered(infos: Iterable[PageInfo], home: str) -> dict[str, PageInfo]:
    """Pages in reading order, which begins with the home page."""
    place = sorted(infos, key=lambda info: (info.id != home, info.meta.order, info.id))
    return in_order({info.id: info for info in place}, home)
