"""Search over the whole site: a page to ask on, and an index made from the finished pages."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from markupsafe import Markup

from loom.address import INDEX, SEARCH
from loom.errors import LoomError, Problem
from loom.face import Face
from loom.layout import Layout
from loom.model import Output
from loom.templates import common, fill
from loom.web import Web

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


def search_files(layout: Layout, pages: Output) -> Output:
    """The search page, what it is made of, and the index of the other pages."""
    web = layout.web
    values = {**common(web.site, layout.assets, SEARCH), "navigation": layout.navigation, "policy": layout.policy,
              "index": INDEX, "indexed": False}  # fmt: skip
    page = {PurePosixPath(SEARCH) / "index.html": fill(layout.jinja, "search.html", values)}
    sought = {(file := face.file(web.site.config)): told(pages[file], web, face) for face in web.faces.values()
              if face.file(web.site.config) in pages}  # fmt: skip
    return page | layout.assets.finder | made(sought)


def told(page: bytes, web: Web, face: Face) -> bytes:
    """A page as it is indexed: at its end stand its scenes and lists, each entry under its own anchor."""
    shape = Markup('<h2 id="{}" data-pagefind-weight="{}">{}</h2><p data-pagefind-weight="{}">{}</p>')
    entries = Markup("").join(shape.format(*entry) for entry in _entries(web, face))
    before, main, after = page.rpartition(b"</main>")
    return before + entries.encode() + main + after


def _entries(web: Web, face: Face) -> Iterator[Entry]:
    for name in face.embeds:
        if name in web.founds:
            scene = web.founds[name].scene
            yield name, 6, scene.title, 1, f"{scene.summary} {scene.leaves_out}"
    if "glossary" in face.lists:
        for term in web.site.terms:
            yield term.anchor, 6, term.term, 1, " ".join([term.definition, *term.aliases])
    if "references" in face.lists:
        for one in web.site.references.values():
            yield f"ref-{one.id}", 1, f"{one.short}: {one.title}", 0.3, f"{one.authors}. {one.takes}"


def made(pages: Output) -> Output:
    """The index of some pages: what a browser fetches when somebody searches."""
    from pagefind.service import get_executable

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
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
            said = " ".join((done.stdout + done.stderr).decode(errors="replace").split())
            raise LoomError(Problem("search", 0, 0, f"the index can't be made: {said}", "build without 'search: true'"))
        files = sorted(path for path in (folder / INDEX).rglob("*") if path.is_file())
        kept = [path for path in files if not any(part in path.name for part in OTHERS)]
        return {PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes() for path in kept}
