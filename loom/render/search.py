"""Search over the whole site: a page to ask on, and an index made from the finished pages."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from markupsafe import Markup

from loom.addresses import INDEX, SEARCH
from loom.errors import LoomError, Problem
from loom.model import Output
from loom.render.context import Layout
from loom.render.templates import common, fill
from loom.site.index import Web
from loom.site.page_info import Face

NEEDS = ("pagefind", "pagefind_bin")  # the extra `search`
# What a page says elsewhere too, or can't be read without its picture: scenes and lists are told in words of their own.
LEFT_OUT = (".scene", ".anchor", ".toc", ".terms", ".sources", ".glossary")
OTHERS = ("-ui.", "-highlight.")  # its own faces; ours is the search page
Entry = tuple[str, float, str, float, str]  # the id of a place, its title and what is said there, and what they weigh
LACKING = "no search, which content/site.yml asks for: it needs the extra 'search', pip install -e '.[search]'"
Say = Callable[[str], None]
Put = Callable[[Output], None]


def can_search(say: Say) -> bool:
    """Whether the packages are there. A site is whole without its search, but its author is told."""
    able = all(importlib.util.find_spec(name) for name in NEEDS)
    if not able:
        say(f"note {LACKING}")
    return able


def noting(put: Put, pages: Output) -> Put:
    """Put files where they belong, and keep the pages among them."""

    def both(more: Output) -> None:
        pages.update((path, raw) for path, raw in more.items() if path.suffix == ".html")
        put(more)

    return both


def search_page(layout: Layout) -> Output:
    """The search page and what it is made of, but for the index."""
    values = {**common(layout.web.site, layout.assets, SEARCH), "navigation": layout.navigation, "lists": layout.lists,
              "policy": layout.policy, "index": INDEX, "indexed": False}  # fmt: skip
    return {PurePosixPath(SEARCH) / "index.html": fill(layout.jinja, "search.html", values)} | layout.assets.finder


def search_files(layout: Layout, pages: Output | None) -> Output:
    """The search page, and the index of the pages if they are given."""
    return search_page(layout) | ({} if pages is None else Index(layout.web).of(pages))


class Index:
    """The index of a site's pages. A site that is edited asks for it as long as its pages and their faces are these."""

    def __init__(self, web: Web) -> None:
        self.ends = {face.file(web.site.config): told(web, face) for face in web.faces.values()}
        self.lock = threading.Lock()
        self.pages: Output = {}
        self.files: Output = {}

    def of(self, output: Output) -> Output:
        """The index's files, made anew if the pages in `output` are not those of the last time.

        What fails is told once: it would fail again.
        """
        with self.lock:
            pages = {path: output[path] for path in self.ends if path in output}
            if pages != self.pages:
                self.pages, self.files = pages, {}
                self.files = made({path: with_end(raw, self.ends[path]) for path, raw in pages.items()})
            return self.files


def told(web: Web, face: Face) -> bytes:
    """What is indexed besides a page's own text: its scenes and lists, each entry under its own anchor."""
    shape = Markup('<h2 id="{}" data-pagefind-weight="{}">{}</h2><p data-pagefind-weight="{}">{}</p>')
    return Markup("").join(shape.format(*entry) for entry in _entries(web, face)).encode()


def with_end(page: bytes, end: bytes) -> bytes:
    """A page as it is indexed."""
    before, main, after = page.rpartition(b"</main>")
    return before + end + main + after


def _entries(web: Web, face: Face) -> Iterator[Entry]:
    for name in face.embeds:
        if name in web.data:
            scene = web.data[name].info
            yield name, 6, scene.title, 1, f"{scene.summary} {scene.leaves_out}"
    if "glossary" in face.lists:
        for term in web.site.terms:
            others = f" Also: {', '.join(term.aliases)}." if term.aliases else ""
            yield term.anchor, 6, term.term, 1, term.definition + others
    if "references" in face.lists:
        for one in web.site.references.values():
            yield f"ref-{one.id}", 1, f"{one.short}: {one.title}", 0.3, f"{one.authors}. {one.takes}"


def made(pages: Output) -> Output:
    """The index of some pages: what a browser fetches when somebody searches."""
    try:
        with tempfile.TemporaryDirectory() as name:
            return _made_in(Path(name), pages)
    except OSError as error:
        raise _failed(f"{error.strerror}: '{error.filename}'") from error


def _made_in(folder: Path, pages: Output) -> Output:
    from pagefind.service import get_executable

    for path, raw in pages.items():
        target = folder / "pages" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw)
    command = [str(get_executable()), "--silent", "--site", "pages", "--output-path", INDEX,
               "--root-selector", "main", "--exclude-selectors", ", ".join(LEFT_OUT)]  # fmt: skip
    # The program reads settings from the environment and from the folder in which it runs: it finds neither.
    bare = {name: text for name, text in os.environ.items() if not name.startswith("PAGEFIND_")}
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, check=False)
    if done.returncode:
        raise _failed(" ".join((done.stdout + done.stderr).decode(errors="replace").split()))
    files = sorted(path for path in (folder / INDEX).rglob("*") if path.is_file())
    kept = [path for path in files if not any(part in path.name for part in OTHERS)]
    return {PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes() for path in kept}


def _failed(said: str) -> LoomError:
    return LoomError(Problem("search", 0, 0, f"the index can't be made: {said}", "do without 'search: true'"))
