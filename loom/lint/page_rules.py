"""Rules for a single finished page: title, headings, ids, text alternatives, content security policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from loom.addresses import SEARCH, page_path
from loom.errors import Problem
from loom.lint.html_reader import Document, Element

REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "headers", "list")
FETCHED = frozenset(["stylesheet", "icon", "preload", "modulepreload", "manifest", "prefetch", "preconnect"])
WEAK = frozenset(["*", "http:", "https:", "blob:", "filesystem:"])  # sources that are too broad in any directive
CSP_HEADER = "content-security-policy"


def page_problems(document: Document) -> list[Problem]:
    """All problems of a page."""
    found = list(document.problems)
    for rule, stage in RULES.items():
        for element, message, hint in stage(document):
            place = (element.line, element.column) if element else (0, 0)
            found.append(Problem(document.path, *place, message, hint, rule))
    return found


Fault = tuple[Element | None, str, str]  # where, what is wrong, what to try


def skeleton(document: Document) -> Iterator[Fault]:
    """The doctype, the language and the encoding."""
    if document.doctype not in ("doctype html", "unknown"):
        yield None, "the page does not begin with '<!doctype html>'", "see templates/base.html"
    roots = [one for one in document.elements if one.tag == "html"]
    if roots and not roots[0].get("lang").strip():
        yield roots[0], "the page does not say its language", "write <html lang=…>"
    if roots and not any(one.tag == "meta" and "charset" in one.attributes for one in document.elements):
        yield roots[0], "the page does not say its encoding", 'write <meta charset="utf-8">'


def title(document: Document) -> Iterator[Fault]:
    """Exactly one title, which is not empty."""
    titles = [one for one in document.elements if one.tag == "title" and not one.foreign]
    if not any(one.text.strip() for one in titles):
        yield None, "the page has no title", "give it one in its front matter"
    for one in titles[1:]:
        yield one, "a second <title>", "keep one of them"


def headings(document: Document) -> Iterator[Fault]:
    """Exactly one heading of level 1, and no skipped levels."""
    found = [one for one in document.elements if len(one.tag) == 2 and one.tag[0] == "h" and one.tag[1].isdigit()]
    levels = [int(one.tag[1]) for one in found]
    if levels.count(1) != 1:
        where = [one for one in found if one.tag == "h1"][1:]
        message = f"the page has {levels.count(1)} headings of level 1"
        yield where[0] if where else None, message, "the title is one; begin with '##'"
    for one, before in zip(found[1:], levels, strict=False):
        if int(one.tag[1]) > before + 1:
            yield one, f"a heading of level {one.tag[1]} follows one of level {before}", "leave no level out"


def ids(document: Document) -> Iterator[Fault]:
    """Ids are unique and valid, and references to them have a target."""
    named = {one.attributes["id"]: one for one in reversed(document.elements) if "id" in one.attributes}
    counts = Counter(one.attributes["id"] for one in document.elements if "id" in one.attributes)
    for name, element in reversed(named.items()):
        if counts[name] > 1:
            yield element, f"the id '{name}' is used {counts[name]} times", "rename a heading or a scene"
        if not name or any(sign.isspace() for sign in name):
            yield element, f"'{name}' can't be an id", "an id is a word"
    for one in document.elements:
        for attribute in REFERENCES if one.attributes else ():
            for name in one.get(attribute).split():
                if name not in named:
                    yield one, f"'{attribute}' of <{one.tag}> names the id '{name}', which is not there", "mend it"


def alternatives(document: Document) -> Iterator[Fault]:
    """Pictures have text alternatives."""
    for one in document.elements:
        if one.tag == "img" and not one.get("alt").strip():
            yield one, f"the picture '{one.get('src')}' has no text alternative", "say what it shows"
    titled = {one.inside for one in document.elements if one.tag == "title" and one.foreign and one.text.strip()}
    for one in document.elements:
        named = one in titled or one.get("aria-label").strip() or one.get("aria-labelledby").strip()
        if one.tag == "svg" and one.get("role") == "img" and not named:
            yield one, "a drawing has no text alternative", "say in 'aria-label' what it shows"


def policy(document: Document) -> Iterator[Fault]:
    """A strict policy stands before anything that it applies to, and the page has no inline code."""
    held = False
    for one in document.elements:
        if one.tag == "meta" and one.get("http-equiv").lower() == CSP_HEADER and not held:
            held = True
            for message in _weak_directives(one.get("content"), searches=document.path == page_path(SEARCH)):
                yield one, message, "see templates/base.html"
        yield from ((one, message, hint) for message, hint in _inline_code(one))
    first = next(
        (one for one in document.elements if one.get("http-equiv").lower() == CSP_HEADER or _fetches(one)), None
    )
    if not held:
        yield None, "the page has no strict content security policy", "see templates/base.html"
    elif first and _fetches(first):
        yield first, f"<{first.tag}> stands before the policy that is to hold it", "put the policy first"


def _weak_directives(content: str, *, searches: bool) -> Iterator[str]:
    """What is missing in a policy, or allowed by mistake."""
    parts = [part.split() for part in content.lower().split(";") if part.strip()]
    directives = {name: sources for name, *sources in parts}
    if not {"'none'", "'self'"} & set(directives.get("default-src", ())):
        yield "the content security policy has no strict 'default-src'"
    for name, sources in directives.items():
        for source in sources:
            wasm = source == "'wasm-unsafe-eval'" and not searches
            if wasm or source.startswith("'unsafe-") or source in WEAK or "://" in source:
                yield f"the content security policy allows {source} in '{name}'"


def _fetches(element: Element) -> bool:
    fetched = element.tag == "link" and FETCHED & set(element.get("rel").lower().split())
    return bool(fetched) or element.tag in ("script", "style", "img", "iframe")


def _inline_code(element: Element) -> Iterator[tuple[str, str]]:
    if "style" in element.attributes or any(name.startswith("on") for name in element.attributes):
        message = f"<{element.tag}> carries a style or a script of its own"
        yield message, "use a class: the policy refuses it"
    if element.tag == "style" or (element.tag == "script" and "src" not in element.attributes):
        yield f"an inline <{element.tag}>", "put it in static/: the policy refuses it"


RULES: Mapping[str, Callable[[Document], Iterator[Fault]]] = {
    "document": skeleton,
    "title": title,
    "heading": headings,
    "id": ids,
    "alt": alternatives,
    "policy": policy,
}
