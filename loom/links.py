"""What a link in a page's Markdown leads to: a page, a heading, a scene's state, a file, or another site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from loom.address import fragment
from loom.blocks import Check, Embed, Page, Predict, Prose
from loom.discover import Found
from loom.errors import suggest
from loom.frames import SceneData
from loom.scene import Scene, spelling
from loom.states import pairs_of, read_params, read_step

SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
ALLOWED = ("http:", "https:", "mailto:")
FOOTNOTE = re.compile(r'id="(fn(?:ref)?[\w:-]+)"')


@dataclass(frozen=True)
class Leads:
    """Where a link leads, or why it leads nowhere."""

    page: str = ""
    anchor: str = ""
    state: str = ""
    file: str = ""
    external: str = ""
    mistake: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Target:
    """A page that can be linked to."""

    page: Page

    @cached_property
    def scenes(self) -> Mapping[str, Embed]:
        return self.page.embeds

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Everything on the page that has a name."""
        names = {heading.id for heading in self.page.headings} | set(self.scenes)
        for block in self.page.blocks:
            if isinstance(block, (Check, Predict)):
                names.add(block.id)
            if isinstance(block, Prose):
                names |= {name for part in block.parts if isinstance(part, str) for name in FOOTNOTE.findall(part)}
        return frozenset(names)


def resolve(
    href: str,
    page: Page,
    targets: Mapping[str, Target],
    files: Mapping[str, bytes],
    founds: Mapping[str, Found],
    data: Mapping[str, SceneData],
) -> Leads:
    """Follow a link from `page`."""
    if SCHEME.match(href) or href.startswith("//"):
        if href.lower().startswith(ALLOWED):
            return Leads(external=href)
        return Leads(mistake=f"'{href}' is not a kind of link that a page may have", hint="use https:")
    path, _, anchor = href.partition("#")
    if not path:
        return _in_page(targets[page.id], anchor, founds, data)
    if path.startswith("/"):
        return Leads(mistake=f"'{path}' begins at the server's root", hint="link to the Markdown file: other.md")
    where = posixpath.normpath(posixpath.join(posixpath.dirname(page.id), path))
    if where in files:
        return Leads(file=where)
    if not path.endswith(".md"):
        return Leads(
            mistake=f"there is no file '{path}' beside this page", hint=suggest(where, [*files, *map(_md, targets)])
        )
    target = targets.get(where.removesuffix(".md"))
    if target is None:
        return Leads(mistake=f"there is no page '{path}'", hint=suggest(path, map(_md, targets)))
    return _in_page(target, anchor, founds, data) if anchor else Leads(page=target.page.id)


def _md(page_id: str) -> str:
    return f"{page_id}.md"


def _in_page(target: Target, anchor: str, founds: Mapping[str, Found], data: Mapping[str, SceneData]) -> Leads:
    name, question, query = anchor.partition("?")
    if not question:
        if name in target.anchors or not name:
            return Leads(page=target.page.id, anchor=name)
        hint = suggest(name, target.anchors)
        return Leads(mistake=f"there is no '#{name}' in {target.page.source.path}", hint=hint)
    if name in target.scenes and name not in data:
        return Leads(page=target.page.id, anchor=name)  # what is wrong with the scene is reported already
    if name not in target.scenes:
        hint = suggest(name, target.scenes, "link to the page that shows the scene")
        return Leads(mistake=f"there is no scene '{name}' in {target.page.source.path}", hint=hint)
    return _state(target, name, pairs_of(query), founds[name].scene, data[name])


def _state(target: Target, name: str, pairs: list[tuple[str, str]], scene: Scene, data: SceneData) -> Leads:
    """A state of a scene that the page shows, called as the player calls it."""
    start, _ = read_params(scene, target.scenes[name].pairs, name)
    params, mistakes = read_params(scene, [pair for pair in pairs if pair[0] != "step"], name)
    if mistakes:
        return Leads(mistake=mistakes[0].message, hint=mistakes[0].hint)
    count = len(data.variants[scene.key({**start, **params})].say)
    steps = [text for key, text in pairs if key == "step"]
    for text in steps:
        _, wrong = read_step(text, count)
        if wrong:
            return Leads(mistake=wrong, hint=f"steps are counted from 1 to {count}")
    state = fragment(
        name, [*((key, spelling(value)) for key, value in params.items()), *(("step", one) for one in steps)]
    )
    return Leads(page=target.page.id, anchor=state, state=state)
