"""References in the formats of other programs: BibTeX, and the CSL-JSON of Zotero and Pandoc."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from loom.content.files import unfit
from loom.errors import LoomError, Problem, map_all
from loom.model import Reference

if TYPE_CHECKING:
    from pybtex.database import Entry

KINDS = {  # what BibTeX and CSL call it → what the list of references calls it
    "paper": "article inproceedings conference proceedings unpublished article-journal paper-conference",
    "report": "techreport report",
    "book": "book inbook incollection chapter booklet",
    "thesis": "phdthesis mastersthesis thesis",
    "documentation": "manual",
    "repository": "software",
    "specification": "standard",
    "blog": "post-weblog post",
    "page": "online electronic www misc webpage",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
PUBLISHERS = ("organization", "institution", "publisher")  # used as the author if there is none
DATE = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?")  # a year, or a day as ISO 8601 writes it
MOST_INSERTED = 1_000_000  # characters that the `@string`s of one file may insert
OTHER = "other"  # the area of references without keywords


class Name(msgspec.Struct, frozen=True):
    """A person's name in CSL."""

    family: str = ""
    literal: str = ""


class Date(msgspec.Struct, frozen=True, rename="kebab"):
    """A date in CSL: year, month and day as far as they are known, or as text."""

    date_parts: list[list[int | str]] = []
    raw: str = ""
    literal: str = ""

    @property
    def parts(self) -> list[int]:
        if self.date_parts:
            return [int(one) for one in self.date_parts[0]]
        found = DATE.search(self.raw or self.literal)
        return [int(one) for one in found.groups() if one] if found else []


class Item(msgspec.Struct, rename={"doi": "DOI", "url": "URL"}):
    """An entry in CSL, as far as Loom reads it."""

    id: str | int
    type: str = ""
    title: str = ""
    author: list[Name] = []
    editor: list[Name] = []
    publisher: str = ""
    issued: Date = Date()
    accessed: Date = Date()
    url: str = ""
    doi: str = ""
    keyword: str = ""
    annote: str = ""
    note: str = ""


