"""From a place in a finished file back to the one in the author's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from loom.errors import Problem


def authored(
    problems: Iterable[Problem], style: str, files: Collection[str], static: Iterable[Path]
) -> Iterator[Problem]:
    """Problems of files that are published as they are, and of the style sheet, under the names their author gave.

    `style` is where the style sheet lies in the site, and `files` are those of `content/`.
    """
    folders = list(static)
    for one in problems:
        if one.path in files:
            yield replace(one, path=f"content/{one.path}")
        elif one.path == style:
            yield _in_sheet(one, folders)
        elif any((folder / one.path).is_file() for folder in folders):
            yield replace(one, path=f"static/{one.path}")
        else:
            yield one


def _in_sheet(problem: Problem, folders: Iterable[Path]) -> Problem:
    """The style sheet is made of several: the line of the one that asks for the file."""
    asked = problem.about
    for folder in folders:
        for path in sorted((folder / "css").glob("*.css")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if asked in line or f"../fonts/{asked.rpartition('/')[2]}" in line:
                    return replace(problem, path=f"static/css/{path.name}", line=number)
    return problem
