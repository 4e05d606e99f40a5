"""The sources that pages may cite, collected from all files of references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from loom.content.files import REFERENCES, read_text
from loom.errors import LoomError, Problem, raise_any
from loom.model import Reference


def read_references(content: Path) -> dict[str, Reference]:
    """The sources that pages may cite, by id."""
    found: dict[str, Reference] = {}
    problems: list[Problem] = []
    for name in REFERENCES:
        try:
            entries = _entries(content / name, f"content/{name}")
        except LoomError as error:
            problems += error.problems
            continue
        for one in entries:
            if one.id in found:
                first = found[one.id]
                message = f"the reference '{one.id}' is given twice"
                where = f"in line {first.line}" + (f" of {first.path}" if first.path != one.path else "")
                problems.append(Problem(one.path, one.line, 0, message, f"its first entry is {where}"))
            named = one.authors.replace(" and ", ",").replace(",", "")
            if not named.replace("et al.", "").strip():
                message = f"the authors of '{one.id}' are only {'et al.' if named.strip() else 'commas'}"
                problems.append(Problem(one.path, one.line, 0, message, "write names between them: Ames, Bell"))
            found[one.id] = one
    raise_any(problems)
    return lettered(found)


def _entries(path: Path, shown: str) -> list[Reference]:
    if not path.exists():
        return []
    read: Callable[[str, str], list[Reference]]
    if path.suffix == ".yml":
        from loom.content.records import records

        return records(Reference, read_text(path, shown), shown)
    from loom.content.bibliography import from_bibtex, from_csl

    read = from_bibtex if path.suffix == ".bib" else from_csl
    return read(read_text(path, shown), shown)


def lettered(references: dict[str, Reference]) -> dict[str, Reference]:
    """References whose citations would be the same get a letter behind the year, in the order of the file."""
    alike: dict[str, list[str]] = {}
    for reference in references.values():
        alike.setdefault(reference.short, []).append(reference.id)
    several = [names for names in alike.values() if len(names) > 1]
    letters = {name: chr(ord("a") + index % 26) for names in several for index, name in enumerate(names)}
    return {name: replace(one, letter=letters.get(name, "")) for name, one in references.items()}
