"""Parse HTML into a list of elements with their positions, and find mismatched tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.entities import html5
from html.parser import HTMLParser

from loom.errors import NOTHING, LoomError, Missing, Problem, utf8, with_rule

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
FOREIGN = frozenset(["svg", "math"])
# Starts and ends of parts that are no text; and characters in text that should be escaped.
SILENT = re.compile(r"<!--|<(?P<name>script|style)\b", re.IGNORECASE)
ENDS = {"": re.compile("-->")} | {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style")}
BARE = re.compile(r"&(?:(#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)?|<(?![A-Za-z/!?])")


@dataclass(eq=False, slots=True)
class Element:
    """An element with its position; `inside` is its parent."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    column: int
    inside: Element | None
    text: str = ""  # only for <title>

    @property
    def foreign(self) -> bool:
        """Whether it belongs to an SVG or a formula."""
        return self.tag in FOREIGN or any(outer.tag in FOREIGN for outer in self.around())

    def get(self, name: str) -> str:
        """An attribute; empty if it is not there."""
        return self.attributes.get(name, "")

    def around(self) -> Iterator[Element]:
        """Its ancestors, from the inside out."""
        outer = self.inside
        while outer:
            yield outer
            outer = outer.inside

    def problem(self, path: str, rule: str, message: str, hint: str = "", missing: Missing = NOTHING) -> Problem:
        return Problem(path, self.line, self.column, message, hint, rule, missing)


@dataclass
class Document:
    """The elements of a page in order, and the mistakes in its tags."""

    path: str
    elements: list[Element] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    doctype: str = ""


class _Reader(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.document = Document(path)
        self.open: list[Element] = []

    def wrong(self, message: str, hint: str = "mend the template") -> None:
        line, offset = self.getpos()
        self.document.problems.append(Problem(self.document.path, line, offset + 1, message, hint, "markup"))

    def handle_decl(self, decl: str) -> None:
        self.document.doctype = self.document.doctype or decl.lower()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = self._begin(tag, attrs)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = self._begin(tag, attrs)
        if tag not in VOID and not element.foreign:
            self.wrong(f"<{tag}/> does not close itself", f"write <{tag}></{tag}>")

    def _begin(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        line, offset = self.getpos()
        values = {name: value or "" for name, value in attrs}
        element = Element(tag, values, line, offset + 1, self.open[-1] if self.open else None)
        self.document.elements.append(element)
        for name, count in Counter(name for name, _ in attrs).items() if len(values) < len(attrs) else ():
            if count > 1:
                self.wrong(f"<{tag}> has the attribute '{name}' twice", "keep one of them")
        return element

    def handle_endtag(self, tag: str) -> None:
        if tag not in [one.tag for one in self.open]:
            inside = f" inside <{self.open[-1].tag}>" if self.open else ""
            self.wrong(f"</{tag}> closes nothing{inside}")
            return
        while (last := self.open.pop()).tag != tag:
            self.unclosed(last)

    def unclosed(self, element: Element) -> None:
        message = f"<{element.tag}> is never closed"
        self.document.problems.append(element.problem(self.document.path, "markup", message, "mend the template"))

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].tag == "title":
            self.open[-1].text += data


def read_document(raw: bytes, path: str = "") -> Document:
    """Parse one page."""
    try:
        text = utf8(raw, path)
    except LoomError as error:
        return Document(path, problems=with_rule("markup", error.problems), doctype="unknown")
    reader = _Reader(path)
    try:
        reader.feed(text)
        reader.close()
    except AssertionError:  # raised by the parser for an invalid declaration
        reader.wrong("this declaration can't be read")
    for element in reader.open:
        reader.unclosed(element)
    reader.document.problems += _bare(text, path)
    return reader.document


def _without_silent(text: str) -> str:
    """A page with spaces for its comments, scripts and styles; a missing end is looked for once, not at every start."""
    pieces, done, endless = [], 0, set()
    for found in SILENT.finditer(text):
        name = (found["name"] or "").lower()
        if found.start() < done or name in endless:
            continue
        if end := ENDS[name].search(text, found.end()):
            pieces += [text[done : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end.end()])]
            done = end.end()
        else:
            endless.add(name)
    return "".join([*pieces, text[done:]])


def _bare(text: str, path: str) -> Iterator[Problem]:
    """Unescaped '&' and '<' in the text."""
    text_only = _without_silent(text)
    for found in BARE.finditer(text_only):
        name = found.group(1) or ""
        if name.startswith("#") or f"{name};" in html5:
            continue
        line = text_only.count("\n", 0, found.start()) + 1
        column = found.start() - text_only.rfind("\n", 0, found.start())
        sign = found.group()[0]
        written = "&amp;" if sign == "&" else "&lt;"
        yield Problem(path, line, column, f"a bare '{found.group()}'", f"write '{written}'", "markup")
