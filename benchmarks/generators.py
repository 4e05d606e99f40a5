"""The generators, each with the smallest fair configuration: the same pages, highlighted code, the same short layout.

Each builds `content/` of its own temporary folder into `site/` there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pages import page_name, write_pages

OWN = Path(__file__).resolve().parent.parent
LAYOUT = (
    "<!doctype html><html><head><meta charset=utf-8><title>{title}</title></head>"
    "<body><nav><a href=/>Home</a></nav><main>{body}</main></body></html>\n"
)
HUGO = 'baseURL = "/"\ntitle = "Bench"\ndisableKinds = ["RSS", "sitemap", "taxonomy", "term", "section", "404"]\n'
HUGO += "[markup.highlight]\nnoClasses = false\n"
MKDOCS = "site_name: Bench\ndocs_dir: content\nplugins: []\nmarkdown_extensions: [codehilite, fenced_code, tables]\n"
PELICAN = """\
PATH, OUTPUT_PATH, THEME, SITENAME, SITEURL = "content", "site", "theme", "Bench", ""
TIMEZONE, DEFAULT_LANG = "UTC", "en"
ARTICLE_PATHS, PAGE_PATHS = [], [""]
PAGE_URL, PAGE_SAVE_AS = "{path_no_ext}/", "{path_no_ext}/index.html"
PATH_METADATA = r"(?P<path_no_ext>.*)\\..*"
DIRECT_TEMPLATES, FEED_ALL_ATOM, CATEGORY_FEED_ATOM, AUTHOR_FEED_ATOM = [], None, None, None
AUTHOR_SAVE_AS, CATEGORY_SAVE_AS, TAG_SAVE_AS = "", "", ""
"""
SPHINX = """\
project, extensions, html_theme = "Bench", ["myst_parser"], "basic"
html_copy_source = html_use_index = False
"""


@dataclass(frozen=True)
class Generator:
    """How one generator is set up and run. `again` is its incremental mode, if it has one."""

    name: str
    note: str
    command: tuple[str, ...]
    version: tuple[str, ...]
    set_up: Callable[[Path, int], None]
    again: tuple[str, ...] = ()
    page: str = "site/{}/index.html"  # where a page's HTML lies
    template: str = ""  # what an edit of a template edits
    configuration: Mapping[str, str] = field(default_factory=dict)

    def found(self) -> str:
        """The version that is installed; empty if none is."""
        try:
            told = subprocess.run(self.version, capture_output=True, text=True, check=False)
        except OSError:
            return ""
        version = re.match(r".*?\d+(\.\d+)+", told.stdout)
        return version.group() if version and told.returncode == 0 else ""

    def prepare(self, folder: Path, count: int) -> None:
        """Write pages and configuration."""
        self.set_up(folder, count)
        for name, text in self.configuration.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def html(self, folder: Path, index: int) -> Path:
        """The finished page."""
        name = page_name(index)
        return folder / ("site/index.html" if name == "index" else self.page.format(name))


def loom(jobs: int) -> Generator:
    """Loom, from this repository, with a copy of its templates that can be edited."""
    command = (sys.executable, str(OWN / "build.py"), "--root", ".", "--out", "site", "--jobs", str(jobs))
    version = (sys.executable, "-c", "import platform; print('Python', platform.python_version())")
    note = "everything it does of itself: links and HTML checked, tables of contents, each page as Markdown"
    return Generator(f"Loom, jobs {jobs}", note, command, version, loom_pages, command, template="templates/base.html")


def loom_pages(folder: Path, count: int) -> None:
    """A site's folder for Loom."""
    write_pages(folder / "content", count)
    shutil.copytree(OWN / "templates", folder / "templates")
    (folder / "scenes").mkdir()  # or Loom's own would be used


def peers(python: str) -> dict[str, Generator]:
    """What Loom is compared with; `python` has the packages of those that are written in Python."""
    layout = LAYOUT.format(title="{{ page.title }}", body="{{ page.content }}")
    mkdocs = (python, "-m", "mkdocs", "build", "--quiet", "--site-dir", "site")
    sphinx = (python, "-m", "sphinx", "-q", "-b", "html", "-j", "auto", "-c", ".", "-d", "doctrees", "content", "site")
    return {
        "hugo": Generator(
            "Hugo", "short layout; links are not looked at; all cores",
            ("hugo", "--quiet", "--destination", "site"),
            ("hugo", "version"), hugo_pages,
            configuration={"config.toml": HUGO} | dict.fromkeys(
                ("layouts/index.html", "layouts/_default/single.html"),
                LAYOUT.format(title="{{ .Title }}", body="{{ .Content }}")),
        ),
        "mkdocs": Generator(
            "MkDocs", "short layout instead of a theme, no search; links checked; again: `--dirty`", mkdocs,
            (python, "-m", "mkdocs", "--version"), plain_pages, (*mkdocs, "--dirty"),
            configuration={"mkdocs.yml": f"{MKDOCS}theme: {{name: null, custom_dir: theme}}\n",
                           "theme/main.html": layout},
        ),
        "mkdocs-theme": Generator(
            "MkDocs, its theme", "its theme `mkdocs`, which lists all pages on every page; no search", mkdocs,
            (python, "-m", "mkdocs", "--version"), plain_pages, (*mkdocs, "--dirty"),
            configuration={"mkdocs.yml": f"{MKDOCS}theme: mkdocs\n"},
        ),
        "pelican": Generator(
            "Pelican", "short layout, no feeds; links are not looked at", (python, "-m", "pelican", "--quiet"),
            (python, "-c", "import pelican; print('pelican', pelican.__version__)"), pelican_pages,
            configuration={"pelicanconf.py": PELICAN, "theme/templates/page.html": layout},
        ),
        "sphinx": Generator(
            "Sphinx", "MyST, theme `basic`, `-j auto`; links checked; it always makes a search index",
            sphinx, (python, "-m", "sphinx", "--version"), sphinx_pages, sphinx, "site/{}.html",
            configuration={"conf.py": SPHINX},
        ),
    }  # fmt: skip


def plain_pages(folder: Path, count: int) -> None:
    """Markdown without front matter."""
    write_pages(folder / "content", count)


def hugo_pages(folder: Path, count: int) -> None:
    """Hugo wants a title, and takes a folder with `index.md` for one page."""
    write_pages(folder / "content", count, "---\ntitle: {title}\n---\n\n")
    (folder / "content/index.md").rename(folder / "content/_index.md")


def pelican_pages(folder: Path, count: int) -> None:
    """Pelican's metadata are lines at the top."""
    write_pages(folder / "content", count, "Title: {title}\n\n")


def sphinx_pages(folder: Path, count: int) -> None:
    """No page stands in a tree, and none shall be warned of."""
    write_pages(folder / "content", count, "---\norphan: true\n---\n\n")
