"""Resolve a link in a page's Markdown: to a page, a heading, a scene's state, a file, or another site."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from loom.addresses import ALLOWED, candidate_files, candidate_pages, leaves_site, within
from loom.content.load import READ
from loom.errors import NOTHING, Missing, Problem
from loom.hints import suggest
from loom.markdown.dialect import slug
from loom.site.states import read_state
from loom.site.view import SiteView, Target

HIDDEN = "what begins with '.' or '_' is no page: rename it"


class Destination(NamedTuple):
    """The target of a link, or the mistake in it."""

    page: str = ""
    url: str = ""  # of the page
    anchor: str = ""
    state: str = ""
    file: str = ""
    external: str = ""
    mistake: str = ""
    hint: str = ""
    rule: str = "link"  # the rule that a mistake breaks
    missing: Missing = NOTHING

    def problem(self, path: str, line: int, column: int) -> Problem:
        """The mistake as a problem at a place in a file."""
        return Problem(path, line, column, self.mistake, self.hint, self.rule, self.missing)


def follow(href: str, start: str, site: SiteView) -> Destination:
    """Resolve a link on the page `start`."""
    if leaves_site(href):
        if href.partition(":")[0].lower() in ALLOWED:
            return _elsewhere(href)
        return Destination(mistake=f"'{href}' is not a kind of link that a page may have", hint="use https:")
    if href.startswith("@/"):  # as Zola's pages begin at the root
        href = href[1:]
    path, _, anchor = href.partition("#")
    if not href:
        return Destination(mistake="this link leads nowhere", hint="write between its parentheses where it leads")
    may_be_file = path and not path.endswith(READ)  # what Loom reads is not published as it is
    files = candidate_files(start, path) if may_be_file else ()
    if file := next((one for one in files if site.is_published(one)), ""):
        return Destination(file=file)
    named = candidate_pages(start, path, site.config.home) if path else (start,)
    target = next((found for one in dict.fromkeys(named) if (found := site.page(one))), None)
    if target is None:
        return _nowhere(path, start, site)
    name, question, query = anchor.partition("?")
    return _in_state(target, name, query, site) if question else _at_anchor(target, name)


def _nowhere(path: str, start: str, site: SiteView) -> Destination:
    """The mistake in a link to a file or a page that does not exist."""
    infos, where = site.index.infos, within(start, path)
    if any(one in site.index.drafts for one in candidate_pages(start, path, site.index.config.home)):
        hint = "delete its line 'draft: true', or the link to it"
        return Destination(mistake=f"the page '{path}' is a draft", hint=hint)
    if not path.endswith(".md"):
        known = [*sorted(site.index.files), *(one.file_name for one in infos.values())]
        place = "on this site" if path.startswith("/") else "beside this page"
        message = f"there is no file '{path}' {place}"
        otherwise = f"write https://{path}" if path.startswith("www.") else "put it there, or mend the link"
        hint = suggest(path, [_called(one, start) for one in known], otherwise)
        return Destination(mistake=message, hint=hint)
    hidden = re.search(r"(?:^|/)[._]", where)
    hint = HIDDEN if hidden else suggest(path, [_called(one.file_name, start) for one in infos.values()])
    return Destination(mistake=f"there is no page '{path}'", hint=hint)


def _elsewhere(href: str) -> Destination:
    """A link to another site, or the mistake in its address."""
    try:
        parts = urlsplit(href)
        if parts.scheme == "mailto" or parts.hostname:
            return Destination(external=href)
        return Destination(mistake=f"the address '{href}' has no host", hint="write https://host/…")
    except ValueError:
        return Destination(mistake=f"'{href}' is no address", hint="mend it")


def _called(name: str, start: str) -> str:
    """The path of a file in `content/`, relative to the page `start`."""
    return posixpath.relpath(name, posixpath.dirname(start) or ".")


def _bare(anchor: str) -> str:
    """An anchor without punctuation, which generators treat differently when they make anchors of headings."""
    return re.sub(r"[\W_]+", "", anchor).lower()


def _at_anchor(target: Target, name: str) -> Destination:
    """The place of an anchor on a page; the page itself if `name` is empty."""
    there = Destination(page=target.id, url=target.url)
    if name in target.anchors or not name:
        return there._replace(anchor=name)
    if other := next((one for one in target.anchors if _bare(one) == _bare(name)), ""):
        return there._replace(anchor=other)  # the anchor as another generator would spell it
    if name == slug(target.title):  # on GitHub the title has an anchor; here it is the top of the page
        return there
    mistake, hint = f"there is no '#{name}' in {target.path}", suggest(name, target.anchors)
    return Destination(mistake=mistake, hint=hint, rule="anchor", missing=Missing(anchor=name, file=target.path))


def _in_state(target: Target, name: str, query: str, site: SiteView) -> Destination:
    """A scene of a page in the state of a query."""
    there = Destination(page=target.id, url=target.url)
    if name not in target.embeds:
        if any(site.scene(one.scene) is None for one in target.embeds.values()):
            return there._replace(anchor=name)  # it may be the one that is misspelt there, which is reported already
        hint = suggest(name, target.embeds, "link to the page that shows the scene")
        if elsewhere := site.index.homes.get(name):
            hint = f"it stands in {site.index.infos[elsewhere].path}"
        mistake = f"there is no scene '{name}' in {target.path}"
        return Destination(mistake=mistake, hint=hint, rule="state", missing=Missing(anchor=name, file=target.path))
    known = site.scene(target.embeds[name].scene)
    if known is None:
        return there._replace(anchor=name)  # the scene could not be computed, which is reported already
    state = read_state(known, target.embeds[name].pairs, query, name)
    if state.mistake:
        return Destination(mistake=state.mistake, hint=state.hint, rule="state")
    return there._replace(anchor=state.fragment, state=state.fragment)