def from_csl(text: str, path: str) -> list[Reference]:
    """The entries of a CSL-JSON file. Raises LoomError with the line of what can't be read."""
    try:
        items = msgspec.json.decode(text, type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as error:
        hint = "export it from your reference manager as CSL-JSON: a list of entries"
        raise LoomError(Problem(path, 1, 0, f"not CSL-JSON: {error}", hint)) from None
    return map_all(lambda found: _csl_reference(*found, path), _with_lines(items, text))


def _with_lines(items: Iterable[msgspec.Raw], text: str) -> Iterator[tuple[msgspec.Raw, int]]:
    raw, at = text.encode(), 0
    for item in items:
        at = raw.index(bytes(item), at)
        yield item, raw.count(b"\n", 0, at) + 1
        at += len(bytes(item))


def _csl_reference(raw: msgspec.Raw, line: int, path: str) -> Reference:
    try:
        item = msgspec.json.decode(raw, type=Item)
        day, year = item.accessed.parts, item.issued.parts
        seen = date(*day) if len(day) == 3 else None
    except (ValueError, OverflowError) as error:
        raise LoomError(Problem(path, line, 0, f"not an entry of CSL-JSON: {error}")) from None
    authors = [one.family or one.literal for one in item.author or item.editor] or [item.publisher]
    return _reference(
        path, line, str(item.id), title=item.title, authors=authors, year=year[0] if year else 0, kind=item.type,
        url=item.url, doi=item.doi, area=item.keyword, takes=item.annote or item.note,
        seen=seen,
    )  # fmt: skip


def from_bibtex(text: str, path: str) -> list[Reference]:
    """The entries of a BibTeX file. Raises LoomError with the line of what can't be read."""
    try:
        from pybtex.database.input.bibtex import Parser
        from pybtex.exceptions import PybtexError
    except ModuleNotFoundError:
        hint = "pip install '.[bibtex]' in Loom's folder"
        raise LoomError(Problem(path, 0, 0, "BibTeX is read by a package that is not installed", hint)) from None
    try:
        parser = Parser()
        parser.macros = _Strings(parser.macros, path, text)
        entries = parser.parse_string(text).entries
    except PybtexError as error:
        raise LoomError(_no_bibtex(error, path, text)) from None
    places = {found[1]: text.count("\n", 0, found.start()) + 1 for found in re.finditer(r"@\w+\s*\{\s*([^\s,]+)", text)}
    return map_all(lambda one: _bibtex_reference(one[0], one[1], path, places), entries.items())


class _Strings(dict[str, str]):
    """The `@string` macros of a BibTeX file. What they insert is counted: each may insert others, many times over."""

    def __init__(self, months: Mapping[str, str], path: str, text: str) -> None:
        super().__init__({name.lower(): value for name, value in months.items()})
        self.path, self.text, self.left = path, text, MOST_INSERTED

    def __setitem__(self, name: str, value: str) -> None:
        super().__setitem__(name.lower(), value)

    def __getitem__(self, name: str) -> str:
        value = super().__getitem__(name.lower())
        self.left -= len(value)
        if self.left < 0:
            line = self.text.count("\n", 0, self.text.find(name)) + 1
            message = f"'@string' inserts more than {MOST_INSERTED:,} characters"
            raise LoomError(Problem(self.path, line, 0, message, "write out what its names stand for"))
        return value


def _no_bibtex(error: Exception, path: str, text: str) -> Problem:
    """The error of the parser, at the line that it names, or at the line of the words that it quotes."""
    message = str(error).splitlines()[0]
    found = re.search(r"'(.+)'|: (\S+)\Z", message)
    at = text.rfind(found[1] or found[2]) if found else -1
    line = getattr(error, "lineno", 0) or text.count("\n", 0, at) + (at >= 0)
    hint = "keep one of them" if message.startswith("repeated") else "see whether a comma or a brace is wrong there"
    return Problem(path, line, 0, f"not valid BibTeX: {message}", hint)


def _bibtex_reference(name: str, entry: Entry, path: str, places: dict[str, int]) -> Reference:
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    try:
        fields = {key.lower(): _without_latex(value) for key, value in entry.fields.items()}
        authors = [_without_latex(" ".join(one.prelast_names + one.last_names)) for one in people]
        seen = re.fullmatch(r"\d{4}-\d\d-\d\d", fields.get("urldate", ""))
        day = date.fromisoformat(seen[0]) if seen else None
    except ValueError as error:
        raise LoomError(Problem(path, places.get(name, 0), 0, f"'{name}' can't be read: {error}")) from None
    year = re.search(r"\d{4}", fields.get("year", "") or fields.get("date", ""))
    arxiv = fields.get("eprint", "") if fields.get("archiveprefix", "arXiv").lower() == "arxiv" else ""
    return _reference(
        path, places.get(name, 0), name, title=fields.get("title", ""), year=int(year[0]) if year else 0,
        authors=authors or [fields[key] for key in PUBLISHERS if key in fields],
        kind=entry.type.lower(), url=fields.get("url", "") or (arxiv and f"https://arxiv.org/abs/{arxiv}"),
        doi=fields.get("doi", ""), area=fields.get("keywords", ""),
        takes=fields.get("annote", "") or fields.get("note", ""),
        seen=day,
    )  # fmt: skip


def _without_latex(latex: str) -> str:
    """LaTeX as plain text: accents and dashes as characters, without braces."""
    from pybtex.richtext import Text

    return str(Text.from_latex(latex)) if "\\" in latex or "{" in latex or "--" in latex else latex


def _reference(path: str, line: int, name: str, *, kind: str, doi: str, area: str, **said: Any) -> Reference:
    """A reference; LoomError if it lacks what a citation needs."""
    if reason := next(filter(None, map(unfit, said.values())), ""):
        raise LoomError(Problem(path, line, 0, f"'{name}' can't be read: {reason}"))
    missing = [what for what, value in (("a title", said["title"]), ("a year", said["year"])) if not value]
    if not any(said["authors"]):
        missing.append("authors")
    if missing:
        raise LoomError(Problem(path, line, 0, f"'{name}' has no {' and no '.join(missing)}".replace("no a ", "no ")))
    said |= {
        "authors": ", ".join(filter(None, said["authors"])),
        "url": said["url"] or (doi and f"https://doi.org/{doi}"),
    }
    first = re.split(r"[,;]", area)[0].strip()
    return Reference(name, kind=KIND_OF.get(kind, kind), area=first or OTHER, path=path, line=line, **said)
