"""Read the finished site as a browser would, and hold it to every rule of a page, of its links and of its weight."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath

from loom.addresses import is_on_demand
from loom.errors import Problem
from loom.lint.html_reader import read_document
from loom.lint.link_rules import Page, link_problems, style_problems, unreached
from loom.lint.page_rules import page_problems
from loom.lint.picture_rules import picture_problems
from loom.model import Config, Output

KB = 1000
PLAYER, STYLE, FIRST_VIEW, FONTS = 8 * KB, 12 * KB, 60 * KB, 60 * KB
GZIP = 1.6  # how much more each may take in gzip: many hosts send nothing else
FIRST_VIEW_GZIP = 90 * KB
FILES, SITE = 600, 50_000 * KB
QUICKLY, WELL = 5, 11
HOME = PurePosixPath("index.html")
LOST = frozenset(["404.html", "404/index.html"])  # what a host shows where there is no page: nothing leads there


def lint_site(
    output: Output,
    config: Config,
    sources: Mapping[PurePosixPath, str],
    base: str = "/",
    scene_pages: Collection[PurePosixPath] = (),
) -> list[Problem]:
    """Every rule on every page. `sources` names the file from which each page is made, also of those not made now.

    `base` is where the site lies on its host, and `alone` where scenes stand alone, or would.
    """
    problems: list[Problem] = []
    pages: dict[PurePosixPath, Page] = {}
    for path, raw in output.items():
        if path.suffix == ".html":  # a page's elements are dropped when they have been looked at, but for its links
            document = read_document(raw, str(path))
            problems += page_problems(document)
            pages[path] = Page(document)
    files = output.keys() | sources.keys() | set(scene_pages)
    for page in pages.values():
        problems += link_problems(page, pages, files, base)
    for path, raw in output.items():
        if path.suffix == ".css":
            problems += style_problems(path, raw, files)
    problems += picture_problems(output)
    if sources.keys() | {HOME} <= pages.keys():
        problems += orphans(pages, sources)
    if config.budgets:
        problems += budget_problems(output)
    return problems


def orphans(pages: Mapping[PurePosixPath, Page], sources: Mapping[PurePosixPath, str]) -> Iterator[Problem]:
    """Pages that a reader who begins at the home page never meets."""
    for path in sorted(unreached(HOME, pages) & sources.keys()):
        if str(path) not in LOST:
            message = "no page and no navigation leads to this page"
            hint = "link to it from another page, or delete its line 'listed: false': then the navigation does"
            yield Problem(sources[path], 1, 0, message, hint, "orphan")


def budget_problems(output: Output) -> Iterator[Problem]:
    """Sizes as they travel: compressed with brotli, which is how a static host sends text, and with gzip."""
    import zlib

    import brotli

    @cache
    def size(path: PurePosixPath, quality: int) -> int:
        return len(output[path] if path.suffix == ".woff2" else brotli.compress(output[path], quality=quality))

    player, style, fonts, views = (
        [path for path in output if path.suffix == suffix and not is_on_demand(path)]
        for suffix in (".js", ".css", ".woff2", ".html")
    )
    packed = cache(lambda path: len(zlib.compress(output[path])))
    totals = [("site", "the player", player, PLAYER), ("site", "the style sheet", style, STYLE)]
    totals += [("site", "the fonts", fonts, FONTS)]
    totals += [(str(view), "its first view", [view, *player, *style], FIRST_VIEW) for view in views]
    for place, name, paths, most in totals:
        for quality in QUICKLY, WELL:  # what is small enough when it is packed quickly need not be packed well
            count = sum(size(path, quality) for path in paths)
            if count <= most:
                break
        else:
            yield _heavy(place, f"{name} takes {count:,} bytes of {most:,}")
            continue
        most = FIRST_VIEW_GZIP if most == FIRST_VIEW else round(GZIP * most)
        if (count := sum(map(packed, paths))) > most:
            yield _heavy(place, f"{name} takes {count:,} bytes of {most:,} in gzip")
    for name, count, most in (("files", len(output), FILES), ("bytes", sum(map(len, output.values())), SITE)):
        if count > most:
            yield _heavy("site", f"the site takes {count:,} {name} of {most:,}")


def _heavy(place: str, message: str) -> Problem:
    return Problem(place, 0, 0, message, "make it smaller", "budget")


def with_source_paths(
    problems: Iterable[Problem], style: str, files: Collection[str], static: Iterable[Path]
) -> Iterator[Problem]:
    """Problems of files that are published as they are, and of the style sheet, under the names their author gave.

    `style` is where the style sheet lies in the site, and `files` are those of `content/`.
    """
    folders = list(static)
    for one in problems:
        if one.path in files:
            yield replace(one, path=f"content/{one.path}")
        elif one.path == style:
            yield _in_sheet(one, folders)
        elif any((folder / one.path).is_file() for folder in folders):
            yield replace(one, path=f"static/{one.path}")
        else:
            yield one


def _in_sheet(problem: Problem, folders: Iterable[Path]) -> Problem:
    """The style sheet is made of several: the line of the one that asks for the file."""
    asked = problem.missing.address
    for folder in folders:
        for path in sorted((folder / "css").glob("*.css")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if asked in line or f"../fonts/{asked.rpartition('/')[2]}" in line:
                    return replace(problem, path=f"static/css/{path.name}", line=number)
    return problem
