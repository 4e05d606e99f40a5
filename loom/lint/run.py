"""Everything that `check` finds: what the author wrote, the finished site, and on request the links to other sites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote

from loom.build.pipeline import Built, build_into, merge
from loom.errors import LoomError, Problem, named
from loom.lint.claims import claim_problems
from loom.lint.external import Asker, external_problems
from loom.lint.origins import authored
from loom.lint.output import lint_site
from loom.lint.site_rules import shared_titles, unsaid, unused, unused_notes
from loom.markdown.parse import parse_page
from loom.model import Output
from loom.options import Options

Say = Callable[[str], None]
# A block that could not be read is not in the finished page: what it holds is missed there, and its levels and ids.
ECHOES = frozenset(["heading", "id"])
FOOTNOTE = re.compile(r"#fn(?:ref)?[\w:-]+'")
# What can't be judged where a file of `content/` could not be read.
BLIND = {
    "content/references.yml": frozenset(["citation", "unused"]),
    "content/glossary.yml": frozenset(["term", "unused"]),
}
# In Markdown: what a citation or a term names, and what a link leads to.
NAMED = re.compile(r"\{(?:cite|term)[^}]*\}`([^`]*)`|\]\(([^)]*)\)")
PLACES = frozenset(["anchor", "state"])
FRONT = frozenset(["summary", "title", "orphan"])


@dataclass(frozen=True)
class Findings:
    """What was found, and in how much."""

    problems: tuple[Problem, ...]
    pages: int = 0
    files: int = 0
    figures: Counter[str] = field(default_factory=Counter)  # what the sentences with a figure rest on

    @property
    def counts(self) -> dict[str, object]:
        """All numbers, for programs."""
        rules = dict(sorted(Counter(problem.rule for problem in self.problems).items()))
        figures = dict(self.figures.most_common())
        problems = len(self.problems)
        return {"problems": problems, "rules": rules, "pages": self.pages, "files": self.files, "figures": figures}

    @property
    def summary(self) -> Iterator[str]:
        """What is said where nothing is wrong."""
        if self.figures:
            listed = ", ".join(f"{count} {kind}" for kind, count in self.figures.most_common())
            yield f"{self.figures.total()} sentences with a figure: {listed}"
        yield f"{self.pages} page{'s' * (self.pages > 1)}, {self.files} files: nothing wrong"


def lint(options: Options, say: Say = lambda _: None, asker: Asker | None = None) -> Findings:
    """Build as far as that goes, and look at everything."""
    output: Output = {}
    clashes: list[Problem] = []

    def put(more: Output) -> None:
        for path, raw in more.items():
            try:
                merge(output, {path: raw})
            except LoomError as error:
                clashes.extend(error.problems)

    try:
        built = build_into(options, put, say, strict=False)
    except LoomError as error:  # there is no site to look at
        return Findings(LoomError(*named("content", error.problems)).problems)
    doubtful = _doubtful(built)
    problems, figures = _written(built, doubtful, asker, say)
    places = Counter(face.file(built.web.site.config) for face in built.web.faces.values())
    # Of two pages with one address the author is told already; their texts as Markdown clash as they do.
    problems += [clash for clash in clashes if places[PurePosixPath(clash.path).with_suffix(".html")] < 2]
    finished = _finished(built, output, doubtful, {problem.path for problem in built.problems})
    files = built.web.site.files.keys()
    problems += authored(finished, built.layout.assets.style, files, options.folders("static"))
    told = LoomError(*_judged(problems)).problems
    return Findings(told, sum(path.name == "index.html" for path in output), len(output), figures)


def _doubtful(built: Built) -> str:
    """What is named on pages that could not be read whole: it may be used there, or linked."""
    faulty = {problem.path for problem in built.problems}
    named = [NAMED.findall(source.body) for source in built.sources if source.path in faulty]
    return "\n".join("".join(one) for found in named for one in found)


def _written(built: Built, doubtful: str, asker: Asker | None, say: Say) -> tuple[list[Problem], Counter[str]]:
    """What is wrong with the author's text; and what its figures rest on, counted."""
    site, faces = built.web.site, built.web.faces.values()
    problems = [*built.problems, *unsaid(faces), *shared_titles(faces), *unused(built.web, built.links, doubtful)]
    problems += unused_notes(built.sources)
    figures: Counter[str] = Counter()
    pages = [parse_page(source, stated=True)[0] for source in built.sources if site.config.claims or asker]
    if site.config.claims:
        found, figures = claim_problems(pages, site.config.units)
        problems += named("claim", found)
    if asker:
        problems += external_problems(pages, site, asker, say)
    return problems, figures


def _finished(built: Built, output: Output, doubtful: str, faulty: Collection[str]) -> Iterator[Problem]:
    """What is wrong with the finished site and does not follow from what the author was told before."""
    config = built.web.site.config
    sources = {face.file(config): face.path for face in built.web.faces.values()}
    anchors = {name for face in built.web.faces.values() if face.path in faulty for name in face.anchors}
    for one in lint_site(output, config, sources, built.layout.base):
        echo = one.rule in ECHOES and sources.get(PurePosixPath(one.path)) in faulty
        if one.rule in PLACES:
            place = one.message.partition("#")[2].partition("'")[0].partition("?")[0]
            echo = unquote(place) in anchors or bool(faulty and FOOTNOTE.search(one.message))
        linked = one.rule == "orphan" and PurePosixPath(one.path).name in doubtful
        if not (echo or linked):
            yield one


def _judged(problems: list[Problem]) -> Iterator[Problem]:
    """Problems, but for those that may only follow from a file of `content/` that could not be read."""
    unread = {problem.path for problem in problems if problem.rule == "content"}
    blind = {rule for path in unread for rule in BLIND.get(path, ())}
    for one in problems:
        lost = one.rule in PLACES and one.message.endswith(tuple(f" in {path}" for path in unread))
        if not (lost or one.rule in blind or (one.rule in FRONT and one.path in unread)):
            yield one
