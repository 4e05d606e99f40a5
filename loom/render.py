"""Fill the templates: woven pages and figures to HTML."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

import jinja2

from loom.address import page_file, relative
from loom.assets import Assets
from loom.errors import LoomError, Problem, not_utf8
from loom.figure import Figure
from loom.model import POLICY, Meta, Output, Reference, Site
from loom.web import Backlinks, Web, Woven

NAVIGATION = 12  # pages in the navigation: more of them are no help, and each page would carry them all


@dataclass(frozen=True)
class Entry:
    """A page as others point to it."""

    id: str
    title: str
    short: str
    url: str


@dataclass(frozen=True)
class Templates:
    """Where the templates lie, and perhaps a folder in which they may be kept compiled."""

    folders: tuple[Path, ...]
    compiled: Path | None = None


@cache
def environment(templates: Templates) -> jinja2.Environment:
    """Jinja, strict: an undefined name is a mistake, and everything is escaped."""
    compiled = None
    if templates.compiled and _made(templates.compiled):
        compiled = jinja2.FileSystemBytecodeCache(str(templates.compiled))
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([str(folder) for folder in templates.folders]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=compiled,
    )


def _made(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return True


@dataclass(frozen=True)
class Layout:
    """What the templates need that is the same for every page."""

    templates: Templates
    web: Web
    assets: Assets

    @property
    def jinja(self) -> jinja2.Environment:
        return environment(self.templates)

    def entry(self, page_id: str) -> Entry:
        """How others call a page."""
        face = self.web.faces[page_id]
        return Entry(page_id, face.title, face.short, self.web.url(page_id))

    @cached_property
    def journey(self) -> Sequence[str]:
        """The pages in their order, for previous and next."""
        return [one.id for one in self.web.faces.values() if one.meta.listed]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where in the journey each page is."""
        return {name: place for place, name in enumerate(self.journey)}

    @cached_property
    def navigation(self) -> Sequence[Entry]:
        """All pages; of many, those whose author gave them a place."""
        names = self.journey
        if len(names) > NAVIGATION:
            names = [name for name in names if self.web.faces[name].meta.order != Meta.order][:NAVIGATION]
        return [self.entry(name) for name in names]

    @cached_property
    def lists(self) -> Mapping[str, str]:
        """Where the generated lists are."""
        kinds = ("references", "glossary")
        return {kind: self.web.url(page) for kind in kinds if (page := self.web.listing(kind))}

    @cached_property
    def areas(self) -> list[tuple[str, list[Reference]]]:
        """The references by subject."""
        ordered = sorted(self.web.site.references.values(), key=lambda one: (one.area, one.year, one.title))
        return [(area, list(group)) for area, group in groupby(ordered, key=lambda one: one.area)]

    def beside(self, page_id: str, step: int) -> Entry | None:
        """The page before or after this one."""
        place = self.places.get(page_id, -2) + step
        return self.entry(self.journey[place]) if 0 <= place < len(self.journey) else None


def render_page(layout: Layout, woven: Woven, links: Backlinks | None, figures: Mapping[str, Figure]) -> Output:
    """One page's HTML. `links` may be missing for a plain page."""
    web, page = layout.web, woven.page
    here = layout.entry(page.id)
    html = fill(layout.jinja, "page.html", {
        **common(web.site, layout.assets, here.url),
        "page": page,
        "here": here,
        "figures": figures,
        "woven": woven,
        "navigation": layout.navigation,
        "previous": layout.beside(page.id, -1),
        "next": layout.beside(page.id, +1),
        "contents": [heading for heading in page.headings if heading.level in (2, 3)],
        "areas": layout.areas,
        "lists": layout.lists,
        "reference_of": web.site.references.__getitem__,
        "terms": web.site.terms,
        "links": links,
        "page_of": layout.entry,
        "founds": web.founds,
        "homes": web.homes,
        "indexed": True,
    })  # fmt: skip
    return {page_file(here.url): html}


def common(site: Site, assets: Assets, url: str) -> dict[str, Any]:
    """What every template needs; `to` is how this page calls another address."""
    return {"config": site.config, "policy": POLICY, "assets": assets, "to": lambda target: relative(url, target)}


def fill(jinja: jinja2.Environment, name: str, values: Mapping[str, Any]) -> bytes:
    """A filled template, or what is wrong with it and where."""
    try:
        return jinja.get_template(name).render(values).encode()
    except jinja2.TemplateNotFound as error:
        raise LoomError(Problem(f"templates/{error.name}", 0, 0, "this template is missing")) from None
    except jinja2.TemplateSyntaxError as error:
        raise LoomError(Problem(f"templates/{error.name}", error.lineno, 0, error.message or "syntax error")) from None
    except UnicodeDecodeError as error:
        raise not_utf8(f"templates/{name}", error) from None
    except Exception as error:  # a template may raise anything; a bug of ours shows no template last
        last = traceback.extract_tb(error.__traceback__)[-1]
        if not isinstance(error, jinja2.TemplateError) and not last.filename.endswith(".html"):
            raise
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".html")]
        path, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else (name, 0)
        raise LoomError(Problem(f"templates/{PurePosixPath(path).name}", line, 0, str(error))) from None
