"""Plain data that flows between the stages. Nothing here knows a file, a template or numpy."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import PurePosixPath
from typing import Literal

Output = dict[PurePosixPath, bytes]

# Rules of `check` that a site may do without: its pages are shown all the same.
Style = Literal[
    "alt", "contrast", "foreign", "front-matter", "heading", "html", "language", "narration", "order", "orphan",
    "overlap", "reference", "start", "summary", "table", "title", "undrawn", "unused",
]  # fmt: skip


@dataclass(frozen=True)
class Config:
    """The site's settings: `content/site.yml`.

    Parameters
    ----------
    title : str
        The title of the site.
    tagline : str
        One line that says what the site is about.
    home : str
        The page that is served at "/".
    language : str
        The language of the pages, such as `de`; what they say by themselves is said in it.
    url : str
        Where the site is deployed, for all that needs a full address: sitemap, feed, cards. Without it there is none.
    repository : str
        Where the site's source is: pages link to it.
    budgets : bool
        Whether `check` holds the weights that pages, scripts and fonts may have on Loom's own site.
    claims : bool
        Whether `check` holds every sentence with a figure to a source.
    units : tuple of str
        What else makes a number a figure on this site, such as `tokens`.
    search : bool
        Whether there is a page that searches the site. It needs the extra `search`.
    embeds : bool
        Whether each scene has a page of its own, which other sites may show in a frame.
    math : mapping of str
        `macros`: commands that formulas may use, each with what it stands for.
    rules : mapping of str to bool
        Rules of style that `check` does not hold, each with `false`.
    ignore_links : tuple of str
        Beginnings of addresses of other sites that `check --external` does not ask.
    """

    title: str = "Loom"
    tagline: str = ""
    home: str = "index"
    language: str = "en"
    url: str = ""
    repository: str = ""
    budgets: bool = False
    claims: bool = False
    units: tuple[str, ...] = ()
    search: bool = False
    embeds: bool = False
    math: dict[Literal["macros"], dict[str, str]] = field(default_factory=dict)
    rules: dict[Style, bool] = field(default_factory=dict)
    ignore_links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meta:
    """A page's front matter.

    Parameters
    ----------
    title : str
        The page's title; without one, its first heading of level 1.
    summary : str
        One or two sentences. They stand under the title, and in search results.
    nav : str
        A shorter title for the navigation.
    order : int
        The page's place in the navigation: the least comes first.
    date : date
        With one, the page is in the feed.
    draft : bool
        Shown by `serve`, and left out of the built site.
    listed : bool
        Whether the page is in the navigation, and in previous and next.
    """

    title: str = ""
    summary: str = ""
    nav: str = ""
    order: int = 1000
    date: date | None = None
    draft: bool = False
    listed: bool = True


FRONT_KEYS = tuple(Meta.__dataclass_fields__)


@dataclass(frozen=True)
class Reference:
    """An entry of `content/references.yml`, or of another file of references.

    Parameters
    ----------
    id : str
        What `{cite}` and scenes call it.
    title : str
        Its title, as it stands on it.
    authors : str
        Family names with commas between; `et al.` for those left out.
    year : int
        The year in which it came out.
    kind : str
        What it is, such as `paper`, `book` or `documentation`.
    url : str
        Where it can be read.
    area : str
        The heading of the list of references under which it stands.
    takes : str
        What this site takes from it, in a sentence.
    seen : date
        When it was looked at, for what may change.
    """

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
    letter: str = ""  # distinguishes what the same people wrote in the same year

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
    """An entry of `content/glossary.yml`.

    Parameters
    ----------
    term : str
        The word, as `{term}` calls it.
    definition : str
        What it means. It stands in a card over the word, and in the glossary.
    aliases : tuple of str
        Other forms of the word that `{term}` may write, such as the plural.
    sources : tuple of str
        Ids of references that define it.
    scene : str
        The id of a scene that shows it.
    """

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
