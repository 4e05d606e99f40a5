"""Rules about what the author wrote, beyond those that stop a build: summaries, titles, what nothing uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from loom.errors import Problem
from loom.model import Source
from loom.site.index import Backlinks, Web
from loom.site.page_info import Face

FENCED = re.compile(r"^[ ]{0,3}(```+|~~~+).*?(?:^[ ]{0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
NOTE = re.compile(r"\[\^([^\]\s]+)\]")
DEFINED = re.compile(r"^[ ]{0,3}\[\^([^\]\s]+)\]:", re.MULTILINE)


def unsaid(faces: Iterable[Face]) -> Iterator[Problem]:
    """Listed pages that do not say what they are about."""
    for face in faces:
        if face.meta.listed and not face.meta.summary.strip():
            hint = "write one or two sentences behind 'summary:' in its front matter"
            yield Problem(face.path, 1, 0, "the page has no summary", hint, "summary")


def shared_titles(faces: Iterable[Face]) -> Iterator[Problem]:
    """Pages that a reader can't tell apart in a list of tabs or of search results."""
    first: dict[str, Face] = {}
    for face in faces:
        other = first.setdefault(" ".join(face.title.split()).casefold(), face)
        if other is not face:
            message = f"the title '{face.title}' is that of {other.path}, too"
            yield Problem(face.path, 1, 0, message, "say what sets this page apart", "title")


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


def unused(web: Web, links: Backlinks, doubtful: str = "") -> Iterator[Problem]:
    """Sources that nothing rests on, and terms that no page uses.

    A glossary may explain more than the pages use, but on a site that holds all it says to its sources.
    What is `doubtful` stands on pages that could not be read whole, and may be used there.
    """
    failed = [name for name in web.homes if name in web.scenes and name not in web.data]
    scenes = " ".join(source for name in failed if name in web.lost for source in web.lost[name].sources)
    judged = all(name in web.lost for name in failed)
    for reference in web.site.references.values() if judged else ():
        if not links.citations.get(reference.id) and reference.id not in f"{doubtful} {scenes}":
            message = f"nothing rests on the reference '{reference.id}'"
            yield Problem("content/references.yml", reference.line, 0, message, "cite it, or remove it", "unused")
    for term in web.site.terms if web.site.config.claims else ():
        if not links.uses.get(term.term) and not any(name.lower() in doubtful.lower() for name in term.names):
            message = f"no page uses the term '{term.term}'"
            hint = f"write {{term}}`{term.term.lower()}` where it is needed, or remove it"
            yield Problem("content/glossary.yml", term.line, 0, message, hint, "unused")
