"""Run all rules of `check`: on the author's text, on the finished site, and on request on links to other sites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from loom.addresses import SEARCH, page_file
from loom.build.pipeline import Builder, Built
from loom.build.sink import MemorySink
from loom.content.blocks import Page
from loom.content.files import REFERENCES
from loom.errors import LoomError, Problem, with_rule
from loom.lint.claims import claim_problems
from loom.lint.external import LinkChecker, external_problems
from loom.lint.output import lint_site, with_source_paths
from loom.lint.override_rules import override_problems
from loom.lint.scene_problems import scene_problems
from loom.lint.setting_rules import setting_problems
from loom.lint.text_rules import (
    markdown_problems,
    missing_summaries,
    shared_titles,
    state_problems,
    unknown_sources,
    unused_entries,
)
from loom.markdown.parse import parse_page
from loom.model import Output
from loom.options import Options
from loom.progress import OnProgress, ignore_progress
from loom.site.conflicts import alike_files
from loom.site.index import SiteIndex

# Rules on finished pages that are skipped for pages with mistakes: blocks that can't be parsed are missing there.
REPEATED_RULES = frozenset(["heading", "id"])
FOOTNOTE = re.compile(r"fn(?:ref)?[\w:-]+\Z")
# Rules that can't be checked if a file of `content/` could not be read.
RULES_THAT_NEED = {
    **{f"content/{name}": frozenset(["citation", "unused"]) for name in REFERENCES},
    "content/glossary.yml": frozenset(["term", "unused"]),
}
# In Markdown: the targets of citations, terms and links.
TARGET = re.compile(r"\{(?:cite|term)[^{}]*\}`([^`]*)`|\]\(([^()]*)\)")
PLACES = frozenset(["anchor", "state"])
FRONT = frozenset(["summary", "title", "orphan"])


@dataclass(frozen=True)
class Findings:
    """The problems, and how much was checked."""

    problems: tuple[Problem, ...]
    pages: int = 0
    files: int = 0
    figures: Counter[str] = field(default_factory=Counter)  # sentences with a figure, by the kind of support

    @property
    def counts(self) -> dict[str, object]:
        """All numbers, for programs."""
        rules = dict(sorted(Counter(problem.rule for problem in self.problems).items()))
        figures = dict(self.figures.most_common())
        problems = len(self.problems)
        return {"problems": problems, "rules": rules, "pages": self.pages, "files": self.files, "figures": figures}

    @property
    def summary(self) -> Iterator[str]:
        """The lines to print if there are no problems."""
        if self.figures:
            listed = ", ".join(f"{count} {kind}" for kind, count in self.figures.most_common())
            yield f"{self.figures.total()} sentences with a figure: {listed}"
        yield f"{self.pages} page{'s' * (self.pages > 1)}, {self.files} files: nothing wrong"


def lint(options: Options, on_progress: OnProgress = ignore_progress, checker: LinkChecker | None = None) -> Findings:
    """Build as far as possible, and apply all rules."""
    sink = MemorySink()
    try:
        built = Builder(options).build(sink, on_progress, strict=False)
    except LoomError as error:  # there is no site to check
        return Findings(LoomError(*with_rule("content", error.problems)).problems)
    output = dict(sorted(sink.output.items()))
    pages = {name: built.content.page(name) for name in built.index.infos}
    unread_names = _unread_names(built, pages.values())
    problems, figures = _written(built, pages.values(), unread_names, checker, on_progress)
    problems += [*override_problems(options), *alike_files(built.index.files)]
    problems += setting_problems(built.index.config, options, built.context.words)
    problems += scene_problems(built.index.data.values(), built.engine.once)
    clashing = _clashing_places(built.index)  # their Markdown files clash, too
    problems += [one for one in sink.paths.problems if PurePosixPath(one.path).with_suffix(".html") not in clashing]
    finished = _finished(built, output, unread_names, pages.values())
    problems += with_source_paths(finished, built.context.assets.style, built.index.files, options.folders("static"))
    built.engine.flush()
    off = {rule for rule, on in built.index.config.rules.items() if not on}
    kept = [one for one in problems if one.rule not in off or one in built.problems]
    found = LoomError(*_without_consequences(kept)).problems
    count = sum(path.name == "index.html" and path not in built.index.scene_pages for path in output)
    return Findings(found, count, len(output), figures)


def _clashing_places(index: SiteIndex) -> set[PurePosixPath]:
    """Files of pages that something else would be, too: the build has reported them, see `loom.site.conflicts`."""
    pages = Counter(info.file(index.config) for info in index.infos.values())
    others = {*index.scene_pages, page_file(SEARCH), *map(PurePosixPath, index.files)}
    return {place for place, count in pages.items() if count > 1 or place in others}


def _unread_names(built: Built, pages: Iterable[Page]) -> str:
    """The targets of citations, terms and links on pages with mistakes, which are missing in the index."""
    faulty = {problem.path for problem in built.problems}
    named = [TARGET.findall(page.source.body) for page in pages if page.source.path in faulty]
    return "\n".join("".join(one) for found in named for one in found)


def _written(
    built: Built, pages: Collection[Page], unread_names: str, checker: LinkChecker | None, on_progress: OnProgress
) -> tuple[list[Problem], Counter[str]]:
    """The problems of the author's text; and the counts of sentences with figures by their support."""
    index, infos = built.index, built.index.infos.values()
    problems = [*built.problems, *missing_summaries(infos), *shared_titles(infos), *unused_entries(index, unread_names)]
    sources = [page.source for page in pages]
    problems += [one for page in pages for one in page.warnings]
    problems += [one for source in sources for one in markdown_problems(source)]
    problems += [*state_problems(pages, index), *unknown_sources(index)]
    figures: Counter[str] = Counter()
    if index.config.claims:
        stated = [parse_page(source, stated=True)[0] for source in sources]
        found, figures = claim_problems(stated, index.config.units)
        problems += with_rule("claim", found)
    if checker:
        problems += external_problems(pages, index, checker, on_progress)
    return problems, figures


def _finished(built: Built, output: Output, unread_names: str, pages: Iterable[Page]) -> Iterator[Problem]:
    """The problems of the finished site that are not consequences of others."""
    index, faulty = built.index, {problem.path for problem in built.problems}
    warned = {(one.path, one.rule) for page in pages for one in page.warnings}
    sources = {info.file(index.config): info.path for info in index.infos.values()}
    anchors = {name for info in index.infos.values() if info.path in faulty for name in info.anchors}
    found = lint_site(output, index.config, sources, built.context.base, index.scene_pages, built.engine.once)
    for one in found:
        source = sources.get(PurePosixPath(one.path), "")
        repeated = (one.rule in REPEATED_RULES and source in faulty) or (source, one.rule) in warned
        if one.rule in PLACES:
            repeated = one.missing.anchor in anchors or bool(faulty and FOOTNOTE.match(one.missing.anchor))
        linked = one.rule == "orphan" and PurePosixPath(one.path).name in unread_names
        if not (repeated or linked):
            yield one


def _without_consequences(problems: list[Problem]) -> Iterator[Problem]:
    """The problems without those that may be consequences of an unreadable file of `content/`, or front matter."""
    unread = {problem.path for problem in problems if problem.rule == "content"}
    unjudged = {rule for path in unread for rule in RULES_THAT_NEED.get(path, ())}
    missed = {(problem.path, key) for problem in problems for key in problem.missing.front}
    for one in problems:
        lost = one.rule in PLACES and one.missing.file in unread
        hidden = one.rule in FRONT and (one.path in unread or (one.path, one.rule) in missed)
        if not (lost or hidden or one.rule in unjudged):
            yield one
