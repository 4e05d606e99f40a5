"""The lines around a mistake, as its author wrote them."""

from __future__ import annotations

from pathlib import Path

from loom.errors import Problem

AROUND = 1  # lines shown before and behind


def excerpt(problem: Problem, root: Path) -> str:
    """A few numbered lines of the file, with a mark at the mistake's; empty if there is no such line."""
    if not problem.line:  # it may be a file that is too large to be read
        return ""
    try:
        lines = (root / problem.path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    if not 1 <= problem.line <= len(lines):
        return ""
    first, last = max(1, problem.line - AROUND), min(len(lines), problem.line + AROUND)
    width, shown = len(str(last)), []
    for number in range(first, last + 1):
        mark = ">" if number == problem.line else " "
        shown.append(f"{mark} {number:>{width}} | {lines[number - 1]}".rstrip())
        if number == problem.line and problem.column:
            shown.append(" " * (width + 5 + problem.column - 1) + "^")
    return "\n".join(shown)
