"""A small site as plain values, and every kind of edit that an author may make to it.

A site is a mapping: what there is, by its name, and the few things about it that can be otherwise, each a word or two:
`{"part": {"section": "End"}, "scenes/bars": {"say": "Step"}}`. So an edit is a value as well: it shrinks, its repr can
be pasted into a test, and every list of edits can be made, since one that finds nothing to change does nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass

Thing = dict[str, str]
Site = dict[str, Thing]
Values = Mapping[str, tuple[str, ...]]

PAGES = ("index", "part", "piece", "plain", "second", "quote", "lists", "deep/index", "deep/down", "new/index")
LINKS = ("part", "part#end", "part#fin", "index", "deep/index", "new/index", "index#bars?step=2",
         "second#bars?count=3&step=3", "index#low")  # fmt: skip
# What can be said of a page, of a scene and so on; the first is what is said of it at first. Many are equally long.
PAGE: Values = {
    "text": ("Text.", "Next.", "More of *it* at length.", "$x^2$ and `code`."), "heading": ("Page", "Rage", "Longer"),
    "section": ("End", "Fin", "Low", ""), "another": ("", "Middle"), "title": ("", "Portion", "Pottion"),
    "nav": ("", "Short"), "order": ("", "1", "9"), "summary": ("", "Says it.", "Says so."),
    "date": ("", "2026-11-20", "2025-11-20"), "listed": ("", "false"), "draft": ("", "true"), "link": ("", *LINKS),
    "term": ("", "warp", "bundles <warp>", "cache line"), "cite": ("", "toy2020", "pair2021", "toy2020 §1"),
    "value": ("", "bars.size", "bars.size count=3", "dots.size", "extra.size", "bars.total | 4"),
    "scene": ("", "bars", "bars\n:count: 3", "dots", "dots\n:step: 2", "extra"), "list": ("", "references", "glossary"),
    "more": ("", "glossary"), "image": ("", "dot.svg"), "prose": ("", "A note."), "front": ("",),
}  # fmt: skip
SCENE: Values = {
    "title": ("Title", "Tilts"), "role": ("data", "kept"), "say": ("Step", "Turn", "Now at step"),
    "factor": ("2", "3", "1.5"), "data": ("4", "5", "44"), "counts": ("2, 3", "3, 2", "2, 3, 4"),
    "sources": ("toy2020", "pair2021"), "reads": ("", "a scene", "a module", "a test's data", "hidden data"),
    "more": ("1", "2"), "python": ("",), "draw": ("",),
}  # fmt: skip
SHARED: Values = {"size": ("3", "4", "2.5"), "python": ("",)}
SETTINGS: Values = {
    "title": ("Site", "Tile", "A longer title"), "tagline": ("", "It tells."), "units": ("", "[tokens]"),
    "search": ("", "true"), "url": ("", "https://example.org/", "https://example.com/deep/"), "language": ("", "de"),
    "embeds": ("", "true"), "yaml": ("",),
}  # fmt: skip
TERMS: Values = {
    "definition": ("Thirty-two threads.", "Thirty-two threats.", "Threads."), "aliases": ("[warps]", "[bundle]"),
    "second": ("Cache line", "Cash line"), "sources": ("[]", "[toy2020]"), "scene": ("", "bars", "dots"),
    "entry": ("",),
}  # fmt: skip
WORKS: Values = {
    "title": ("Toys", "Boys", "Toys & games"), "year": ("2020", "2021"), "authors": ("Ames, Bell, Cole", "Dorn"),
    "second": ("pair2021", "pair2022"), "entry": ("",),
}  # fmt: skip
FILE: Values = {"text": ("A", "B", "Longer"), "jinja": ("",), "css": ("",)}
# What no site can say, but for a moment.
SLIPS: Values = {
    "link": ("nowhere", "part#nowhere"), "term": ("nope",), "cite": ("nope",), "value": ("bars.nope", "nope.size"),
    "scene": ("nope",), "image": ("nope.svg",), "prose": ("{nope}`x`", ":::{nope}\n:::", "<b>"),
    "front": ("order: x", "title: [", "nope: 1"), "yaml": ("title: [", "nope: 1"), "entry": ("- id: [", "- nope: 1"),
    "python": ("def (", "raise ValueError('at import')", "raise SystemExit"),
    "draw": ("    1 / 0\n", "    raise SystemExit\n"), "jinja": ("{% if %}", "{{ nope }}", "{% include 'nope.html' %}"),
    "css": ('@import url("nope.css");\n',),
}  # fmt: skip
OTHERS: Mapping[str, Values] = {
    "site.yml": SETTINGS, "glossary.yml": TERMS, "references.yml": WORKS, "scenes/_shared": SHARED,
    **dict.fromkeys(("scenes/bars", "scenes/dots", "scenes/extra"), SCENE), **dict.fromkeys(PAGES, PAGE),
}  # fmt: skip
PARTS = ("base.html", "page.html", "embed.html", "mark.html", "404.html", "card.svg")
TEMPLATES = tuple(f"templates/{name}" for name in PARTS)
STYLES = ("static/css/print.css", "static/css/main.css")
FILES = ("static/note.txt", "static/robots.txt", "static/deep/note.txt", "dot.svg", "deep/dot.svg", "robots.txt")
SITE: Site = {
    "index": {"scene": "bars", "link": "part#end", "term": "warp", "cite": "toy2020"},
    "part": {"date": "2026-11-20", "image": "dot.svg"},
    "plain": {"term": "bundles <warp>", "cite": "pair2021", "link": "deep/index"},
    "second": {"scene": "bars\n:count: 3", "value": "dots.size", "order": "9"},
    "quote": {"value": "bars.size", "link": "index#bars?step=2"},
    "lists": {"list": "references", "more": "glossary"},
    "deep/index": {"scene": "dots", "link": "plain"},
    "deep/down": {"link": "part#end", "summary": "Says it."},
    "scenes/bars": {}, "scenes/dots": {}, "scenes/_shared": {},
    **{name: {} for name in ("site.yml", "glossary.yml", "references.yml", "dot.svg", "static/note.txt",
                             "templates/base.html", "static/css/print.css")},
}  # fmt: skip
SHOWING = ("index", "second", "quote", "lists", "deep/index", "scenes/bars", "scenes/dots")  # no plain page is
PLAIN: Site = {name: thing for name, thing in SITE.items() if name not in SHOWING}
PLAIN |= {"index": {"link": "part#end", "term": "warp"}, "plain": {"link": "part", "cite": "toy2020"}}


def values(name: str) -> Values:
    """What can be said of a thing."""
    return OTHERS.get(name, FILE)


def whole(name: str, thing: Mapping[str, str]) -> Thing:
    """A thing with all that is said of it."""
    return {**{what: some[0] for what, some in values(name).items()}, **thing}


@dataclass(frozen=True)
class Change:
    """Something about a page, a scene or a file is otherwise; a plain file comes with it."""

    thing: str
    what: str
    value: str

    def make(self, site: Site) -> None:
        if self.thing not in OTHERS:
            Add(self.thing).make(site)
        if self.thing in site:
            site[self.thing][self.what] = self.value


@dataclass(frozen=True)
class Add:
    """A page, a scene or a file comes."""

    thing: str

    def make(self, site: Site) -> None:
        site.setdefault(self.thing, whole(self.thing, SITE.get(self.thing, {})))


@dataclass(frozen=True)
class Remove:
    """A page, a scene or a file goes, or (`deep/`) a folder of pages."""

    thing: str

    def make(self, site: Site) -> None:
        for name in [
            one for one in site if one == self.thing or (self.thing[-1] == "/" and one.startswith(self.thing))
        ]:
            del site[name]


@dataclass(frozen=True)
class Rename:
    """A page has another name; `mended`: the links to it know."""

    thing: str
    to: str
    mended: bool

    def make(self, site: Site) -> None:
        if self.thing not in site or self.to in site:
            return
        site[self.to] = site.pop(self.thing)
        for other in site.values() if self.mended else ():
            page, mark, anchor = other.get("link", "").partition("#")
            if page == self.thing:
                other["link"] = self.to + mark + anchor


@dataclass(frozen=True)
class Mend:
    """Every slip is taken back, and nothing else."""

    def make(self, site: Site) -> None:
        for name, thing in site.items():
            thing |= {what: values(name)[what][0] for what, said in thing.items() if said in SLIPS.get(what, ())}


Edit = Change | Add | Remove | Rename | Mend


@dataclass(frozen=True)
class Step:
    """A burst of edits, and how they reach the disk.

    They are `later` than the last ones, as `soon` after them as within the same second, or files have `kept` their
    times. `replaced`: as by git and some editors, new files take the place of old ones, and what a folder held
    besides stays in it.
    """

    edits: tuple[Edit, ...]
    times: str = "later"
    replaced: bool = False


def started(site: Site, settings: Mapping[str, str]) -> Site:
    """A site to begin with."""
    said = {name: whole(name, thing) for name, thing in site.items()}
    return said | {"site.yml": said["site.yml"] | settings}


def after(site: Site, edits: tuple[Edit, ...]) -> Site:
    """The site with some edits made."""
    site = copy.deepcopy(site)
    for edit in edits:
        edit.make(site)
    return site
