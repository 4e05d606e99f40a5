"""Print problems: for people, with the lines around them, for programs, and for the annotations of a forge."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from loom.errors import Problem

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # also bidirectional overrides
AROUND = 1  # lines shown before and behind
WIDEST = 200  # characters shown of a line


def print_problems(problems: Sequence[Problem], style: str, *, writes: bool = True) -> None:
    """Print problems, for people or for the annotations of a forge; `writes`: of a command that writes something."""
    if style == "github":
        for problem in problems:
            print(annotation(problem))
    else:
        for first, *again in _alike(problems):
            print(visible(str(first)), file=sys.stderr)
            if again:
                lines = ", ".join(dict.fromkeys(str(one.line) for one in again))
                print(f"  {len(again) + 1} times; also in line{'s' * (',' in lines)} {lines}", file=sys.stderr)
    count = len(problems)
    print(f"{count} problem{'s' * (count > 1)}{'; nothing was written' * writes}", file=sys.stderr)


def visible(text: str) -> str:
    """A text with control characters escaped: a file's name may hold escape sequences of terminals."""
    return CONTROL.sub(lambda found: ascii(found.group())[1:-1], text)


def _alike(problems: Sequence[Problem]) -> Iterable[list[Problem]]:
    """Problems of one file with the same message grouped, in the order of the first of each group."""
    found: dict[tuple[str, str, str], list[Problem]] = {}
    for one in problems:
        found.setdefault((one.path, one.summary, one.hint), []).append(one)
    return found.values()


def as_json(problems: Sequence[Problem], counts: Mapping[str, object]) -> str:
    """Problems and counts as one document, for programs."""
    told = ("path", "line", "column", "hint", "rule")  # the message has the rest in it
    entries = [{name: getattr(one, name) for name in told} | {"message": one.summary} for one in problems]
    return json.dumps({"problems": entries, "counts": counts}, ensure_ascii=False, indent=1)


def annotation(problem: Problem) -> str:
    """A GitHub workflow command, with its reserved characters escaped."""
    places = {"file": problem.path, "line": problem.line, "col": problem.column, "title": problem.rule}
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in places.items() if value)
    message = problem.summary + (f" ({problem.hint})" if problem.hint else "")
    return f"::error {listed}::{_escaped(message)}"


def _escaped(text: str, reserved: str = "") -> str:
    return "".join(f"%{ord(one):02X}" if one in f"%\r\n{reserved}" else one for one in text)


def excerpt(problem: Problem, root: Path) -> str:
    """A few numbered lines of the file, with a mark at the mistake's; empty if there is no such line."""
    if not problem.line:  # it may be a file that is too large to be read
        return ""
    try:
        lines = (root / problem.path).read_text(encoding="utf-8", errors="replace").removesuffix("\n").split("\n")
    except OSError:
        return ""
    if not 1 <= problem.line <= len(lines):
        return ""
    first, last = max(1, problem.line - AROUND), min(len(lines), problem.line + AROUND)
    width, shown = len(str(last)), []
    start = max(0, problem.column - WIDEST // 2) if problem.column > WIDEST else 0
    for number in range(first, last + 1):
        mark = ">" if number == problem.line else " "
        shown.append(f"{mark} {number:>{width}} | {_clipped(lines[number - 1], start)}".rstrip())
        if number == problem.line and problem.column:
            shown.append(" " * (width + 5 + problem.column - 1 - start + bool(start)) + "^")
    return "\n".join(shown)


def _clipped(line: str, start: int) -> str:
    """The part of a line that is shown, without characters that would command the terminal."""
    shown = CONTROL.sub("\ufffd", line[start : start + WIDEST].replace("\t", " "))
    return f"{'…' if start else ''}{shown}{'…' if len(line) > start + WIDEST else ''}"
