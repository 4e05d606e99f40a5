"""Render one page: its HTML, its Markdown, its social card, and the tables and single pages of its scenes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from loom.addresses import page_file, relative, scene_url
from loom.content.blocks import Page
from loom.errors import LoomError, Problem, with_rule
from loom.model import Output
from loom.render.cards import Card, card
from loom.render.context import PageContext
from loom.render.markdown_export import page_markdown
from loom.render.scene_figure import SceneFigure, scene_figure, table_csv
from loom.render.templates import common, fill
from loom.site.resolve import ResolvedPage, resolve


def make_page(context: PageContext, page: Page) -> tuple[Output, Card | None, list[Problem]]:
    """The files, the card and the problems of a page; no files if one of its scenes failed."""
    resolved = resolve(context.site, page, context.shared.words)
    problems = list(resolved.problems)
    if not all(context.site.scene(embed.scene) for embed in page.embeds.values()):
        return {}, None, problems
    try:
        output, drawn = page_files(context, resolved)
    except LoomError as error:  # perhaps a consequence of problems that are reported already
        return {}, None, problems or with_rule("template", error.problems)
    return output, drawn, problems


def page_files(context: PageContext, resolved: ResolvedPage) -> tuple[Output, Card | None]:
    """All files that are made together with the page."""
    site, page = context.site, resolved.page
    here = site.entry(page.id).url
    figures: dict[str, SceneFigure] = {}
    output: Output = {}
    for name, embed in page.embeds.items():
        known = site.scene(embed.scene)
        assert known
        folder = known.summary.folder
        figures[name] = scene_figure(known, embed, relative(here, folder))
        output[PurePosixPath(folder) / figures[name].csv] = table_csv(figures[name])
    drawn = card(context, page, next(iter(figures.values()), None))
    output[page_file(here)] = _html(context, resolved, figures, drawn.path if drawn else "")
    output |= scene_pages(context, page.id, figures) | page_markdown(site, page, figures, context.shared.words)
    return output, drawn


def _html(context: PageContext, resolved: ResolvedPage, figures: Mapping[str, SceneFigure], card_path: str) -> bytes:
    """One page's HTML."""
    site, page, frame = context.site, resolved.page, context.frame
    here = site.entry(page.id)
    before, after = site.neighbours(page.id)
    return fill(context.jinja, "page.html", {
        **common(site.config, context.shared.assets, here.url),
        "page": page,
        "here": here,
        "figures": figures,
        "resolved": resolved,
        "site": site,
        "previous": before,
        "next": after,
        "navigation": site.navigation,
        "sidebar": site.sidebar(page.id),
        "trail": site.trail(page.id),
        "contents": [heading for heading in page.headings if heading.level in (2, 3)],
        "lists": site.lists,
        "card": card_path,
        "feed": frame.feed,
        "indexed": True,
        "search": frame.search,
    })  # fmt: skip


def scene_pages(context: PageContext, page: str, figures: Mapping[str, SceneFigure]) -> Output:
    """The pages of single scenes, for the scenes whose first page this is; they open as on this page."""
    site, frame = context.site, context.frame
    output: Output = {}
    if not site.config.embeds:
        return output
    for name, figure in figures.items():
        known = site.scene(name)
        if known and site.home(name) == page:
            here = scene_url(name)
            output[page_file(here)] = fill(context.jinja, "embed.html", {
                **common(site.config, context.shared.assets, here),
                "figure": replace(figure, folder=relative(here, known.summary.folder)),
                "home": site.entry(page),
                "site": site,
                "framed": frame.framed,
                "indexed": False,
            })  # fmt: skip
    return output
