"""Fill the templates: woven pages and figures to HTML."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

import jinja2

from loom.address import page_file, page_url, relative
from loom.assets import Assets
from loom.blocks import Page
from loom.errors import LoomError, Problem, not_utf8
from loom.figure import Figure
from loom.model import POLICY, Config, Output, Site
from loom.web import Web, Woven


@dataclass(frozen=True)
class Entry:
    """A page as others point to it."""

    id: str
    title: str
    short: str
    url: str
    listed: bool


def environment(folders: Sequence[Path]) -> jinja2.Environment:
    """Jinja, strict: an undefined name is a mistake, and everything is escaped."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([str(folder) for folder in folders]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def entry(page: Page, config: Config) -> Entry:
    """How the navigation knows a page."""
    title = page.title
    meta = page.source.meta
    return Entry(page.id, title, meta.nav or title, page_url(page.id, config.home), meta.listed)


def render_page(
    jinja: jinja2.Environment,
    woven: Woven,
    web: Web,
    figures: Mapping[str, Figure],
    assets: Assets,
    entries: Sequence[Entry],
) -> Output:
    """One page's HTML."""
    site, page = web.site, woven.page
    here = entry(page, site.config)
    journey = [one for one in entries if one.listed]
    at = next((index for index, one in enumerate(journey) if one.id == here.id), None)
    html = fill(jinja, "page.html", {
        **common(site, assets, here.url),
        "page": page,
        "here": here,
        "figures": figures,
        "woven": woven,
        "entries": entries,
        "previous": journey[at - 1] if at else None,
        "next": journey[at + 1] if at is not None and at + 1 < len(journey) else None,
        "contents": [heading for heading in page.headings if heading.level in (2, 3)],
        "areas": _areas(site),
        "lists": {kind: web.url(id) for kind in ("references", "glossary") if (id := web.listing(kind))},
        "reference_of": site.references.__getitem__,
        "terms": site.terms,
        "citations": web.citations,
        "uses": web.uses,
        "titles": {one.id: one for one in entries},
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


def _areas(site: Site) -> list[tuple[str, list[Any]]]:
    """The references by subject."""
    ordered = sorted(site.references.values(), key=lambda one: (one.area, one.year, one.title))
    return [(area, list(group)) for area, group in groupby(ordered, key=lambda one: one.area)]
