"""The search of a site: a search page, and an index that is made from the finished pages by Pagefind."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from markupsafe import Markup

from loom.addresses import INDEX, SEARCH, page_file
from loom.errors import LoomError, Problem
from loom.model import Output
from loom.progress import OnProgress, ProgressEvent, Stage
from loom.render.context import RenderContext
from loom.render.templates import common, fill
from loom.render.words import Words
from loom.site.index import SiteIndex
from loom.site.page_info import PageInfo
from loom.site.view import SiteView

NEEDS = ("pagefind", "pagefind_bin")  # the extra `search`
# Parts of pages that are not indexed: scenes and generated lists have entries of their own; of a question, what is the
# same in all of them.
LEFT_OUT = (".scene", ".anchor", ".toc", ".terms", ".sources", ".glossary", ".kicker", ".verdict", ".guess button")
OTHERS = ("-ui.", "-highlight.")  # files of Pagefind's own user interfaces, which are not used
Entry = tuple[str, float, str, float, str]  # anchor, weight of the title, title, weight of the text, text
LACKING = "no search, which content/site.yml asks for; it needs an extra: pip install '.[search]' in Loom's folder"


def can_search(on_progress: OnProgress) -> bool:
    """Whether the packages are installed. If not, the site is built without search, and its author gets a note."""
    able = all(importlib.util.find_spec(name) for name in NEEDS)
    if not able:
        on_progress(ProgressEvent(Stage.NOTE, LACKING))
    return able


def search_page(context: RenderContext) -> Output:
    """The search page."""
    site = SiteView(context.index)
    values = {**common(site.config, context.assets, SEARCH), "navigation": site.navigation, "lists": site.lists,
              "policy": context.policy, "index": INDEX, "indexed": False}  # fmt: skip
    return {page_file(SEARCH): fill(context.jinja, "search.html", values)}


def index_entries(index: SiteIndex, words: Words) -> dict[PurePosixPath, bytes]:
    """By page, the HTML that is indexed besides its own text: its scenes and lists, each entry with its anchor."""
    shape = Markup('<h2 id="{}" data-pagefind-weight="{}">{}</h2><p data-pagefind-weight="{}">{}</p>')
    return {
        info.file(index.config): "".join(shape.format(*entry) for entry in _entries(index, info, words)).encode()
        for info in index.infos.values()
    }


def search_index(index: SiteIndex, pages: Output, words: Words) -> Output:
    """The index of the finished pages."""
    ends = index_entries(index, words)
    return made({path: with_end(pages[path], end) for path, end in ends.items() if path in pages})


def with_end(page: bytes, end: bytes) -> bytes:
    """A page with its additional entries, for the indexer."""
    before, main, after = page.rpartition(b"</main>")
    return before + end + main + after


def _entries(index: SiteIndex, info: PageInfo, words: Words) -> Iterator[Entry]:
    places: dict[str, str] = {}
    for name, embed in info.embeds.items():
        places.setdefault(embed.scene, name)
    for scene, name in places.items():
        if scene in index.data:
            told = index.data[scene].info
            yield name, 6, told.title, 1, f"{told.summary} {told.leaves_out}"
    if "glossary" in info.lists:
        for term in index.terms:
            others = " " + words("Also: {names}.", names=", ".join(term.aliases)) if term.aliases else ""
            yield term.anchor, 6, term.term, 1, term.definition + others
    if "references" in info.lists:
        for one in index.references.values():
            yield f"ref-{one.id}", 1, f"{one.short}: {one.title}", 0.3, f"{one.authors}. {one.takes}"


def made(pages: Output) -> Output:
    """The index files of some pages, which a browser fetches for a search."""
    try:
        with tempfile.TemporaryDirectory() as name:
            return _made_in(Path(name), pages)
    except OSError as error:
        raise _failed(f"{error.strerror}: '{error.filename}'") from error


def _made_in(folder: Path, pages: Output) -> Output:
    import subprocess  # slow to import, as is what finds the program

    from pagefind.service import get_executable

    for path, raw in pages.items():
        target = folder / "pages" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw)
    command = [str(get_executable()), "--silent", "--site", "pages", "--output-path", INDEX,
               "--root-selector", "main", "--exclude-selectors", ", ".join(LEFT_OUT)]  # fmt: skip
    # The program would read settings from the environment and from its working folder: it gets none.
    bare = {name: text for name, text in os.environ.items() if not name.startswith("PAGEFIND_")}
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, check=False)
    if done.returncode:
        raise _failed(" ".join((done.stdout + done.stderr).decode(errors="replace").split()))
    files = sorted(path for path in (folder / INDEX).rglob("*") if path.is_file())
    kept = [path for path in files if not any(part in path.name for part in OTHERS)]
    return {PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes() for path in kept}


def _failed(said: str) -> LoomError:
    return LoomError(Problem("search", 0, 0, f"the index can't be made: {said}", "do without 'search: true'"))
