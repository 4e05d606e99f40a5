"""Read the finished site as a browser would: links, anchors, ids, headings, text alternatives, policy, budgets."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from loom.errors import Problem
from loom.model import Config, Output

KB = 1000
PLAYER, STYLE, FIRST_VIEW, FONTS = 6 * KB, 10 * KB, 60 * KB, 50 * KB
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


@dataclass
class Document:
    """What the rules need to know of a page."""

    ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)  # (element, address)
    headings: list[int] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)  # (what is wrong, what to do)
    title: str = ""
    policy: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.document = Document()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        found = self.document
        if tag not in VOID:
            self.open.append(tag)
        if "id" in values:
            found.ids.append(values["id"])
        found.links += [(tag, values[name]) for name in ("href", "src") if name in values]
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            found.headings.append(int(tag[1]))
        if "style" in values or any(name.startswith("on") for name in values):
            found.faults.append(
                (f"<{tag}> carries a style or a script of its own", "use a class: the policy refuses it")
            )
        if tag == "style" or (tag == "script" and "src" not in values):
            found.faults.append((f"an inline <{tag}>", "put it in static/: the policy refuses it"))
        if tag == "img" and not values.get("alt", "").strip():
            found.faults.append((f"the picture '{values.get('src', '')}' has no text alternative", "say what it shows"))
        if tag == "meta" and values.get("http-equiv", "").lower() == "content-security-policy":
            found.policy = values.get("content", "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif tag not in VOID:
            inside = f" inside <{self.open[-1]}>" if self.open else ""
            self.document.faults.append((f"</{tag}> closes nothing{inside}", "mend the template"))

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["title"] and "svg" not in self.open:
            self.document.title += data


def read_document(raw: bytes) -> Document:
    """Parse one page."""
    reader = _Reader()
    reader.feed(raw.decode())
    reader.close()
    for tag in reader.open:
        reader.document.faults.append((f"<{tag}> is never closed", "mend the template"))
    return reader.document


def check_site(output: Output, config: Config, base: str = "/") -> list[Problem]:
    """Every rule on every page. `base` is where the site lies on its host."""
    documents = {path: read_document(raw) for path, raw in output.items() if path.suffix == ".html"}
    problems: list[Problem] = []
    for path, document in documents.items():
        found = [*document.faults, *_structure(document), *_links(path, document, documents, output, base)]
        problems += [Problem(str(path), 0, 0, message, hint) for message, hint in found]
    if config.budgets:
        problems += _budgets(output, documents)
    return problems


def _structure(document: Document) -> Iterator[tuple[str, str]]:
    for name, count in Counter(document.ids).items():
        if count > 1:
            yield f"the id '{name}' is used {count} times", "rename a heading or a scene"
    if not document.title.strip():
        yield "the page has no title", "give it one in its front matter"
    if document.headings.count(1) != 1:
        yield f"the page has {document.headings.count(1)} headings of level 1", "the title is one; begin with '##'"
    for before, after in zip(document.headings, document.headings[1:], strict=False):
        if after > before + 1:
            yield f"a heading of level {after} follows one of level {before}", "leave no level out"
    if "default-src" not in document.policy or "unsafe-inline" in document.policy:
        yield "the page has no strict content security policy", "see templates/base.html"


def _links(
    path: PurePosixPath, document: Document, documents: dict[PurePosixPath, Document], output: Output, base: str
) -> Iterator[tuple[str, str]]:
    for tag, href in document.links:
        parts = urlsplit(href)
        if parts.scheme or parts.netloc:
            if tag in ("a", "link") and parts.scheme in ("https", "http", "mailto"):
                continue
            if parts.scheme != "data":
                yield f"<{tag}> asks another site: '{href}'", "keep it in the site"
            continue
        target = _target(path, unquote(parts.path), base)
        if target not in output:
            yield f"the link '{href}' leads nowhere", "there is no such file in the site"
        elif parts.fragment and target in documents and not _has(documents[target], href.partition("#")[2]):
            yield f"the link '{href}' names a place that is not there", "see the page's headings and scenes"


def _has(document: Document, fragment: str) -> bool:
    """A state of a scene is a place on its page, whether something is there to scroll to or not."""
    return fragment in document.ids or unquote(fragment) in document.ids or fragment.partition("?")[0] in document.ids


def _target(path: PurePosixPath, link: str, base: str) -> PurePosixPath:
    if not link:
        return path
    if link.startswith(base) and path.name == "404.html":
        path, link = PurePosixPath("index.html"), f"./{link.removeprefix(base)}"
    place = posixpath.normpath(posixpath.join(str(path.parent), link))
    return PurePosixPath(place) / "index.html" if link.endswith("/") or link in (".", "..") else PurePosixPath(place)


def _budgets(output: Output, documents: dict[PurePosixPath, Document]) -> Iterator[Problem]:
    """Sizes as they travel: compressed with brotli, which is how a static host sends text."""
    import brotli

    def size(raw: bytes) -> int:
        return len(brotli.compress(raw, quality=11))

    sizes = {path: size(raw) for path, raw in output.items() if path.suffix in (".html", ".js", ".css")}
    player = [count for path, count in sizes.items() if path.suffix == ".js"]
    style = [count for path, count in sizes.items() if path.suffix == ".css"]
    fonts = sum(len(raw) for path, raw in output.items() if path.suffix == ".woff2")
    totals = [("the player", sum(player), PLAYER), ("the style sheet", sum(style), STYLE), ("the fonts", fonts, FONTS)]
    totals += [(f"the first view of {path}", sizes[path] + sum(player) + sum(style), FIRST_VIEW) for path in documents]
    for name, count, most in totals:
        if count > most:
            yield Problem("site", 0, 0, f"{name} takes {count:,} bytes of {most:,}", "make it smaller")
