"""Plain data that flows between the stages. Nothing here knows a file, a template or numpy."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import PurePosixPath
from typing import Literal

Output = dict[PurePosixPath, bytes]

# Nothing from elsewhere, no inline script, no inline style: what a strict server sends, and every page says itself.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
# The search page's: its index is read by a WebAssembly module of the site's own.
SEARCH_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")


# Rules of `check` that a site may do without: its pages are shown all the same.
Style = Literal[
    "alt", "front-matter", "heading", "html", "language", "orphan", "reference", "summary", "title", "undrawn", "unused"
]


@dataclass(frozen=True)
class Config:
    """The site's settings: `content/site.yml`."""

    title: str = "Loom"
    tagline: str = ""
    home: str = "index"  # the page that is served at "/"
    language: str = "en"
    url: str = ""  # where the site is deployed, for all that needs a full address; empty: none of it is written
    repository: str = ""
    budgets: bool = False  # hold the byte budgets: Loom's own site does, a guest's need not
    claims: bool = False  # hold every sentence with a figure to a source: as above
    units: tuple[str, ...] = ()  # what else makes a number a figure on this site, such as 'tokens'
    search: bool = False  # a page that searches the site, if the extra `search` is there
    embeds: bool = False  # a page for each scene alone, which other sites may show in a frame
    math: dict[Literal["macros"], dict[str, str]] = field(default_factory=dict)  # commands that formulas may use
    rules: dict[Style, bool] = field(default_factory=dict)  # of style that `check` holds: each holds unless it is false
    ignore_links: tuple[str, ...] = ()  # beginnings of addresses of other sites that `check --external` does not ask


@dataclass(frozen=True)
class Meta:
    """A page's front matter."""

    title: str = ""  # empty: the first heading of level 1
    summary: str = ""
    nav: str = ""  # a shorter title for the navigation
    order: int = 1000
    date: date | None = None  # with one, the page is in the feed
    draft: bool = False
    listed: bool = True  # shown in the navigation and in previous/next


@dataclass(frozen=True)
class Source:
    """A Markdown file, read: `offset` is the number of lines that the front matter takes."""

    id: str
    path: str
    meta: Meta
    body: str
    offset: int = 0
    remarks: tuple[tuple[int, str, str], ...] = ()  # what of its front matter is not read: line, message, hint

    def title(self, heading: str = "") -> str:
        """The page's title: from its front matter, its first heading, or its file's name."""
        return self.meta.title or heading or self.id.rsplit("/", 1)[-1].replace("-", " ").capitalize()


@dataclass(frozen=True)
class Reference:
    """An entry of `content/references.yml`, or of another file of references."""

    id: str
    title: str
    authors: str
    year: int
    kind: str
    url: str
    area: str
    takes: str
    seen: date | None = None
    path: str = "content/references.yml"
    line: int = 0
    letter: str = ""  # tells apart what the same people wrote in the same year

    @property
    def short(self) -> str:
        """Author and year, as an in-text citation gives them."""
        names = [name.strip() for name in self.authors.replace(" and ", ", ").split(",") if name.strip()]
        first = names[0].removesuffix("et al.").strip()
        several = len(names) > 2 or names[0].endswith("et al.")
        who = f"{first} et al." if several else " & ".join(names)
        return f"{who}, {self.year}{self.letter}"


@dataclass(frozen=True)
class Term:
    """An entry of `content/glossary.yml`."""

    term: str
    definition: str
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    scene: str = ""
    line: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that `{term}` may call it."""
        return (self.term, *self.aliases)

    @property
    def anchor(self) -> str:
        """The anchor of its definition."""
        return "term-" + "-".join("".join(c if c.isalnum() else " " for c in self.term.lower()).split())
