"""A site in memory that follows its folder: the last good state, and what is wrong with the present one.

The index of its search is not among its files: it is made when somebody searches, so that edits do not wait for it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from loom.build.page_cache import PageCache
from loom.build.patch import Memory, patched
from loom.build.pipeline import build_into, merge
from loom.build.work import Parsed
from loom.content.load import load_source
from loom.dev.watch import watched
from loom.errors import LoomError, Problem
from loom.model import Output
from loom.options import Options, Say
from loom.render.assets import read_assets
from loom.render.search import Index
from loom.scenes.discover import forget
from loom.site.index import Web


@dataclass(frozen=True)
class News:
    """What an edit came to, for those who look at the site."""

    pages: frozenset[str] = frozenset()  # the files of pages that changed
    everything: bool = False
    style: str = ""  # the new style sheet, if nothing else has changed
    problems: tuple[Problem, ...] = ()


@dataclass
class Live:
    """`output` is always that of the last build that went well; it is empty before the first."""

    options: Options
    say: Say = lambda _: None
    output: Output = field(default_factory=dict)
    memory: Memory | None = None
    index: Index | None = None  # none: there is no search
    web: Web | None = None  # of the last whole build: for its scenes
    problems: tuple[Problem, ...] = ()
    pending: set[Path] = field(default_factory=set)  # edited since the last build that went well
    folders: frozenset[Path] = frozenset()  # those that were there for the last build

    def start(self) -> News:
        """Build everything, and warm up, so that the first edit is shown as soon as the others."""
        news = self._tried(self._all)
        plain = next((face for face in self.memory.faces.values() if face.plain), None) if self.memory else None
        if plain and not self.problems:
            self.follow({self.options.root / plain.path})
        return news

    def follow(self, paths: Collection[Path]) -> News:
        """Take in the edit of some files. A folder brings its files; one that came anew, all that differs."""
        self.pending |= {file for path in paths for file in _files(path)} | self.folders.intersection(paths)
        if not self.pending:
            return News()
        return self._tried(self._style if self._only(self.options.root / "static/css", ".css") else self._some)

    def _tried(self, work: Any) -> News:
        try:
            with redirect_stdout(sys.stderr):  # what scenes print is for the terminal, and not where the site is
                news: News = work()
        except LoomError as error:
            self.problems = error.problems
            return News(problems=self.problems)
        self.problems = ()
        self.pending.clear()
        return news

    def _only(self, folder: Path, suffix: str) -> bool:
        """Whether nothing but such files of a folder were edited, and all of them are there."""
        return all(path.suffix == suffix and path.is_relative_to(folder) and path.is_file() for path in self.pending)

    def _some(self) -> News:
        """Only the edited pages, if nothing else can show the edit."""
        content = self.options.root / "content"
        if self.memory is None or not self._only(content, ".md"):
            return self._all()
        sources = [load_source(path, content) for path in sorted(self.pending)]
        patch = patched(self.memory, sources, self._recall, self.options.templates, self.web)
        if patch is None:
            return self._all()
        if self.options.cache:
            keys = patch.memory.keys
            PageCache(self.options.cache).keep((keys[one.face.id], one) for one in patch.parsed)
        pages = {path: raw for path, raw in patch.output.items() if path.suffix == ".html"}
        changed = {path for path, raw in pages.items() if self.output.get(path) != raw}
        self.output |= patch.output
        self.memory = patch.memory
        return News(frozenset(map(str, changed)))

    def _recall(self, keys: Collection[bytes]) -> Mapping[bytes, Parsed]:
        return PageCache(self.options.cache).recall(list(keys)) if self.options.cache and keys else {}

    def _style(self) -> News:
        """The style sheet alone: pages differ in its name only, unless cards are drawn with its colours."""
        if self.memory is None or self.memory.easel:
            return self._all()
        old, new = self.memory.assets, read_assets(self.options.folders("static"))
        if replace(old, output={}, style="") != replace(new, output={}, style=""):
            return self._all()
        for path, raw in self.output.items():
            if path.suffix in (".html", ""):
                self.output[path] = raw.replace(old.style.encode(), new.style.encode())
        self.output.pop(PurePosixPath(old.style), None)
        self.output |= new.output
        self.memory = replace(self.memory, assets=replace(new, output={}))
        return News(style=new.style)

    def _all(self) -> News:
        """Everything that the cache does not hold."""
        self.folders = frozenset(watched(self.options))
        for path in self.pending:
            if path.is_relative_to(self.options.scenes):
                forget(self.options.scenes)
                break
        output: Output = {}
        built = build_into(replace(self.options, indexed=False), lambda more: merge(output, more), self.say)
        self.memory = built.memory({path: len(raw) for path, raw in output.items()})
        self.index = Index(built.web) if built.layout.search else None
        self.web = built.web
        before, self.output = self.output, output
        changed = {path for path, raw in output.items() if before.get(path) != raw} | (before.keys() - output.keys())
        pages = {path for path in changed if path.suffix == ".html"}
        return News(frozenset(map(str, pages)), everything=len(pages) < len(changed) or not before)


def _files(path: Path) -> list[Path]:
    """What is edited with a path: a folder that came brings its files, whose own news may have been missed."""
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
