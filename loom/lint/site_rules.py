"""Rules about what the author wrote, beyond those that stop a build: summaries, titles, what nothing uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from loom.errors import Problem
from loom.model import Source
from loom.site.index import SiteIndex
from loom.site.page_info import PageInfo

FENCED = re.compile(r"^[ ]{0,3}(```+|~~~+).*?(?:^[ ]{0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
NOTE = re.compile(r"\[\^([^\]\s]+)\]")
# A table's headings, and the line under them.
TABLE = re.compile(r"^[ >]*(\|?[^\n]*\|[^\n]*)\n[ >]*\|?(?:[ ]*:?-+:?[ ]*\|)+[ ]*(?::?-+:?[ ]*)?$", re.MULTILINE)
CELL = re.compile(r"(?<!\\)\|")
DEFINED = re.compile(r"^[ ]{0,3}\[\^([^\]\s]+)\]:", re.MULTILINE)


def unsaid(infos: Iterable[PageInfo]) -> Iterator[Problem]:
    """Listed pages that do not say what they are about."""
    for info in infos:
        if info.meta.listed and not info.meta.summary.strip():
            hint = "write one or two sentences behind 'summary:' in its front matter"
            yield Problem(info.path, 1, 0, "the page has no summary", hint, "summary")


def shared_titles(infos: Iterable[PageInfo]) -> Iterator[Problem]:
    """Pages that a reader can't tell apart in a list of tabs or of search results."""
    first: dict[str, PageInfo] = {}
    for info in infos:
        other = first.setdefault(" ".join(info.title.split()).casefold(), info)
        if other is not info:
            message = f"the title '{info.title}' is that of {other.path}, too"
            yield Problem(info.path, 1, 0, message, "say what sets this page apart", "title")


def unnamed_columns(sources: Iterable[Source]) -> Iterator[Problem]:
    """Columns of tables without a heading: a screen reader says that of each cell, and has nothing to say."""
    for source in sources:
        text = FENCED.sub(lambda found: "\n" * found.group().count("\n"), source.body)
        for found in TABLE.finditer(text):
            cells = CELL.split(found.group(1).strip().removeprefix("|").removesuffix("|"))
            if empty := [at for at, cell in enumerate(cells, 1) if not cell.strip()]:
                line = source.offset + text.count("\n", 0, found.start(1)) + 1
                message = f"column {empty[0]} of this table has no heading"
                yield Problem(source.path, line, 0, message, "say what its cells are", "heading")


def unused_notes(sources: Iterable[Source]) -> Iterator[Problem]:
    """Footnotes that no text refers to, and that no page shows therefore."""
    for source in sources:
        text = FENCED.sub(lambda found: "\n" * found.group().count("\n"), source.body)
        called = Counter(NOTE.findall(text))
        for found in DEFINED.finditer(text):
            name = found.group(1)
            if called[name] == sum(one == name for one in DEFINED.findall(text)):
                line = source.offset + text.count("\n", 0, found.start(1)) + 1
                hint = f"write [^{name}] where it belongs, or remove it"
                yield Problem(source.path, line, 0, f"nothing refers to the footnote '{name}'", hint, "unused")


def unused(index: SiteIndex, doubtful: str = "") -> Iterator[Problem]:
    """Sources that nothing rests on, and terms that no page uses.

    A glossary may explain more than the pages use, but on a site that holds all it says to its sources.
    What is `doubtful` stands on pages that could not be read whole, and may be used there.
    """
    failed = [name for name in index.homes if name in index.scenes and name not in index.data]
    for reference in index.references.values() if not failed else ():
        if not index.citations.get(reference.id) and reference.id not in doubtful:
            message = f"nothing rests on the reference '{reference.id}'"
            yield Problem(reference.path, reference.line, 0, message, "cite it, or remove it", "unused")
    for term in index.terms if index.config.claims else ():
        if not index.uses.get(term.term) and not any(name.lower() in doubtful.lower() for name in term.names):
            message = f"no page uses the term '{term.term}'"
            hint = f"write {{term}}`{term.term.lower()}` where it is needed, or remove it"
            yield Problem("content/glossary.yml", term.line, 0, message, hint, "unused")
