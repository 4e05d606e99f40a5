"""What a link in a page's Markdown leads to: a page, a heading, a scene's state, a file, or another site."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from loom.addresses import fragment
from loom.errors import suggest
from loom.markdown.dialect import slug
from loom.scene import spelling
from loom.scenes.parameters import pairs_of, read_params, read_step
from loom.site.index import Web
from loom.site.page_info import Face

SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
HIDDEN = "what begins with '.' or '_' is no page: rename it"
ALLOWED = ("http:", "https:", "mailto:")


class Leads(NamedTuple):
    """Where a link leads, or why it leads nowhere."""

    page: str = ""
    anchor: str = ""
    state: str = ""
    file: str = ""
    external: str = ""
    mistake: str = ""
    hint: str = ""
    rule: str = "link"  # what it breaks, if it does


def resolve(href: str, start: str, web: Web) -> Leads:
    """Follow a link from the page `start`."""
    if SCHEME.match(href) or href.startswith("//"):
        if href.lower().startswith(ALLOWED):
            return _elsewhere(href)
        return Leads(mistake=f"'{href}' is not a kind of link that a page may have", hint="use https:")
    path, _, anchor = href.partition("#")
    if not href:
        return Leads(mistake="this link leads nowhere", hint="write between its parentheses where it leads")
    if not path:
        return _in_page(web.faces[start], anchor, web)
    if path.startswith("/"):
        return Leads(mistake=f"'{path}' begins at the server's root", hint="link to the Markdown file: other.md")
    where = _within(posixpath.dirname(start), path)
    if where in web.site.files:
        return Leads(file=where)
    if not path.endswith(".md"):
        page = next((one for one in (where, posixpath.normpath(f"{where}/index")) if one in web.faces), None)
        hint = f"link to the Markdown file: {_called(f'{page}.md', start)}" if page else ""
        known = [*web.site.files, *map(_md, web.faces)]
        return Leads(
            mistake=f"there is no file '{path}' beside this page",
            hint=hint or suggest(path, [_called(one, start) for one in known]),
        )
    target = web.faces.get(where.removesuffix(".md"))
    if target is None:
        if where.removesuffix(".md") in web.site.drafts:
            return Leads(
                mistake=f"the page '{path}' is a draft", hint="delete its line 'draft: true', or the link to it"
            )
        hidden = re.search(r"(?:^|/)[._]", where)
        hint = HIDDEN if hidden else suggest(path, [_called(_md(one), start) for one in web.faces])
        return Leads(mistake=f"there is no page '{path}'", hint=hint)
    return _in_page(target, anchor, web) if anchor else Leads(page=target.id)


@lru_cache(1024)  # a page's links are followed twice: for its HTML and for its Markdown
def _within(folder: str, path: str) -> str:
    """A path in `content/`, from one that begins in a folder there."""
    return posixpath.normpath(posixpath.join(folder, path))


def _elsewhere(href: str) -> Leads:
    """Another site, if the address can be one."""
    try:
        parts = urlsplit(href)
        if parts.scheme == "mailto" or parts.hostname:
            return Leads(external=href)
        return Leads(mistake=f"the address '{href}' has no host", hint="write https://host/…")
    except ValueError:
        return Leads(mistake=f"'{href}' is no address", hint="mend it")


def _md(page_id: str) -> str:
    return f"{page_id}.md"


def _called(name: str, start: str) -> str:
    """How the page `start` calls a file of `content/`."""
    return posixpath.relpath(name, posixpath.dirname(start) or ".")


def _in_page(target: Face, anchor: str, web: Web) -> Leads:
    name, question, query = anchor.partition("?")
    if not question:
        if name in target.anchors or not name:
            return Leads(page=target.id, anchor=name)
        if name == slug(target.title):  # its heading of level 1, which has an anchor on a forge: the page's top
            return Leads(page=target.id)
        hint = suggest(name, target.anchors)
        return Leads(mistake=f"there is no '#{name}' in {target.path}", hint=hint, rule="anchor")
    if name in target.embeds and name not in web.data:
        return Leads(page=target.id, anchor=name)  # what is wrong with the scene is reported already
    if name not in target.embeds:
        hint = suggest(name, target.embeds, "link to the page that shows the scene")
        return Leads(mistake=f"there is no scene '{name}' in {target.path}", hint=hint, rule="state")
    return _state(target, name, pairs_of(query), web)


def _state(target: Face, name: str, pairs: list[tuple[str, str]], web: Web) -> Leads:
    """A state of a scene that the page shows, called as the player calls it."""
    scene, data = web.founds[name].scene, web.data[name]
    start, _ = read_params(scene, target.embeds[name].pairs, name)
    params, mistakes = read_params(scene, [pair for pair in pairs if pair[0] != "step"], name)
    if mistakes:
        return Leads(mistake=mistakes[0].message, hint=mistakes[0].hint, rule="state")
    count = len(data.variants[scene.key({**start, **params})].say)
    steps = [text for key, text in pairs if key == "step"]
    for text in steps:
        _, wrong = read_step(text, count)
        if wrong:
            return Leads(mistake=wrong, hint=f"steps are counted from 1 to {count}", rule="state")
    state = fragment(
        name, [*((key, spelling(value)) for key, value in params.items()), *(("step", one) for one in steps)]
    )
    return Leads(page=target.id, anchor=state, state=state)
