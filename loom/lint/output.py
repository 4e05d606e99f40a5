"""Check the finished site: the rules of pages, of links, of pictures, and the budgets of sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath

from loom.addresses import is_on_demand
from loom.errors import Problem
from loom.lint.html_reader import read_document
from loom.lint.link_rules import LinkedPage, Pages, link_problems, style_problems, unreached
from loom.lint.page_rules import page_problems
from loom.lint.picture_rules import picture_problems
from loom.model import Config, Output
from loom.render.assets import Once, each_time

KB = 1000
PLAYER, STYLE, FIRST_VIEW, FONTS = 8 * KB, 12 * KB, 60 * KB, 60 * KB
FOREIGN = 1.1  # the factor for a player that speaks another language than English: its words are not the author's
GZIP = 1.6  # the factor for budgets in gzip, which many hosts use instead of brotli
FIRST_VIEW_GZIP = 90 * KB
FILES, SITE = 600, 50_000 * KB
QUICKLY, WELL = 5, 11  # qualities of brotli
HOME = PurePosixPath("index.html")
LOST = frozenset(["404.html", "404/index.html"])  # pages to which nothing links


def lint_site(
    output: Output,
    config: Config,
    sources: Mapping[PurePosixPath, str],
    base: str = "/",
    scene_pages: Collection[PurePosixPath] = (),
    once: Once = each_time,
) -> list[Problem]:
    """Every rule on every page. `sources` are the source files of all pages, also of those that could not be rendered.

    `base` is the site's path on its host, and `scene_pages` are the pages of single scenes. `once` keeps what is slow.
    """
    problems: list[Problem] = []
    pages: dict[PurePosixPath, LinkedPage] = {}
    for path, raw in output.items():
        if path.suffix == ".html":  # only the links of a document are kept, to save memory
            document = read_document(raw, str(path))
            problems += page_problems(document)
            pages[path] = LinkedPage(document)
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
        problems += budget_problems(output, config.language, once)
    return problems


def orphans(pages: Pages, sources: Mapping[PurePosixPath, str]) -> Iterator[Problem]:
    """Pages that can't be reached from the home page."""
    for path in sorted(unreached(HOME, pages) & sources.keys()):
        if str(path) not in LOST:
            message = "no page and no navigation leads to this page"
            hint = "link to it from another page, or delete its line 'listed: false': then the navigation does"
            yield Problem(sources[path], 1, 0, message, hint, "orphan")


def budget_problems(output: Output, language: str = "en", once: Once = each_time) -> Iterator[Problem]:
    """Files that are too large, compressed with brotli or gzip as hosts send them."""
    import zlib

    import brotli

    @cache
    def size(path: PurePosixPath, quality: int) -> int:
        raw = output[path]
        if path.suffix == ".woff2":
            return len(raw)
        return int(once(f"brotli {quality}", lambda: len(brotli.compress(raw, quality=quality)), raw))

    player, style, fonts, views = (
        [path for path in output if path.suffix == suffix and not is_on_demand(path)]
        for suffix in (".js", ".css", ".woff2", ".html")
    )
    packed = cache(lambda path: len(zlib.compress(output[path])))
    player_most = PLAYER if language.split("-")[0] == "en" else round(FOREIGN * PLAYER)
    totals = [("site", "the player", player, player_most), ("site", "the style sheet", style, STYLE)]
    totals += [("site", "the fonts", fonts, FONTS)]
    totals += [(str(view), "its first view", [view, *player, *style], FIRST_VIEW) for view in views]
    for place, name, paths, most in totals:
        for quality in QUICKLY, WELL:  # the best quality is slow, and only needed if the fast one is too large
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
    """Problems of copied files and of the style sheet, with the paths of their source files.

    `style` is the path of the bundled style sheet, and `files` are those of `content/`.
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
    """A problem of the bundled style sheet, at the line of the source that refers to the missing file."""
    asked = problem.missing.address
    for folder in folders:
        for path in sorted((folder / "css").glob("*.css")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if asked in line or f"../fonts/{asked.rpartition('/')[2]}" in line:
                    return replace(problem, path=f"static/css/{path.name}", line=number)
    return problem
